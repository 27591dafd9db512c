#pragma once
#include "normdyn/analysis/decay.hpp"

namespace normdyn::analysis {

/// A power law of given p and D through a decay: log A is the mean of log u + p log(t + D), the residual its root mean
/// square deviation. Not finite unless all t + D > 0.
struct PowerLevel {
  double log_amplitude = 0.0, residual = 0.0;
};
[[nodiscard]] PowerLevel power_level(const Decay& decay, double exponent, double shift);

/// u/u', which is -(t + D)/p under a power law and constant under an exponential. For the stencil see
/// log_slopes.
[[nodiscard]] std::vector<double> inverse_slopes(const Decay& decay, std::size_t stencil = 5);

} // namespace normdyn::analysis
