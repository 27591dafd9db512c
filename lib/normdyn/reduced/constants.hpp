#pragma once
// The exact constants of the terminal laws, from any start y_0 of the equiangular family:
//
//   Post-LN   u ~ K e^{-2t}                    sqrt   u ~ K e^{4 - 4 sqrt(1+t)}      nGPT   u ~ K_N e^{-2 int alpha}
//   Pre-LN    u ~ R_2 r_0^2/(t + D_Pre)^2      Peri-LN  the same R_2, D_Peri         Mix-LN  Pre-LN from (y(tau), r_0)
//
//   log R_2 = log u_0 - F(y_0)/n,   log K = log n - y_0 - F(y_0)/n,   log K_N = log n - y_0 + int_{y_0}^inf (N/n - 1)
//   dy D_Pre/r_0 = 1 - int rho (n-1) u/(2n) dy,    D_Peri/r_0 = 1 - int rho (n-1) u sigma/((E + (n-1) gamma + N) 2n) dy
//
// and gamma' ~ C e^{-2t}, C e^{-4 sqrt t}/sqrt t, C e^{-2 int alpha} alpha, C/t^3. R_2 is of the size exp(e^beta/beta
// n), so all constants are logarithms. For beta >= 0. Source: derived here; they are the constants that Theorem 4.1 of
// arXiv:2510.22026 leaves open.

#include "normdyn/reduced/closed_forms.hpp"
#include "normdyn/reduced/panels.hpp"

namespace normdyn::reduced {

/// log R_2: u r^2 -> R_2 r_0^2 where the radius moves.
template <class Scalar>
[[nodiscard]] Scalar log_power_constant(const Equiangular<Scalar>& family, const Scalar& y0) {
  return family.log_gap(y0) - excess(family, y0);
}

/// Lambda = (1/2) log R_2: how long the plateau lasts in Post-LN time, up to (1/2) log n.
template <class Scalar>
[[nodiscard]] Scalar plateau_exponent(const Equiangular<Scalar>& family, const Scalar& y0) {
  return log_power_constant(family, y0) / 2;
}

/// log K: u ~ K e^{-2 clock} under any scheme.
template <class Scalar>
[[nodiscard]] Scalar log_exponential_constant(const Equiangular<Scalar>& family, const Scalar& y0) {
  using std::log;
  return log(family.n()) - y0 - excess(family, y0);
}

/// Beyond this y all costs follow their terminal law up to factors 1 + O(e^{-(y - onset)}).
template <class Scalar>
[[nodiscard]] Scalar terminal_onset(const Equiangular<Scalar>& family) {
  using std::log;
  return log(family.n() * (1 + family.beta()));
}

/// log K_N: u ~ K_N e^{-2 int alpha} under nGPT.
template <class Scalar>
[[nodiscard]] Scalar log_drift_constant(const Equiangular<Scalar>& family, const Scalar& y0) {
  using std::expm1, std::log;
  // N/n - 1 from N^2 - n^2 = ((E-1) + sigma)^2 + (n-1) u sigma - n^2 = (E-1)(E-1+2 sigma) + n sigma - n^2,
  // where n - sigma = (n-1) u: nothing cancels near consensus.
  const auto surplus = [&](const Scalar& y) -> Scalar {
    using std::sqrt;
    const Position<Scalar> at = family.position(y);
    const Scalar grown = expm1(Scalar(family.beta() * at.gap));
    const Scalar& n = family.n();
    if (grown > n) { // far from consensus nothing cancels, but squares may overflow
      const Scalar forward = grown + at.sum, slope = sqrt((n - 1) * at.gap * at.sum) / forward;
      return forward * sqrt(1 + slope * slope) / n - 1;
    }
    const Scalar difference = grown * (grown + 2 * at.sum) - n * (n - 1) * at.gap;
    return difference / (n * (sqrt(n * n + difference) + n));
  };
  return log(family.n()) - y0 +
         tail_integral(surplus, y0, terminal_onset(family), Scalar(1), panel_width(family.beta()));
}

/// A time shift D = r_0 (1 - e^{log_scale} weight): for a long plateau far beyond the range of double.
template <class Scalar>
struct TimeShift {
  Scalar log_scale;                          ///< Lambda
  Scalar weight;                             ///< > 0, of order one
  [[nodiscard]] Scalar over_radius() const { ///< D/r_0
    using std::exp;
    return 1 - exp(log_scale) * weight;
  }
};

/// D of Pre-LN (by_drift false) or Peri-LN (true): u ~ R_2 r_0^2/(t + D)^2, r ~ t + D.
template <class Scalar>
[[nodiscard]] TimeShift<Scalar> time_shift(const Equiangular<Scalar>& family, const Scalar& y0, bool by_drift) {
  using std::exp, std::expm1, std::sqrt;
  // rho = sqrt(R_2/u) e^{F/2n}, so that rho u/sqrt(R_2) = sqrt(u) e^{F/2n} is at most of order one.
  const auto delay = [&](const Scalar& y) -> Scalar {
    const Position<Scalar> at = family.position(y);
    Scalar common = (family.n() - 1) / (2 * family.n()) * exp((family.log_gap(y) + excess(family, y)) / 2);
    if (!by_drift)
      return common;
    const Scalar forward = expm1(Scalar(family.beta() * at.gap)) + at.sum; // E + (n-1) gamma
    const Scalar slope = sqrt((family.n() - 1) * at.gap * at.sum) / forward;
    return common * at.sum / (forward * (1 + sqrt(1 + slope * slope)));
  };
  const Scalar half(Scalar(1) / 2);
  return {plateau_exponent(family, y0),
          tail_integral(delay, y0, terminal_onset(family), half, Scalar(panel_width(family.beta()) / 4))};
}

// log C of gamma' in the table of Theorem 4.1.

template <class Scalar>
[[nodiscard]] Scalar log_post_rate(const Equiangular<Scalar>& family, const Scalar& y0) { ///< C = 2 K
  using std::log;
  return log(Scalar(2)) + log_exponential_constant(family, y0);
}
template <class Scalar>
[[nodiscard]] Scalar log_sqrt_rate(const Equiangular<Scalar>& family, const Scalar& y0) { ///< C = 2 K e^4
  return log_post_rate(family, y0) + 4;
}
template <class Scalar>
[[nodiscard]] Scalar log_ngpt_rate(const Equiangular<Scalar>& family, const Scalar& y0) { ///< C = 2 K_N
  using std::log;
  return log(Scalar(2)) + log_drift_constant(family, y0);
}
template <class Scalar>
[[nodiscard]] Scalar log_radius_rate(const Equiangular<Scalar>& family, const Scalar& y0,
                                     const Scalar& r0) { ///< C = 2 R_2 r_0^2 of Pre-LN and Peri-LN
  using std::log;
  return log(Scalar(2)) + log_power_constant(family, y0) + 2 * log(r0);
}
template <class Scalar>
[[nodiscard]] Scalar log_mix_rate(const Equiangular<Scalar>& family, const Scalar& y0, const Scalar& r0,
                                  const Scalar& tau) { ///< C = 2 R_2(gamma_Post(tau)) r_0^2
  return log_radius_rate(family, log_ratio_at_clock(family, y0, tau), r0);
}

// First corrections to the laws: u = law (1 - coefficient u + O(u^2)).

template <class Scalar>
[[nodiscard]] Scalar exponential_correction(const Equiangular<Scalar>& family) { ///< Post-LN, sqrt scaling
  return (family.n() - 1 + family.beta()) / family.n();
}
template <class Scalar>
[[nodiscard]] Scalar drift_correction(const Equiangular<Scalar>& family) { ///< nGPT
  return (family.beta() + (family.n() - 1) / 2) / family.n();
}
template <class Scalar>
[[nodiscard]] Scalar radius_correction(const Equiangular<Scalar>& family) { ///< u r^2 of Pre-LN, Peri-LN
  return family.beta() / family.n();
}

} // namespace normdyn::reduced
