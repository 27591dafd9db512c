#pragma once
// How fast a decay falls at each sample, by its exact log-derivative where that is at hand:
//
//   local rate      d log u/dc      against any clock c (decay.hpp: against)      -> -k under u ~ e^{-k c}
//   local exponent  d log u/d log t                                              -> -p under u ~ t^{-p}
//
// and the last time at which it is still away from its limit.

#include "normdyn/analysis/decay.hpp"

#include <optional>

namespace normdyn::analysis {

/// d log u/dt: log_slopes under the name of what it is.
[[nodiscard]] inline std::vector<double> local_rates(const Decay& decay) {
  return log_slopes(decay);
}
/// t u'/u. Approaches -p like 1 - D/t under u ~ (t + D)^{-p}: for |D| in the tens it is off by more than a percent
/// until thousands, which is what the shift-free fits avoid (decay_fits.hpp).
[[nodiscard]] std::vector<double> local_exponents(const Decay& decay);

/// d log u/d log r for a radius that grows: the exponent against r itself, which needs no shift. Exact if both `radius`
/// has its `radius_rates` (r') and the decay its log-derivatives. Throws core::InputError unless radii are > 0 and
/// increase.
[[nodiscard]] std::vector<double> exponents_by_radius(const Decay& decay, std::span<const double> radius,
                                                      std::span<const double> radius_rates = {});

/// The last index at which a local rate is off `limit` by more than the relative `tolerance`; none if it never is.
[[nodiscard]] std::optional<std::size_t> last_deviation(std::span<const double> rates, double limit, double tolerance);

} // namespace normdyn::analysis
