#pragma once
// The weight of two unit tokens of d = 2 or 3 components as a series in the angle between them, cos(angle) = c:
//
//   d = 2:  exp(beta c - |beta|) = sum_l N_l v_l cos(l angle),  v_l = e^{-|beta|} I_l(beta),  N_0 = 1, N_l = 2
//   d = 3:  exp(beta c - |beta|) = sum_l N_l v_l P_l(c),        v_l = e^{-|beta|} i_l(beta),  N_l = 2 l + 1
//
// (I_l: modified Bessel functions, i_l = sqrt(pi / (2 beta)) I_{l + 1/2}: modified spherical ones). Both come from the
// ratios v_l / v_{l-1} = beta / (2 l + d - 2 + beta v_{l+1} / v_l), taken downward, and from sum_l N_l |v_l| = 1: no
// overflow, and a relative error of a few roundings at any beta.
//
// Error rule. Sums of n weights computed by such a series have an absolute error of n times that of one weight: the
// tail of the series, and roundings. A token's sum Z_j is trusted where Z_j >= floor n, with the floor at which the
// roundings are rounding_share of Z_j; the degree is the smallest whose tail is truncation_share of such a Z_j. Sums
// below the floor, those of tokens far from all others, are to be computed directly.

#include "normdyn/geometry/state.hpp"

#include <cstddef>

namespace normdyn::attention {

class ZonalSeries {
 public:
  static constexpr double truncation_share = 1e-14;
  static constexpr double rounding_share = 1e-12;
  static constexpr double largest_beta = 2000.0;
  static constexpr std::size_t spare = 4;            ///< coefficients known beyond the degree
  static constexpr std::size_t largest_degree = 487; ///< at largest_beta, for any noise

  /// `dim` is 2 or 3; `noise(|beta|)` the error of a computed sum in units of n roundings (2^-53).
  ZonalSeries(std::size_t dim, double (*noise)(double)) : dim_(dim), noise_(noise) {}

  /// Whether anything changed. |beta| <= largest_beta.
  bool set(double beta);

  [[nodiscard]] std::size_t degree() const { return degree_; }
  [[nodiscard]] double floor() const { return floor_; } ///< Z_j / n below which a sum is not trusted
  /// v_l, l <= degree + spare.
  [[nodiscard]] double value(std::size_t l) const { return value_[l]; }
  /// v_l / beta, 1 <= l <= degree + spare, without division: its limit at beta = 0 too.
  [[nodiscard]] double slope(std::size_t l) const { return slope_[l]; }

 private:
  [[nodiscard]] double multiplicity(std::size_t l) const;

  std::size_t dim_;
  double (*noise_)(double);
  bool is_set_ = false;
  double beta_ = 0.0, floor_ = 0.0;
  std::size_t degree_ = 0;
  geometry::State value_, slope_;
};

} // namespace normdyn::attention
