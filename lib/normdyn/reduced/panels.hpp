#pragma once
// Integrals over y of smooth, positive costs, and their inverse. The costs of the equiangular family are analytic in
// the strip |Im y| < pi (the nearest singularity is e^y = -(n-1)), so 30-point Gauss panels of width 1 converge like (4
// + sqrt 17)^{-60}: beyond 50 digits, for any n. Larger beta means narrower panels. No error estimate is needed, and
// the number of evaluations is known beforehand.

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::reduced {

/// A power of two, so that panel boundaries are exact: 1 for |beta| < 8, then shrinking like 8/|beta|.
template <class Scalar>
[[nodiscard]] Scalar panel_width(const Scalar& beta) {
  using std::abs;
  Scalar width(1);
  for (Scalar reach(8); reach <= abs(beta) && width > 1e-4; reach *= 2)
    width /= 2;
  return width;
}

template <class Scalar, class Cost>
[[nodiscard]] Scalar panel(const Cost& cost, const Scalar& a, const Scalar& b) {
  using boost::math::quadrature::gauss, std::abs;
  if (a == b)
    return Scalar(0);
  if (abs(b - a) < 1e-3) // (1e-3/4 pi)^20 is beyond 50 digits as well
    return gauss<Scalar, 10>::integrate(cost, a, b);
  return gauss<Scalar, 30>::integrate(cost, a, b);
}

/// The integral of cost from a to b in panels of a width that may depend on where they begin; b < a gives a negative
/// value.
template <class Scalar, class Cost, class Width>
[[nodiscard]] Scalar integral_in_steps(const Cost& cost, const Scalar& a, const Scalar& b, const Width& width) {
  if (b < a)
    return -integral_in_steps(cost, b, a, width);
  Scalar total(0), y = a;
  for (Scalar next = y + width(y); next < b; next = y + width(y)) {
    total += panel(cost, y, next);
    y = next;
  }
  return total + panel(cost, y, b);
}

/// The same in equal panels.
template <class Scalar, class Cost>
[[nodiscard]] Scalar integral(const Cost& cost, const Scalar& a, const Scalar& b, const Scalar& width) {
  return integral_in_steps(cost, a, b, [&](const Scalar&) { return width; });
}

/// The y in [a, b] with integral of cost from a to y = amount, by Newton kept inside its bracket; `whole` is the
/// integral up to b.
template <class Scalar, class Cost>
[[nodiscard]] Scalar inside_panel(const Cost& cost, const Scalar& a, const Scalar& b, const Scalar& amount,
                                  const Scalar& whole) {
  using std::abs;
  Scalar low = a, high = b, y = a + (b - a) * (amount / whole), surplus = panel(cost, a, y) - amount;
  for (int iteration = 0; iteration < 200; ++iteration) {
    (surplus > 0 ? high : low) = y;
    Scalar next = y - surplus / cost(y);
    if (!(next >= low && next <= high))
      next = low + (high - low) / 2;
    const bool is_settled = !(abs(next - y) > 2 * std::numeric_limits<Scalar>::epsilon() * abs(next));
    surplus += panel(cost, y, next); // ever shorter, hence ever cheaper
    y = next;
    if (is_settled)
      break;
  }
  return y;
}

/// The y >= a with integral of cost from a to y = amount >= 0. The cost must stay above some positive number; from
/// `flat` on it is constant to rounding, so that the rest of the way, however long, is one step.
template <class Scalar, class Cost, class Width>
[[nodiscard]] Scalar advance(const Cost& cost, Scalar a, Scalar amount, const Width& width, const Scalar& flat) {
  if (!(amount > 0))
    return a;
  while (a < flat) {
    const Scalar b = a + width(a), whole = panel(cost, a, b);
    if (!(whole < amount))
      return inside_panel(cost, a, b, amount, whole);
    amount -= whole;
    a = b;
  }
  return a + amount / cost(a);
}

/// The integral from a to infinity of a cost that decays like e^{-rate y} from `onset` on, to rounding.
template <class Scalar, class Cost>
[[nodiscard]] Scalar tail_integral(const Cost& cost, const Scalar& a, const Scalar& onset, const Scalar& rate,
                                   const Scalar& width) {
  using std::log;
  const Scalar reach = std::max(a, onset) + (4 - log(std::numeric_limits<Scalar>::epsilon())) / rate;
  return integral(cost, a, reach, width);
}

} // namespace normdyn::reduced
