#include "normdyn/analysis/decay.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::analysis {
namespace {

void require_same_size(const char* what, std::size_t given, std::size_t expected) {
  if (given != expected)
    throw core::InputError("decay", fmt::format("{} {} for {} times", given, what, expected),
                           "give one number for each time");
}

void require_increasing(const char* what, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]) || (i > 0 && !(values[i] > values[i - 1])))
      throw core::InputError("decay",
                             i == 0 ? fmt::format("the {} begins with {}", what, values[i])
                                    : fmt::format("the {} goes from {} to {}", what, values[i - 1], values[i]),
                             "give finite numbers that increase");
}

// Derivative at x[at] of the polynomial through all points, by its barycentric weights (Berrut, Trefethen 2004).
double slope_through(std::span<const double> x, std::span<const double> y, std::size_t at) {
  const auto weight = [&](std::size_t i) {
    double product = 1.0;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (k != i)
        product *= x[i] - x[k];
    return 1.0 / product;
  };
  double slope = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i != at)
      slope += weight(i) / weight(at) * (y[i] - y[at]) / (x[at] - x[i]);
  return slope;
}

} // namespace

Decay decay_of(std::span<const double> times, std::span<const double> values, std::span<const double> log_derivatives,
               double floor) {
  require_same_size("values", values.size(), times.size());
  require_increasing("time", times);
  if (!log_derivatives.empty())
    require_same_size("log-derivatives", log_derivatives.size(), times.size());
  Decay decay{{times.begin(), times.end()}, {}, {log_derivatives.begin(), log_derivatives.end()}, floor, "rounding"};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0.0))
      throw core::InputError("decay", fmt::format("the value {} at {} has no logarithm", values[i], times[i]),
                             "give a quantity that is positive");
    decay.log_values.push_back(std::log(values[i]));
  }
  return decay;
}

Decay slice(const Decay& decay, std::size_t first, std::size_t last) {
  const auto part = [&](const std::vector<double>& all) {
    if (all.empty())
      return all;
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(first),
                               all.begin() + static_cast<std::ptrdiff_t>(last));
  };
  return {part(decay.times), part(decay.log_values), part(decay.log_derivatives), decay.floor, decay.floor_name};
}

Decay window(const Decay& decay, double begin, double end) {
  const auto first = std::lower_bound(decay.times.begin(), decay.times.end(), begin);
  const auto last = std::upper_bound(first, decay.times.end(), end);
  return slice(decay, static_cast<std::size_t>(first - decay.times.begin()),
               static_cast<std::size_t>(last - decay.times.begin()));
}

Decay against(const Decay& decay, std::span<const double> clock, std::span<const double> rates) {
  require_same_size("readings of the clock", clock.size(), decay.size());
  require_increasing("clock", clock);
  Decay result{{clock.begin(), clock.end()}, decay.log_values, {}, decay.floor, decay.floor_name};
  if (rates.empty() || decay.log_derivatives.empty())
    return result;
  require_same_size("rates of the clock", rates.size(), decay.size());
  for (std::size_t i = 0; i < decay.size(); ++i)
    result.log_derivatives.push_back(decay.log_derivatives[i] / rates[i]);
  return result;
}

Decay against_log_time(const Decay& decay) {
  std::vector<double> clock, rates;
  for (const double t : decay.times) {
    clock.push_back(std::log(t));
    rates.push_back(1.0 / t);
  }
  return against(decay, clock, rates);
}

Decay against_root_time(const Decay& decay) {
  std::vector<double> clock, rates;
  for (const double t : decay.times) {
    clock.push_back(std::sqrt(1.0 + t));
    rates.push_back(0.5 / clock.back());
  }
  return against(decay, clock, rates);
}

std::vector<double> log_slopes(const Decay& decay, std::size_t stencil) {
  if (!decay.log_derivatives.empty())
    return decay.log_derivatives;
  const std::size_t n = decay.size(), width = std::min(stencil, n);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = std::min(i > stencil / 2 ? i - stencil / 2 : 0, n - width);
    slopes.push_back(slope_through(std::span(decay.times).subspan(first, width),
                                   std::span(decay.log_values).subspan(first, width), i - first));
  }
  return slopes;
}

} // namespace normdyn::analysis
