#pragma once
// How a scheme spends its time along the one curve of the equiangular family. All schemes but `formula` separate:
//
//   worth(t) = integral over y of s~ Z/(2n),   s~ = 1, r, |A| or r |A|
//
// where worth(t) is t, 2 (sqrt(1+t) - 1) for sqrt scaling, and the integral of alpha for nGPT. Mix-LN changes its pace
// at tau.

#include "normdyn/schemes/registry.hpp"

#include <cmath>
#include <functional>
#include <optional>

namespace normdyn::reduced {

/// One stretch of a scheme that holds to one separable law.
template <class Scalar>
struct Pace {
  bool by_radius = false;                       ///< s contains r, and r moves
  bool by_drift = false;                        ///< s contains |A|
  std::function<Scalar(const Scalar&)> worth{}; ///< of a time; empty: the time itself
  std::function<Scalar(const Scalar&)> time{}; ///< inverse of worth; empty: the worth itself. Infinite if never reached
};

template <class Scalar>
struct SchemePace {
  Pace<Scalar> first{};
  std::optional<Scalar> switch_time{}; ///< tau; the second pace holds from there on
  Pace<Scalar> second{};
};

template <class Scalar>
[[nodiscard]] SchemePace<Scalar> post_pace() {
  return {};
}
template <class Scalar>
[[nodiscard]] SchemePace<Scalar> pre_pace() {
  return {.first = {.by_radius = true}};
}
template <class Scalar>
[[nodiscard]] SchemePace<Scalar> peri_pace() {
  return {.first = {.by_radius = true, .by_drift = true}};
}
template <class Scalar>
[[nodiscard]] SchemePace<Scalar> mix_pace(const Scalar& tau) {
  return {.switch_time = tau, .second = {.by_radius = true}};
}
template <class Scalar>
[[nodiscard]] SchemePace<Scalar> sqrt_pace() {
  return {.first = {.worth = [](const Scalar& t) -> Scalar {
                      using std::sqrt;
                      return 2 * t / (sqrt(1 + t) + 1);
                    },
                    .time = [](const Scalar& worth) -> Scalar { return worth + worth * worth / 4; }}};
}
/// nGPT from the integral of alpha from 0 to t and its inverse, for instance log(1+t) and expm1 for alpha = 1/(1+t).
template <class Scalar>
[[nodiscard]] SchemePace<Scalar> ngpt_pace(std::function<Scalar(const Scalar&)> integral_of_alpha,
                                           std::function<Scalar(const Scalar&)> inverse) {
  return {.first = {.by_drift = true, .worth = std::move(integral_of_alpha), .time = std::move(inverse)}};
}

/// The pace of a scheme as configured, time counted from 0. nGPT's alpha is integrated piece by piece to about 1e-14.
/// Throws core::InputError for schemes that need not separate, as `formula`: integrate EquiangularEquation instead.
[[nodiscard]] SchemePace<double> pace_of(const schemes::AnyScheme& scheme);

} // namespace normdyn::reduced
