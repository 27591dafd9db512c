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
// Error rule. The functions of degree l that make up N_l times cos(l angle) or P_l, summed over n tokens, give a vector
// of moments whose length is a_l: n if all tokens are the same, sqrt(n) if they are random. Roundings leave errors of
// v_l N_l a_l in a sum Z_j, up to noise * 2^-53, which makes noise * 2^-53 times the spread S = sum_l v_l N_l a_l <= n
// of the moments; ending the series leaves out n times its tail. A token's sum is trusted from least_total on, where
// roundings are rounding_share of Z_j and the tail is tail_share. The degree is the smallest for which the tail asks
// for a tenth at most of what roundings ask for where all tokens are the same, and of v_0 n, the mean of Z_j for tokens
// all over the sphere. Sums below, those of tokens far from most others, are to be computed directly.

#include "normdyn/geometry/state.hpp"

#include <algorithm>
#include <cstddef>

namespace normdyn::attention {

class ZonalSeries {
 public:
  static constexpr double rounding_share = 1e-12;
  static constexpr double tail_share = 1e-13;
  static constexpr double largest_beta = 2000.0;
  static constexpr std::size_t spare = 4;            ///< coefficients known beyond the degree
  static constexpr std::size_t largest_degree = 487; ///< at largest_beta, for any noise

  /// `dim` is 2 or 3; `noise(|beta|)` the error of a computed sum in units of S roundings (2^-53).
  ZonalSeries(std::size_t dim, double (*noise)(double)) : dim_(dim), noise_(noise) {}

  /// Whether anything changed. |beta| <= largest_beta.
  bool set(double beta);

  [[nodiscard]] std::size_t degree() const { return degree_; }
  /// The smallest Z_j that is trusted, for moments of `n_tokens` tokens and of spread S.
  [[nodiscard]] double least_total(double spread, double n_tokens) const {
    return std::max(rounding_ / rounding_share * spread, tail_ / tail_share * n_tokens);
  }
  [[nodiscard]] double tail() const { return tail_; } ///< bound of what the series leaves out of one weight
  /// N_l.
  [[nodiscard]] double multiplicity(std::size_t l) const;
  /// v_l, l <= degree + spare.
  [[nodiscard]] double value(std::size_t l) const { return value_[l]; }
  /// v_l / beta, 1 <= l <= degree + spare, without division: its limit at beta = 0 too.
  [[nodiscard]] double slope(std::size_t l) const { return slope_[l]; }

 private:
  std::size_t dim_;
  double (*noise_)(double);
  bool is_set_ = false;
  double beta_ = 0.0, rounding_ = 0.0, tail_ = 0.0;
  std::size_t degree_ = 0;
  geometry::State value_, slope_;
};

} // namespace normdyn::attention
