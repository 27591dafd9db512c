#pragma once
// When to save: a grid of times (linear, logarithmic, listed), every k-th accepted step, or every layer. Kept apart
// from what is saved. Grid times are computed as products, never by repeated addition, and end exactly at the end.

#include "normdyn/core/interval.hpp"
#include "normdyn/core/settings.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normdyn::integrate {

class SaveSchedule {
 public:
  /// Only the first and the last state.
  SaveSchedule() = default;
  /// Strictly increasing times; those outside the run are an error of the reader, not of this class.
  static SaveSchedule at(std::vector<double> times);
  /// Every k-th accepted step (or layer), the first and the last state.
  static SaveSchedule every(std::int64_t steps);
  /// Nothing at all ("none").
  static SaveSchedule none();

  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] std::int64_t every_steps() const { return every_; } ///< 0 for a grid
  [[nodiscard]] bool is_none() const { return is_none_; }
  friend bool operator==(const SaveSchedule&, const SaveSchedule&) = default;

 private:
  std::vector<double> times_;
  std::int64_t every_ = 0;
  bool is_none_ = false;
};

/// begin + k * (end - begin)/(count - 1), the last exactly `end`.
[[nodiscard]] std::vector<double> linear_grid(double begin, double end, std::int64_t count);
/// `count` values from begin > 0 to end in equal ratios, both exact.
[[nodiscard]] std::vector<double> log_grid(double begin, double end, std::int64_t count);
/// k * step from begin, and `end` itself if the last multiple does not fall on it (to 1e-12 relative).
[[nodiscard]] std::vector<double> step_grid(double begin, double end, double step);

/// Reads output.states or output.observables:
///   { spacing = "linear", count = 101 } (from, to default to the run's ends) | { spacing = "linear", every = 0.1 }
///   { spacing = "log", from = 0.01, count = 61 }  (t = begin is added, since a log grid cannot hold it)
///   [0.0, 1.0, 2.5] | "every step" | "every 10 steps" | "every layer" | "every 2 layers" | "ends" | "none" (states
///   only)
/// In layers mode a grid must fall on layers (layer_step > 0 is the step h; times off the grid are refused).
[[nodiscard]] SaveSchedule read_save_schedule(core::Settings& output, std::string_view key, core::Interval span,
                                              double layer_step, const std::string& fallback);

} // namespace normdyn::integrate
