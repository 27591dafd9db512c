#pragma once
// Least squares of one line, y = intercept + slope x, with Student's intervals.

#include "normdyn/analysis/estimate.hpp"

#include <span>

namespace normdyn::analysis {

struct Line {
  Estimate slope, intercept;
  Estimate root;         ///< -intercept/slope, its interval to first order in the residuals
  double residual = 0.0; ///< root mean square of y - intercept - slope x
  [[nodiscard]] double operator()(double x) const { return intercept.value + slope.value * x; }
};

/// Needs two different x at least; with two points the intervals are infinite. Not finite if a point is not.
[[nodiscard]] Line fit_line(std::span<const double> x, std::span<const double> y);

} // namespace normdyn::analysis
