#pragma once
// Errata that belong to more than one claim: what is printed must fail, what is corrected must hold.

#include "normdyn/theorems/evidence.hpp"
#include "normdyn/theorems/trial.hpp"

namespace normdyn::theorems {

/// theta_j' = -P grad_j E/(factor s_j Z_j): printed with factor 1, right with 2 beta. The gradient of E is taken by
/// differences. At beta = 1/2 the printed form is right by accident.
[[nodiscard]] Evidence energy_factor_erratum(const Trial& trial, double beta);

} // namespace normdyn::theorems
