#pragma once
// The exact layer map in the equiangular family. A layer takes theta_j to the direction of keep theta_j + push A_j, and
// A_j = (E/Z - 1/Z) theta_j + (1/Z) sum_k theta_k, so the new token is c0 theta_j + c1 sum_k theta_k, over its length
// m, with
//
//   c0 = keep + push (E - 1)/Z,   c1 = push/Z,   m^2 = c0^2 + 2 c0 c1 sigma + c1^2 n sigma
//   u+ = u c0^2/m^2,   sigma+ = sigma (c0 + n c1)^2/m^2,   hence   y+ = y + 2 log|1 + n c1/c0|,   r+ = m if the radius
//   moves
//
// exact for every scheme and step h, at both ends of y. Source: derived here.

#include "normdyn/reduced/equiangular.hpp"

namespace normdyn::reduced {

template <class Scalar>
struct LayerResult {
  Scalar log_ratio, radius;
};

/// One layer of step h at time t from (y, r). c0 = 0 (all tokens land on the mean: nGPT with h alpha = 1 at beta = 0)
/// gives y = +infinity.
template <class Scalar, class Scheme>
[[nodiscard]] LayerResult<Scalar> layer(const Equiangular<Scalar>& family, const Scheme& scheme, const Scalar& y,
                                        const Scalar& radius, double t, double h) {
  using std::abs, std::log, std::log1p, std::sqrt;
  const schemes::Layer<Scalar> step = scheme.layer(family.drift(y, radius), t, h);
  const Position<Scalar> at = family.position(y);
  const Scalar other = family.weight_of_other(y);
  const Scalar c0 = step.keep + step.push * family.surplus_of_own(y), c1 = step.push * other;
  const Scalar ratio = family.n() * c1 / c0;
  const Scalar length = sqrt(c0 * c0 + c1 * at.sum * (2 * c0 + family.n() * c1));
  const Scalar moved = ratio > -1 ? Scalar(2 * log1p(ratio)) : Scalar(2 * log(abs(1 + ratio)));
  return {y + moved, step.moves_radius ? length : radius};
}

} // namespace normdyn::reduced
