#pragma once
// A number with a 95 % confidence interval.

#include <cmath>
#include <span>

namespace normdyn::analysis {

struct Estimate {
  double value = 0.0;
  double low = 0.0, high = 0.0; ///< ends of the interval; low <= value <= high, infinite where nothing bounds it
  [[nodiscard]] bool covers(double number) const { return low <= number && number <= high; }
  [[nodiscard]] double half_width() const { return std::fmax(high - value, value - low); }
};

/// The quantile t with P(|T| <= t) = 0.95 for Student's T; infinite below one degree of freedom.
[[nodiscard]] double student_quantile(std::size_t degrees_of_freedom);

/// Mean of independent samples (one per seed, say): mean +- t_{m-1} s/sqrt(m), Student's interval, exact for normal
/// samples. One sample has an infinite interval; none has the value NaN.
[[nodiscard]] Estimate mean_estimate(std::span<const double> samples);

/// What a window of a deterministic decay tells of a limit. Residuals there are no noise but the approach to the law,
/// so that the interval of least squares alone is too narrow. Given the estimates from the first and the second half of
/// the window's samples, the result spans `whole` and second +- |second - first|. It covers both halves, and it covers
/// the limit whenever the second half is at least twice as near to it as the first: then |limit - second| <= |second -
/// first|. Corrections of relative size u do so by far, since a window has at least a factor e of decay.
[[nodiscard]] Estimate covering_halves(const Estimate& whole, double first, double second);

/// Widened to span at least value +- |coarser - value|, where `coarser` is the same estimate by a method of larger
/// error.
[[nodiscard]] Estimate covering_coarser(const Estimate& estimate, double coarser);

} // namespace normdyn::analysis
