#pragma once
// A positive quantity u(t) that decays: 1 - gamma of the reduction, the variance of tokens. Rates, fits and the choice
// of a law work on this view; it knows nothing of where the numbers come from.
//
// u is held as log u, which does not underflow. Near consensus give u as a sum of squared differences, never as 1 -
// cos, which floors at 1e-16.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace normdyn::analysis {

/// Positions stored in double resolve differences of 1e-16, so that squared ones floor near 1e-32; above 1e-28 two
/// digits are left.
inline constexpr double rounding_floor = 1e-28;

struct Decay {
  std::vector<double> times;           ///< increasing
  std::vector<double> log_values;      ///< log u; -infinity where u is 0
  std::vector<double> log_derivatives; ///< u'/u by `times`, exact from the right-hand side; empty if not at hand
  double floor = rounding_floor;       ///< below it u is rounding; 0 if u keeps its digits at any size (the reduction)
  std::string floor_name = "rounding"; ///< what u is below the floor, for refusals

  [[nodiscard]] std::size_t size() const { return times.size(); }
};

/// From u itself. Throws core::InputError unless times increase, values are >= 0, and sizes agree.
[[nodiscard]] Decay decay_of(std::span<const double> times, std::span<const double> values,
                             std::span<const double> log_derivatives = {}, double floor = rounding_floor);

/// The samples with begin <= t <= end.
[[nodiscard]] Decay window(const Decay& decay, double begin, double end);
/// The samples of index first ... last-1.
[[nodiscard]] Decay slice(const Decay& decay, std::size_t first, std::size_t last);

/// The same decay against another clock c(t), given at its times: times become c, u'/u becomes (u'/u)/c'. Samples must
/// increase in c; `rates` (c') are needed only where the decay has exact log-derivatives, which are dropped without.
/// Throws core::InputError if c does not increase or sizes differ.
[[nodiscard]] Decay against(const Decay& decay, std::span<const double> clock, std::span<const double> rates = {});
/// c = log t; all times > 0.
[[nodiscard]] Decay against_log_time(const Decay& decay);
/// c = sqrt(1 + t), the variable of sqrt scaling.
[[nodiscard]] Decay against_root_time(const Decay& decay);

/// d log u/dt at each sample: the exact log-derivatives where they are at hand, else the derivative of the polynomial
/// through the `stencil` nearest samples (fewer if there are fewer), of order stencil - 1 in their distance.
[[nodiscard]] std::vector<double> log_slopes(const Decay& decay, std::size_t stencil = 5);

} // namespace normdyn::analysis
