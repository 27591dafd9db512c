#pragma once
// How near the motion is to its terminal law at a point, without differencing: since u' = -(2/s) u sigma/Z exactly, the
// local exponent of u in each law's own variable, over its limit, is
//
//   Post-LN   d log u/dt / (-2)                 = sigma/Z        sqrt  d log u/d sqrt(1+t) / (-4)  = sigma/Z
//   nGPT      d log u/d(int alpha) / (-2)       = sigma/N        sqrt  d log u/d sqrt(t) / (-4)    = sigma/Z
//   sqrt(t/(1+t)) Pre-LN    d log u/d log t / (-2)            = t sigma/(r Z)  Peri  d log u/d log t / (-2)      = t
//   sigma/(r N) both      d log u/d log r / (-2)            = sigma/(E - 1 + sigma)
//
// 1 is the law. Source: derived here.

#include "normdyn/reduced/equiangular.hpp"

namespace normdyn::reduced {

/// sigma/Z: by time under Post-LN, by sqrt(1+t) under sqrt scaling, by the clock under any scheme.
template <class Scalar>
[[nodiscard]] Scalar exponent_by_clock(const Equiangular<Scalar>& family, const Scalar& y) {
  return family.position(y).sum * family.weight_of_other(y);
}
/// sigma/N: by the integral of alpha under nGPT.
template <class Scalar>
[[nodiscard]] Scalar exponent_by_alpha(const Equiangular<Scalar>& family, const Scalar& y) {
  return exponent_by_clock(family, y) / family.drift(y, Scalar(1)).norm;
}
/// By log t where the radius moves, at time t and radius r: Pre-LN (by_drift false), Peri-LN (true).
template <class Scalar>
[[nodiscard]] Scalar exponent_by_log_time(const Equiangular<Scalar>& family, const Scalar& y, const Scalar& time,
                                          const Scalar& radius, bool by_drift) {
  return time / radius * (by_drift ? exponent_by_alpha(family, y) : exponent_by_clock(family, y));
}
/// By log r where the radius moves.
template <class Scalar>
[[nodiscard]] Scalar exponent_by_log_radius(const Equiangular<Scalar>& family, const Scalar& y) {
  return exponent_by_clock(family, y) / family.drift(y, Scalar(1)).radial;
}

} // namespace normdyn::reduced
