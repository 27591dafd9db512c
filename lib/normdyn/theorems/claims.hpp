#pragma once
// The makers of claims, each in the file of its name.

#include "normdyn/theorems/claim.hpp"

namespace normdyn::theorems {

[[nodiscard]] Claim layer_maps();               // NA-0
[[nodiscard]] Claim unit_norm_and_speed();      // NA-1
[[nodiscard]] Claim energy_descent();           // NA-2
[[nodiscard]] Claim time_change();              // NA-3
[[nodiscard]] Claim consensus();                // NA-4
[[nodiscard]] Claim consensus_with_radii();     // NA-5
[[nodiscard]] Claim radial_bound();             // NA-6a
[[nodiscard]] Claim consensus_of_few_tokens();  // NA-6b
[[nodiscard]] Claim lemmas_of_convergence();    // NA-7
[[nodiscard]] Claim initial_velocity();         // NA-8
[[nodiscard]] Claim terminal_laws();            // NA-9
[[nodiscard]] Claim causal_exponents();         // NA-9c
[[nodiscard]] Claim symmetric_figure();         // NA-10
[[nodiscard]] Claim initial_drift();            // NA-11
[[nodiscard]] Claim radial_growth();            // NA-12
[[nodiscard]] Claim variance_decay();           // NA-13
[[nodiscard]] Claim random_weights();           // NA-14
[[nodiscard]] Claim errata_of_the_paper();      // NA-15
[[nodiscard]] Claim power_family();             // NA-16
[[nodiscard]] Claim one_curve();                // NA-17
[[nodiscard]] Claim votes_of_a_massive_token(); // NA-18

} // namespace normdyn::theorems
