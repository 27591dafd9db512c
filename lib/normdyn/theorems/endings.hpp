#pragma once
// How a run of tokens ends: in consensus, at rest elsewhere, or still on its way.

#include "normdyn/theorems/follow.hpp"

#include <cstdint>
#include <vector>

namespace normdyn::theorems {

/// Consensus: all pairs closer than this angle (radians).
inline constexpr double consensus_angle = 1e-6;
/// At rest: at its present speed no token would move by more than this angle (radians) in as much time as has passed.
inline constexpr double resting_movement = 1e-8;

struct Ending {
  enum class Kind {
    consensus, ///< a ball of diameter consensus_angle holds all tokens
    at_rest,   ///< not in consensus, and stationary: an exception to convergence
    moving,    ///< at the end of the budget: not finished
    troubled,  ///< the dynamics are undefined here, or the step vanished
  };
  Kind kind = Kind::moving;
  double time = 0.0, clock = 0.0; ///< of the end
  double speed = 0.0;             ///< max_j |theta_j'| at the end
  /// 1 + E/(n^2 e^beta) at the end, E the energy: how far above the minimum, consensus; 0 there.
  double energy_gap = 0.0;
  /// The least r' of any token in the last half of the time, as means over steps; +infinity without radii.
  double least_radial_rate = 0.0;
  double least_radius = 0.0; ///< of any token at any time, over its radius at the start; 1 without radii
};

/// Integrates until consensus or until `end`. A plateau costs few steps; how many is bounded by the clock at the end.
[[nodiscard]] Ending run_to_end(const Subject& subject, double beta, double end,
                                const integrate::SolveOptions& options);

/// The energy gap of unit rows: 1 - mean_{j,k} e^{-beta u_jk}, u_jk = |theta_j - theta_k|^2/2.
[[nodiscard]] double energy_gap(std::span<const double> theta, std::size_t dim, double beta);

/// How many endings are of a kind.
[[nodiscard]] std::int64_t count(const std::vector<Ending>& endings, Ending::Kind kind);

} // namespace normdyn::theorems
