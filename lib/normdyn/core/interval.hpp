#pragma once
#include <vector>

namespace normdyn::core {

/// A stretch of time [begin, end] on which every time-dependent part is smooth once it was asked for by on().
struct Interval {
  double begin = 0.0;
  double end = 0.0;
  [[nodiscard]] double middle() const { return begin + 0.5 * (end - begin); }
  [[nodiscard]] double length() const { return end - begin; }
  [[nodiscard]] bool contains_inside(double t) const { return begin < t && t < end; }
};

/// Sorted, without doubles, only those strictly inside `span`.
[[nodiscard]] std::vector<double> inner_breakpoints(std::vector<double> times, Interval span);

/// The smooth pieces of `span` between the given breakpoints, in order.
[[nodiscard]] std::vector<Interval> pieces(Interval span, std::vector<double> breakpoints);

} // namespace normdyn::core
