#include "normdyn/analysis/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::analysis {
namespace {

constexpr double hardly = 0.01; ///< a fall of log u that shows no decay

std::string window_text(const Decay& decay) {
  return fmt::format("[{:.6g}, {:.6g}]", decay.times.front(), decay.times.back());
}

// u itself, also where it underflows.
std::string value_text(double log_value) {
  if (log_value > -690.0)
    return fmt::format("{:.3g}", std::exp(log_value));
  return std::isfinite(log_value) ? fmt::format("e^{:.6g}", log_value) : "0";
}

// Mean rate -d log u/dt of the samples first ... last.
double mean_rate(const Decay& decay, std::size_t first, std::size_t last) {
  return (decay.log_values[first] - decay.log_values[last]) / (decay.times[last] - decay.times[first]);
}

// How the rate goes over the quarters of a window: it grows as long as u leaves a plateau.
struct Course {
  double first = 0.0, peak = 0.0, last = 0.0;
  [[nodiscard]] bool grows(double tolerance) const { return !(peak <= first + tolerance * std::abs(first)); }
};
Course course_of(const Decay& decay) {
  const std::size_t last = decay.size() - 1;
  Course course;
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    course.last = mean_rate(decay, quarter * last / 4, (quarter + 1) * last / 4);
    if (quarter == 0)
      course.first = course.peak = course.last;
    course.peak = std::fmax(course.peak, course.last);
  }
  return course;
}

std::optional<Refusal> refuse_rounding(const Decay& decay) {
  const double lowest = std::max(std::log(decay.floor), std::numeric_limits<double>::lowest()); // log 0 is no value
  const auto lost =
      std::find_if(decay.log_values.begin(), decay.log_values.end(), [&](double v) { return !(v >= lowest); });
  if (lost == decay.log_values.end())
    return std::nullopt;
  const auto index = static_cast<std::size_t>(lost - decay.log_values.begin());
  const std::string remedy = index == 0 ? std::string("take an earlier window")
                                        : fmt::format("end the window at {:.6g} or before", decay.times[index - 1]);
  return Refusal{
      Refusal::Reason::below_rounding,
      fmt::format("below {}: u = {} at {:.6g}{}; {}", decay.floor_name, value_text(*lost), decay.times[index],
                  decay.floor > 0.0 ? fmt::format(", and it has digits down to {:.3g} only", decay.floor) : "",
                  remedy)};
}

std::optional<Refusal> refuse_fall(const Decay& decay, const FitOptions& options) {
  const double fall = decay.log_values.front() - decay.log_values.back();
  if (fall >= options.least_fall)
    return std::nullopt;
  const Course course = course_of(decay);
  const double end = decay.times.back();
  if (!(fall >= hardly))
    return Refusal{
        Refusal::Reason::plateau,
        fmt::format("on a plateau: u hardly falls, from {} to {} in {}; run on, and begin the window after {:.6g}",
                    value_text(decay.log_values.front()), value_text(decay.log_values.back()), window_text(decay),
                    end)};
  if (course.grows(options.settled))
    return Refusal{Refusal::Reason::plateau,
                   fmt::format("still on the plateau: from {} to {} in {}, at a rate that grows "
                               "from {:.3g} to {:.3g}; run on, and begin the window after {:.6g}",
                               value_text(decay.log_values.front()), value_text(decay.log_values.back()),
                               window_text(decay), course.first, course.peak, end)};
  return Refusal{
      Refusal::Reason::too_short,
      fmt::format("window too short: u falls by the factor {:.3g} in {}, and a rate needs {:.3g}; at the rate "
                  "of its second half the window should reach {:.3g}",
                  std::exp(fall), window_text(decay), std::exp(options.least_fall),
                  end + (options.least_fall - fall) / course.last)};
}

} // namespace

std::optional<Refusal> refuse_window(const Decay& decay, const FitOptions& options) {
  if (decay.size() < options.least_samples)
    return Refusal{
        Refusal::Reason::too_short,
        fmt::format("window too short: {} samples{}, and a fit needs {}; save more often or widen the window",
                    decay.size(), decay.size() == 0 ? "" : " in " + window_text(decay), options.least_samples)};
  if (const auto refusal = refuse_rounding(decay))
    return refusal;
  return refuse_fall(decay, options);
}

std::optional<Refusal> refuse_stretch(const Decay& decay, const FitOptions& options) {
  const double begin = decay.times.front(), end = decay.times.back();
  if (!(begin > 0.0) || end >= options.least_stretch * begin)
    return std::nullopt;
  return Refusal{
      Refusal::Reason::too_short,
      fmt::format("window too short for a power law: its end is {:.3g} times its begin in {}, and an exponent "
                  "needs {:.3g}; run on to {:.3g}",
                  end / begin, window_text(decay), options.least_stretch, options.least_stretch * begin)};
}

std::optional<Refusal> refuse_drift(const Decay& decay, const FitOptions& options, const std::string& name,
                                    const ParameterByParts& parameter) {
  const auto [whole, first, middle, second] = parameter;
  const auto [low, high] = std::minmax({first, middle, second});
  if (whole > 0.0 && low > 0.0 && high - low <= options.settled * whole)
    return std::nullopt;
  const Course course = course_of(decay);
  const std::string parts =
      fmt::format("the {} is {:.4g} in the first half of {}, {:.4g} in its middle and {:.4g} in the second half", name,
                  first, window_text(decay), middle, second);
  if (course.grows(options.settled))
    return Refusal{Refusal::Reason::plateau,
                   fmt::format("still on the plateau: {}, and the rate grows from {:.3g} to {:.3g}; begin the window "
                               "later",
                               parts, course.first, course.peak)};
  return Refusal{Refusal::Reason::not_this_law,
                 fmt::format("not settled: {}, which differ by more than {:.3g}%; begin the window later, or take "
                             "another law",
                             parts, 100.0 * options.settled)};
}

} // namespace normdyn::analysis
