#pragma once
// Rates of decays, each with a 95 % interval, or a refusal:
//
//   exponential   u = A e^{-k c}            the slope of log u against any clock c
//   stretched     u = A e^{-k sqrt(1+t)}    the same against sqrt(1+t)
//   power         u = A (t + D)^{-p}        the line u/u' = -(t + D)/p, which needs no D beforehand
//   power line    u = (R/(t + D))^p         p given: the line u^{-1/p} = (t + D)/R, so that -u' = C (t + D)^{-p-1} with
//                                           C = p R^p (2 R^2 for Pre-, Peri- and Mix-LN, where p = 2)
//
// A straight line through log u against log t is not among them: the shift D spoils its exponent by D/t.
//
// What the intervals mean. Two things keep a fit from its limit: noise, which Student's interval of least squares
// measures, and the approach to the law, which it does not. The window is therefore cut into two halves of equally many
// samples, and the interval is widened until it covers both estimates and as much again beyond the later one
// (covering_halves): 95 % for independent normal noise, and certain for a noiseless decay whose second half is twice as
// near to its law as the first. A window whose halves (the middle one too) disagree by more than FitOptions::settled is
// refused.

#include "normdyn/analysis/estimate.hpp"
#include "normdyn/analysis/refusal.hpp"

namespace normdyn::analysis {

/// u = e^{log_amplitude - rate c}; residual is the root mean square of log u minus the law, as for the other fits.
struct ExponentialFit {
  Estimate rate, log_amplitude;
  double residual = 0.0;
};
/// u = e^{log_amplitude} (t + shift)^{-exponent}
struct PowerFit {
  Estimate exponent, shift, log_amplitude;
  double residual = 0.0;
};
/// u = (scale/(t + shift))^exponent and -u' = constant (t + shift)^{-exponent-1}
struct PowerLineFit {
  double exponent = 2.0;
  Estimate scale, shift, constant;
  double residual = 0.0;
};

/// Against decay.times, whatever clock that is.
[[nodiscard]] Verdict<ExponentialFit> fit_exponential(const Decay& decay, const FitOptions& options = {});
/// Against sqrt(1+t): decay.times are times.
[[nodiscard]] Verdict<ExponentialFit> fit_stretched(const Decay& decay, const FitOptions& options = {});
/// Shift-free: from u/u', by exact log-derivatives or, without them, by five-point differences of log u; the intervals
/// of exponent and shift then cover what three points give, as a bound of the differences' error.
[[nodiscard]] Verdict<PowerFit> fit_power(const Decay& decay, const FitOptions& options = {});
/// With the exponent given.
[[nodiscard]] Verdict<PowerLineFit> fit_power_line(const Decay& decay, double exponent = 2.0,
                                                   const FitOptions& options = {});

} // namespace normdyn::analysis
