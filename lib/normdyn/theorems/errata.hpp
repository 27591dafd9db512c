#pragma once
// Errata that belong to more than one claim: what is printed must fail, what is corrected must hold.

#include "normdyn/theorems/evidence.hpp"
#include "normdyn/theorems/trial.hpp"

namespace normdyn::theorems {

/// theta_j' = -P grad_j E/(factor s_j Z_j): printed with factor 1, right with 2 beta. The gradient of E is taken by
/// differences. At beta = 1/2 the printed form is right by accident.
[[nodiscard]] Evidence energy_factor_erratum(const Trial& trial, double beta);

/// Theorem 4.3 (ii) for nGPT: printed with the scale alpha, right with 1/alpha. With a falling alpha = 1/(1+t) the two
/// differ; with alpha = 1 they do not.
[[nodiscard]] Evidence inverted_alpha_erratum(const Trial& trial, bool with_falling_alpha);

/// The printed condition of Theorem 4.3 (ii), delta < 1/(100 n^2 beta^2), admits delta = 5/2 and with it any pair at
/// beta = 1/100. `cosine` is that of a pair it admits: -1 has Var = 1 and Var' = 0. Under the corrected condition the
/// bounds hold.
[[nodiscard]] Evidence wide_cone_erratum(const Trial& trial, double cosine);

} // namespace normdyn::theorems
