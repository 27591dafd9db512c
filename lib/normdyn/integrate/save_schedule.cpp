#include "normdyn/integrate/save_schedule.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/integrate/step_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace normdyn::integrate {

namespace {

constexpr std::int64_t most_rows = 100'000'000;

bool is_increasing(const std::vector<double>& times) {
  return std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); }) == times.end();
}

/// Numbers of rows that a machine can hold; a grid too fine for doubles has equal times.
std::vector<double> checked(const core::Settings& settings, std::string_view key, std::vector<double> times) {
  if (!is_increasing(times))
    settings.refuse(key,
                    fmt::format("{} times between {} and {} are closer than numbers can be", times.size(),
                                times.front(), times.back()),
                    "ask for fewer rows");
  return times;
}

/// { spacing, from, to, count | every }
std::vector<double> read_grid(core::Settings grid, core::Interval span) {
  static const std::vector<std::string> spacings = {"linear", "log"};
  const bool is_log = grid.choice("spacing", spacings, "linear") == "log";
  if (is_log)
    grid.foreign("every", "an option of linear spacing");
  const bool needs_from = is_log && span.begin <= 0.0;
  const double from = grid.number("from", {.fallback = needs_from ? std::nullopt : std::optional(span.begin),
                                           .above = is_log ? std::optional(0.0) : std::nullopt,
                                           .at_least = span.begin,
                                           .at_most = span.end});
  const double to = grid.number("to", {.fallback = span.end, .at_least = from, .at_most = span.end});
  if (!is_log && grid.has("every")) {
    grid.foreign("count", "another way to say 'every'; give one of them");
    const double every = grid.number("every", {.above = 0.0});
    if ((to - from) / every > static_cast<double>(most_rows))
      grid.refuse("every", fmt::format("{} from {} to {} makes more than {} rows", every, from, to, most_rows));
    return checked(grid, "every", step_grid(from, to, every));
  }
  const std::int64_t count = grid.integer("count", {.at_least = from < to ? 2 : 1, .at_most = most_rows});
  if (!is_log)
    return checked(grid, "count", linear_grid(from, to, count));
  std::vector<double> times = log_grid(from, to, count);
  if (times.front() > span.begin)
    times.insert(times.begin(), span.begin); // where a log grid cannot begin
  return checked(grid, "count", std::move(times));
}

std::vector<double> read_list(core::Settings& output, std::string_view key, core::Interval span) {
  std::vector<double> times = output.numbers(key);
  if (times.empty())
    output.refuse(key, "the list is empty", "write times, or \"ends\"");
  if (const auto outside =
          std::find_if(times.begin(), times.end(), [&](double t) { return t < span.begin || t > span.end; });
      outside != times.end())
    output.refuse(key, fmt::format("time {} lies outside the run from {} to {}", *outside, span.begin, span.end));
  const auto fault = std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); });
  if (fault != times.end())
    output.refuse(key, fmt::format("{} is followed by {}", *fault, *(fault + 1)), "times must increase strictly");
  return times;
}

/// "every step", "every 10 steps", "every layer", "every 2 layers", "ends", "none"
SaveSchedule parse_words(const core::Settings& output, std::string_view key, const std::string& text, bool in_layers) {
  if (text == "ends")
    return {};
  if (text == "none")
    return SaveSchedule::none();
  std::istringstream words(text);
  std::string every, unit, rest;
  std::int64_t count = 1;
  words >> every;
  if (words >> std::ws; std::isdigit(words.peek()))
    words >> count;
  words >> unit;
  const bool is_unit = unit == "step" || unit == "steps" || unit == "layer" || unit == "layers";
  if (every != "every" || !is_unit || words.fail() || (words >> rest) || count < 1)
    output.refuse(key, fmt::format("'{}' is no schedule", text),
                  "write { spacing = \"linear\", count = 101 }, a list of times, \"every step\", \"every 10 steps\", "
                  "\"every layer\", \"ends\" or \"none\"");
  if (unit.starts_with("layer") && !in_layers)
    output.refuse(key, fmt::format("'{}' needs mode = \"layers\"", text),
                  "in a flow, write \"every step\" or a grid of times");
  return SaveSchedule::every(count);
}

/// Layers have no states between them.
std::vector<double> on_layers(const core::Settings& output, std::string_view key, std::vector<double> times,
                              core::Interval span, double step) {
  for (double& t : times) {
    const double on_grid = grid_time(span, whole_steps(span.begin, t + 0.5 * step, step), step);
    if (std::abs(on_grid - t) > 1e-9 * step)
      output.refuse(key, fmt::format("time {} lies between layers, which are {} apart", t, step),
                    fmt::format("the nearest layer is at {}; \"every layer\" saves them all", on_grid));
    t = on_grid;
  }
  return times;
}

} // namespace

SaveSchedule SaveSchedule::at(std::vector<double> times) {
  core::believe(is_increasing(times), "save times increase strictly");
  SaveSchedule schedule;
  schedule.times_ = std::move(times);
  return schedule;
}

SaveSchedule SaveSchedule::every(std::int64_t steps) {
  core::believe(steps >= 1, "every k-th step, k >= 1");
  SaveSchedule schedule;
  schedule.every_ = steps;
  return schedule;
}

SaveSchedule SaveSchedule::none() {
  SaveSchedule schedule;
  schedule.is_none_ = true;
  return schedule;
}

std::vector<double> linear_grid(double begin, double end, std::int64_t count) {
  if (!(begin < end) || count < 2)
    return {end};
  std::vector<double> times;
  const double step = (end - begin) / static_cast<double>(count - 1);
  for (std::int64_t k = 0; k + 1 < count; ++k)
    times.push_back(begin + static_cast<double>(k) * step);
  times.push_back(end);
  return times;
}

std::vector<double> log_grid(double begin, double end, std::int64_t count) {
  if (!(begin < end) || count < 2)
    return {end};
  std::vector<double> times = {begin};
  const double log_ratio = std::log(end / begin) / static_cast<double>(count - 1);
  for (std::int64_t k = 1; k + 1 < count; ++k)
    times.push_back(begin * std::exp(static_cast<double>(k) * log_ratio));
  times.push_back(end);
  return times;
}

std::vector<double> step_grid(double begin, double end, double step) {
  if (!(begin < end))
    return {end};
  const double rounding = std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), std::abs(end));
  const double limit = end - std::max(1e-12 * (end - begin), 4.0 * rounding);
  std::vector<double> times;
  for (std::int64_t k = 0; k == 0 || begin + static_cast<double>(k) * step < limit; ++k)
    times.push_back(begin + static_cast<double>(k) * step);
  times.push_back(end);
  return times;
}

SaveSchedule read_save_schedule(core::Settings& output, std::string_view key, core::Interval span, double layer_step,
                                const std::string& fallback) {
  const bool in_layers = layer_step > 0.0;
  const core::Value* value = output.raw(key);
  if (!value) {
    output.record(key, core::Value(fallback), true);
    return parse_words(output, key, fallback, in_layers);
  }
  if (value->is_text()) {
    output.record(key, *value, value->text() == fallback);
    return parse_words(output, key, value->text(), in_layers);
  }
  if (!value->is_table() && !value->is_array())
    output.refuse(key, fmt::format("{} is no schedule", core::toml_text(*value)),
                  "write { spacing = \"linear\", count = 101 }");
  std::vector<double> times = value->is_table() ? read_grid(output.section(key), span) : read_list(output, key, span);
  if (in_layers)
    times = on_layers(output, key, std::move(times), span, layer_step);
  return SaveSchedule::at(std::move(times));
}

} // namespace normdyn::integrate
