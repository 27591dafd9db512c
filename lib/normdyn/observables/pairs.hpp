#pragma once
// All pairs of tokens in one blocked pass: the squares |theta_j - theta_k|^2 for j < k, from matrix products.
//
//   |a - b|^2 = |a|^2 + |b|^2 - 2 <a, b>   has an absolute error of slack(j, k) = (d + 16) eps (|a|^2 + |b|^2).
//
// When all tokens are near each other the product runs on tokens relative to their mean, so that the error is relative
// to the spread. What needs more (a threshold within the slack) asks for exact_square, which is computed from
// differences. Tiles depend on (n, d) only, so results do not depend on the number of threads.

#include "normdyn/geometry/state.hpp"

#include <functional>
#include <limits>
#include <span>

namespace normdyn::observables {

class Pairs {
 public:
  /// `theta`: n x d; viewed, not copied: must outlive this object.
  Pairs(std::span<const double> theta, std::size_t dim);

  [[nodiscard]] std::size_t n_tokens() const { return n_tokens_; }
  [[nodiscard]] bool is_finite() const { return is_finite_; }

  /// One row of a tile: squares[i] belongs to the pair (j, first + i), and j < first + i.
  using Visit = std::function<void(std::size_t j, std::size_t first, std::span<const double> squares)>;
  /// Visits every pair j < k once. Squares may be as low as -slack.
  void visit(const Visit& visit) const;

  [[nodiscard]] double slack(std::size_t j, std::size_t k) const {
    return static_cast<double>(dim_ + 16) * std::numeric_limits<double>::epsilon() *
           (norm_squared_[j] + norm_squared_[k]);
  }
  /// Bound of slack over all pairs.
  [[nodiscard]] double largest_slack() const;
  [[nodiscard]] double exact_square(std::size_t j, std::size_t k) const;
  [[nodiscard]] std::span<const double> token(std::size_t j) const { return theta_.subspan(j * dim_, dim_); }

 private:
  std::span<const double> theta_;
  std::size_t n_tokens_, dim_;
  geometry::TokenMatrix centered_; ///< empty: the product runs on theta itself
  std::vector<double> norm_squared_;
  bool is_finite_;
};

/// The square of the chord of an angle in [0, pi]: 4 sin^2(angle / 2).
[[nodiscard]] double chord_squared(double angle);

/// <a, b> of unit vectors: from |a - b| near 1, from |a + b| near -1, so that it has one rounding at both ends.
[[nodiscard]] double cosine(std::span<const double> a, std::span<const double> b);

} // namespace normdyn::observables
