#pragma once
// The equiangular family: n tokens with <theta_j, theta_k> = gamma for all j != k and one common radius r, Q = K = V =
// I, full softmax attention. The dynamics commute with permutations of the tokens, so both stay so, and the whole
// motion is that of (gamma, r). With u = 1 - gamma (the gap), sigma = 1 + (n-1) gamma = n - (n-1) u, E = exp(beta u), Z
// = E + n - 1:
//
//   <theta_j, A_j> = a = (E - 1 + sigma)/Z,   |P A_j| = p = sqrt((n-1) u sigma)/Z,   |A_j|^2 = a^2 + p^2,
//   <theta_k, A_j> = b = gamma a + u sigma/Z  (k != j)
//
// The variable of motion is y = log(sigma/u), from -infinity (the simplex, sigma = 0) to +infinity (consensus):
//
//   y' = (1/s) 2n/Z,   gamma = expm1(y)/(n-1 + e^y),   u = n/(n-1 + e^y),   sigma = n e^y/(n-1 + e^y)
//
// in which neither end loses a digit: a collapse to u = 1e-86 is y = 200. beta has any sign; all exponentials are
// scaled so that none exceeds 1: by e^{-beta u}, or for beta < 0 not at all. Source: the reduction is Section 4 of
// Karagodin, Ge, Polyanskiy, Rigollet (arXiv:2510.22026); y and these forms derived here (docs/theory.md). Scalar is
// double or a Boost.Multiprecision float.

#include "normdyn/core/error.hpp"
#include "normdyn/schemes/norm_scheme.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace normdyn::reduced {

/// The cosine gamma of a pair and the two quantities that carry its digits at the ends.
template <class Scalar>
struct Position {
  Scalar cosine; ///< gamma, in [-1/(n-1), 1]
  Scalar gap;    ///< u = 1 - gamma
  Scalar sum;    ///< sigma = 1 + (n-1) gamma = |sum_j theta_j|^2 / n
};

/// Time derivatives under a scheme; clock' = 1/s.
template <class Scalar>
struct EquiangularRates {
  Scalar log_ratio, radius, clock;
};

template <class Scalar>
class Equiangular {
 public:
  /// n >= 2 tokens, finite beta; throws core::InputError otherwise.
  Equiangular(std::size_t n_tokens, Scalar beta) : n_tokens_(n_tokens), n_(n_tokens), beta_(std::move(beta)) {
    if (n_tokens < 2)
      throw core::InputError("equiangular family", fmt::format("{} tokens have no cosine", n_tokens),
                             "take at least 2 tokens");
    if (!(beta_ > -std::numeric_limits<Scalar>::infinity()) || !(beta_ < std::numeric_limits<Scalar>::infinity()))
      throw core::InputError("equiangular family", fmt::format("beta = {} is no number", static_cast<double>(beta_)),
                             "take a finite beta");
  }

  [[nodiscard]] std::size_t n_tokens() const { return n_tokens_; }
  [[nodiscard]] const Scalar& n() const { return n_; } ///< as a Scalar
  [[nodiscard]] const Scalar& beta() const { return beta_; }
  /// c = n/(n-1), the largest gap: that of the simplex.
  [[nodiscard]] Scalar largest_gap() const { return n_ / (n_ - 1); }

  /// y of a cosine in [-1/(n-1), 1]; throws core::InputError outside. The number nearest to -1/(n-1) is the simplex
  /// itself, y = -infinity; gamma = 1 is y = +infinity. Near consensus use log_ratio_of_gap.
  [[nodiscard]] Scalar log_ratio(const Scalar& cosine) const {
    using std::abs, std::log1p;
    const Scalar infinity_of_type = std::numeric_limits<Scalar>::infinity();
    const Scalar sum = 1 + (n_ - 1) * cosine;
    if (abs(sum) <= 2 * std::numeric_limits<Scalar>::epsilon())
      return -infinity_of_type;
    if (!(sum > 0) || !(cosine <= 1))
      throw core::InputError(
          "equiangular family",
          fmt::format("{} tokens cannot all meet at the cosine {}", n_tokens_, static_cast<double>(cosine)),
          fmt::format("take a cosine in [-1/{}, 1]", n_tokens_ - 1));
    return cosine == 1 ? infinity_of_type : Scalar(log1p(n_ * cosine / (1 - cosine)));
  }
  /// y of a gap u in (0, n/(n-1)).
  [[nodiscard]] Scalar log_ratio_of_gap(const Scalar& gap) const {
    using std::log;
    return log((n_ - (n_ - 1) * gap) / gap);
  }

  [[nodiscard]] Position<Scalar> position(const Scalar& y) const {
    using std::exp, std::expm1;
    if (y > 0) { // in e^{-y}, which cannot overflow
      const Scalar q = exp(-y), denominator = 1 + (n_ - 1) * q;
      return {-expm1(Scalar(-y)) / denominator, n_ * q / denominator, n_ / denominator};
    }
    const Scalar q = exp(y), denominator = n_ - 1 + q;
    return {expm1(y) / denominator, n_ / denominator, n_ * q / denominator};
  }
  /// log u, where u itself may underflow.
  [[nodiscard]] Scalar log_gap(const Scalar& y) const {
    using std::exp, std::log, std::log1p;
    return y > 0 ? Scalar(log(n_) - y - log1p((n_ - 1) * exp(-y))) : Scalar(log(n_ / (n_ - 1 + exp(y))));
  }
  /// log(sigma/n), where sigma itself may underflow; 0 at consensus.
  [[nodiscard]] Scalar log_sum_share(const Scalar& y) const {
    using std::exp, std::log, std::log1p;
    return y > 0 ? Scalar(-log1p((n_ - 1) * exp(-y))) : Scalar(y - log(n_ - 1 + exp(y)));
  }

  /// What a scheme sees of a token at y with radius r.
  [[nodiscard]] schemes::Drift<Scalar> drift(const Scalar& y, const Scalar& radius) const {
    using std::sqrt;
    const Position<Scalar> at = position(y);
    const Scalar other = weight_at(at.gap);
    const Scalar radial = at.sum * other + surplus_at(at.gap);
    const Scalar tangential = sqrt((n_ - 1) * at.gap * at.sum) * other;
    return {radius, radial, sqrt(radial * radial + tangential * tangential), tangential};
  }
  /// b = <theta_k, A_j> for k != j.
  [[nodiscard]] Scalar cross_drift(const Scalar& y) const {
    const Position<Scalar> at = position(y);
    return at.cosine * drift(y, Scalar(1)).radial + at.gap * at.sum * weight_at(at.gap);
  }
  /// 1/Z, the attention paid to each other token; attention to oneself is 1 - (n-1)/Z.
  [[nodiscard]] Scalar weight_of_other(const Scalar& y) const { return weight_at(position(y).gap); }
  /// (E - 1)/Z = 1 - n/Z, by which attention to oneself exceeds that to another; without cancellation for small beta u.
  [[nodiscard]] Scalar surplus_of_own(const Scalar& y) const { return surplus_at(position(y).gap); }
  /// log Z.
  [[nodiscard]] Scalar log_partition(const Scalar& y) const {
    using std::exp, std::log, std::log1p;
    const Scalar own = beta_ * position(y).gap;
    return own > 0 ? Scalar(own + log1p((n_ - 1) * exp(-own))) : Scalar(log(exp(own) + n_ - 1));
  }
  /// Z/(2n) = dt/dy at s = 1: what a unit of y costs under Post-LN. Overflows where e^{beta u} does.
  [[nodiscard]] Scalar cost(const Scalar& y) const {
    using std::exp;
    return (exp(beta_ * position(y).gap) + n_ - 1) / (2 * n_);
  }

  /// (y', r', clock') under a scheme, already on its smooth piece.
  template <class Scheme>
  [[nodiscard]] EquiangularRates<Scalar> rates(const Scheme& scheme, const Scalar& y, const Scalar& radius,
                                               double t) const {
    const schemes::Rates<Scalar> rate = scheme.rates(drift(y, radius), t);
    return {2 * n_ * weight_of_other(y) * rate.speed, rate.radial, rate.speed};
  }

 private:
  [[nodiscard]] Scalar weight_at(const Scalar& gap) const { // 1/Z
    using std::exp;
    const Scalar own = beta_ * gap;
    if (!(own > 0))
      return 1 / (exp(own) + n_ - 1);
    const Scalar other = exp(-own);
    return other / (1 + (n_ - 1) * other);
  }
  [[nodiscard]] Scalar surplus_at(const Scalar& gap) const { // (E - 1)/Z
    using std::exp, std::expm1;
    const Scalar own = beta_ * gap;
    return own > 0 ? Scalar(-expm1(-own) / (1 + (n_ - 1) * exp(-own))) : Scalar(expm1(own) / (exp(own) + n_ - 1));
  }

  std::size_t n_tokens_;
  Scalar n_, beta_;
};

} // namespace normdyn::reduced
