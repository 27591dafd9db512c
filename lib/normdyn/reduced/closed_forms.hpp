#pragma once
// What the equiangular motion has in closed form. Everything stands on one function of y, the excess
//
//   F(y) = - integral from y to infinity of (e^{beta u} - 1) dy
//        = -[Ei(beta u) - gamma_E - log(beta u)] - e^{beta c} [E1(beta sigma/(n-1)) - E1(beta c)] - log(sigma/n),  c =
//        n/(n-1),
//
// which vanishes at consensus and for beta = 0; for beta < 0 the real parts of E1 are meant, E1(-x) = -Ei(x). With 0
// marking the start,
//
//   t of Post-LN = the clock of every scheme = (1/2) [ (F - F_0)/n + y - y_0 ]
//   log(r/r_0), where r moves from y_0 on    = (1/2) [ (F - F_0)/n - log(u/u_0) ]     one curve for Pre- and Peri-LN
//   hence r/r_0 = e^{clock} sqrt(sigma_0/sigma)
//
// Source: derived here by partial fractions of dy = -n du/(u sigma), see docs/theory.md. A start on the simplex
// (y_0 = -infinity) does not move in y and has no such curve.

#include "normdyn/reduced/equiangular.hpp"
#include "normdyn/reduced/exponential_integrals.hpp"
#include "normdyn/reduced/panels.hpp"

namespace normdyn::reduced {

/// F(y)/n, with the sign of -beta, to rounding of the largest of 1 and e^{beta u}/n. Overflows where e^{beta u} does.
template <class Scalar>
[[nodiscard]] Scalar excess(const Equiangular<Scalar>& family, const Scalar& y) {
  using std::exp, std::expm1;
  if (family.beta() == 0)
    return Scalar(0);
  const Position<Scalar> at = family.position(y);
  const Scalar near = family.beta() * at.sum / (family.n() - 1), far = family.beta() * family.largest_gap();
  const Scalar log_sum = family.log_sum_share(y);
  Scalar rest;
  if (far < 0)
    rest = damped_e1(near, far) - damped_e1(far, far) - expm1(far) * log_sum;
  else if (far <= 1) // the logarithms inside E1 are taken out, or they would cancel against log(sigma/n)
    rest = exp(far) * (regular_e1(near) - regular_e1(far)) - expm1(far) * log_sum;
  else if (near < std::numeric_limits<Scalar>::min()) // near the simplex sigma underflows, its logarithm does not
    rest = -exp(far) * (log_sum + regular_e1(far)) + log_sum;
  else
    rest = exp(family.beta() * at.gap) * scaled_e1(near) - scaled_e1(far) + log_sum;
  return -(regular_ei(Scalar(family.beta() * at.gap)) + rest) / family.n();
}

// Differences take the offset z = y - y_0: on a plateau r may double while z is 1e-12, which y_0 + z would round away.

/// (F(y_0 + z) - F(y_0))/n. On the plateau F is of size e^beta and its differences cancel; within one panel they are
/// integrated instead, so that the result is right to rounding of itself.
template <class Scalar>
[[nodiscard]] Scalar excess_over(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& offset) {
  using std::abs, std::expm1;
  if (family.beta() == 0)
    return Scalar(0);
  if (abs(offset) > panel_width(family.beta()))
    return excess(family, Scalar(y0 + offset)) - excess(family, y0);
  const auto growth = [&](const Scalar& z) -> Scalar {
    return expm1(Scalar(family.beta() * family.position(Scalar(y0 + z)).gap));
  };
  return panel(growth, Scalar(0), offset) / family.n();
}

/// log(u/u_0) over the offset.
template <class Scalar>
[[nodiscard]] Scalar log_gap_over(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& offset) {
  using std::abs, std::expm1, std::log1p;
  if (abs(offset) > 1)
    return family.log_gap(Scalar(y0 + offset)) - family.log_gap(y0);
  // u/u_0 = (n-1 + e^{y_0})/(n-1 + e^y) = 1/(1 + (sigma_0/n) (e^z - 1))
  return -log1p(Scalar(family.position(y0).sum / family.n() * expm1(offset)));
}

/// The clock (Post-LN time) over the offset.
template <class Scalar>
[[nodiscard]] Scalar clock_over(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& offset) {
  return (excess_over(family, y0, offset) + offset) / 2;
}

/// log(r/r_0) over the offset where the radius moves all the way: Pre- and Peri-LN, Mix-LN after its switch.
template <class Scalar>
[[nodiscard]] Scalar log_radius_growth_over(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& offset) {
  return (excess_over(family, y0, offset) - log_gap_over(family, y0, offset)) / 2;
}

/// The clock from y_0 to y.
template <class Scalar>
[[nodiscard]] Scalar clock_between(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& y) {
  return clock_over(family, y0, Scalar(y - y0));
}

/// log(r/r_0) from y_0 to y.
template <class Scalar>
[[nodiscard]] Scalar log_radius_growth(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& y) {
  return log_radius_growth_over(family, y0, Scalar(y - y0));
}

/// y after the clock has gone `clock` >= 0 from y_0: Post-LN at that time, every other scheme at that clock.
template <class Scalar>
[[nodiscard]] Scalar log_ratio_at_clock(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& clock) {
  using std::abs;
  // dt/dy = Z/(2n) falls with y, so t(y) is concave and Newton from the left never oversteps.
  Scalar z(0);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Scalar move = (clock - clock_over(family, y0, z)) / family.cost(Scalar(y0 + z));
    z += move;
    if (!(abs(move) > 2 * std::numeric_limits<Scalar>::epsilon() * abs(z)))
      break;
  }
  return y0 + z;
}

// beta = 0, uniform attention: everything is elementary.

/// Post-LN at beta = 0: sigma/u = (sigma_0/u_0) e^{2t}, that is y = y_0 + 2t.
template <class Scalar>
[[nodiscard]] Scalar uniform_post_log_ratio(const Scalar& y0, const Scalar& time) {
  return y0 + 2 * time;
}

/// Pre-LN at beta = 0: r = r_0 sqrt(u_0/u).
template <class Scalar>
[[nodiscard]] Scalar uniform_pre_radius(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& r0,
                                        const Scalar& y) {
  using std::exp;
  return r0 * exp(-log_gap_over(family, y0, Scalar(y - y0)) / 2);
}

/// Pre-LN at beta = 0: t = r - r_0 + (kappa/2) log[ (r - kappa)(r_0 + kappa)/((r + kappa)(r_0 - kappa)) ] with
/// kappa^2 = r_0^2 u_0/c. Since sigma/n = 1 - kappa^2/r^2, the logarithm is log(sigma/sigma_0) - 2 log[(r + kappa)
/// r_0/((r_0 + kappa) r)], which does not cancel where r_0 is near kappa.
template <class Scalar>
[[nodiscard]] Scalar uniform_pre_time(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& r0,
                                      const Scalar& y) {
  using std::log, std::sqrt;
  const Scalar r = uniform_pre_radius(family, y0, r0, y);
  const Scalar kappa = r0 * sqrt(family.position(y0).gap / family.largest_gap());
  const Scalar logarithm =
      (y - y0) + log_gap_over(family, y0, Scalar(y - y0)) - 2 * log((r + kappa) * r0 / ((r0 + kappa) * r));
  return r - r0 + kappa / 2 * logarithm;
}

} // namespace normdyn::reduced
