#pragma once
// The exponential integrals of the closed forms, arranged so that neither their logarithm at 0 nor their exponential at
// infinity costs digits. gamma_E is Euler's constant.

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/expint.hpp>

#include <cmath>
#include <limits>

namespace normdyn::reduced {

/// Overflow gives infinity, as elsewhere in floating point, and no exception.
using QuietPolicy =
    boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

/// sum_{k >= 1} x^k/(k k!), the entire part of Ei: Ei(x) = gamma_E + log|x| + entire(x). For |x| <= 2.
template <class Scalar>
[[nodiscard]] Scalar entire_series(const Scalar& x) {
  using std::abs;
  Scalar power = x, total = x;
  for (int k = 2; k < 1000; ++k) {
    power *= x / k;
    const Scalar term = power / k;
    total += term;
    if (abs(term) <= std::numeric_limits<Scalar>::epsilon() * abs(total))
      break;
  }
  return total;
}

/// Ein(x) = E1(x) + gamma_E + log x for x >= 0 (0 at 0, increasing).
template <class Scalar>
[[nodiscard]] Scalar regular_e1(const Scalar& x) {
  using std::log;
  if (x <= 1)
    return -entire_series(Scalar(-x));
  return boost::math::expint(1, x, QuietPolicy()) + boost::math::constants::euler<Scalar>() + log(x);
}

/// Ei(x) - gamma_E - log|x| for any x (0 at 0, increasing).
template <class Scalar>
[[nodiscard]] Scalar regular_ei(const Scalar& x) {
  using std::log;
  if (x < 0)
    return -regular_e1(Scalar(-x));
  if (x <= 1)
    return entire_series(x);
  return boost::math::expint(x, QuietPolicy()) - boost::math::constants::euler<Scalar>() - log(x);
}

/// e^{-x} Ei(x) for x > 0: about 1/x for large x, without overflow.
template <class Scalar>
[[nodiscard]] Scalar scaled_ei(const Scalar& x) {
  using std::abs, std::exp;
  if (x < 500)
    return exp(-x) * boost::math::expint(x, QuietPolicy());
  // The asymptotic series (1/x) sum k!/x^k, whose smallest term is e^{-500} here.
  Scalar term = 1 / x, total = term;
  for (int k = 1; k < 400 && abs(term) > std::numeric_limits<Scalar>::epsilon() * total; ++k) {
    term *= Scalar(k) / x;
    total += term;
  }
  return total;
}

/// e^c (E1(x) + gamma_E + log|x|) for c <= x <= 0, where E1(x) is the real part, -Ei(-x): no overflow.
template <class Scalar>
[[nodiscard]] Scalar damped_e1(const Scalar& x, const Scalar& c) {
  using std::exp, std::log;
  if (x > -1)
    return -exp(c) * entire_series(Scalar(-x));
  return exp(c) * (boost::math::constants::euler<Scalar>() + log(Scalar(-x))) -
         exp(Scalar(c - x)) * scaled_ei(Scalar(-x));
}

/// e^x E1(x) for x > 0, between 1/(x+1) and 1/x for large x: no overflow, no underflow.
template <class Scalar>
[[nodiscard]] Scalar scaled_e1(const Scalar& x) {
  using std::abs, std::exp, std::log;
  // With many digits the continued fraction of Boost.Math takes thousands of terms below x = 2; the series takes tens
  // and loses 1.5 digits at most.
  if (std::numeric_limits<Scalar>::digits > 64 && x < 2)
    return -exp(x) * (entire_series(Scalar(-x)) + boost::math::constants::euler<Scalar>() + log(x));
  if (x < 500)
    return exp(x) * boost::math::expint(1, x, QuietPolicy());
  // The asymptotic series (1/x) sum (-1)^k k!/x^k, whose smallest term is e^{-500} here.
  Scalar term = 1 / x, total = term;
  for (int k = 1; k < 400 && abs(term) > std::numeric_limits<Scalar>::epsilon() * total; ++k) {
    term *= -Scalar(k) / x;
    total += term;
  }
  return total;
}

} // namespace normdyn::reduced
