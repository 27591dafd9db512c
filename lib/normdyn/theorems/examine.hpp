#pragma once
// Runs a claim, at both tolerances if it integrates.

#include "normdyn/theorems/claim.hpp"

namespace normdyn::theorems {

struct Examination {
  const Claim* claim = nullptr;
  Findings findings; ///< of the pass at the usual tolerance; a verdict that changes with it is `unresolved`
  Verdict verdict = Verdict::recorded;
  double seconds = 0.0; ///< wall time
};

/// Throws Interrupted when `watch` asks to stop. What a claim throws otherwise becomes evidence that fails.
[[nodiscard]] Examination examine(const Claim& claim, std::uint64_t seed, const Laboratory& laboratory,
                                  const Watch& watch = {});
/// The negative control of a claim, at the usual tolerance.
[[nodiscard]] Examination examine_control(const Claim& claim, std::uint64_t seed, const Laboratory& laboratory,
                                          const Watch& watch = {});

} // namespace normdyn::theorems
