#pragma once
// Tokens relative to their mean, accurate relative to their spread: near consensus the differences theta_j - m carry
// the information that the tokens themselves have rounded away in 1 - cos.

#include "normdyn/geometry/state.hpp"

#include <span>

namespace normdyn::observables {

struct Centered {
  geometry::TokenMatrix tokens; ///< theta_j - m, n x d
  double variance = 0.0;        ///< (1/n) sum_j |theta_j - m|^2 = (1/2n^2) sum_jk |theta_j - theta_k|^2
  double largest = 0.0;         ///< max_j |theta_j - m|^2
};

/// Differences are first taken to token 0 (one rounding, exact for identical tokens), then to their mean; the variance
/// is corrected for the rounding of that mean. Identical tokens have variance 0 exactly.
[[nodiscard]] Centered center(std::span<const double> theta, std::size_t dim);

} // namespace normdyn::observables
