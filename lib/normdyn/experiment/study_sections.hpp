#pragma once
// The sections of a study, one reader each. Internal to this stage; read_study() calls them in an order that matters:
// what comes first defines the variables (n, d, then beta) that formulas in later sections may use.

#include "normdyn/core/settings.hpp"
#include "normdyn/experiment/study.hpp"

namespace normdyn::experiment {

/// [attention] and [weights]; needs study.initial and the begin of time. Defines beta.
void read_attention(Study& study, core::Settings& root);
/// [scheme].
void read_scheme(Study& study, core::Settings& root);
/// The rest of [time]: mode, end or layers and step.
void read_time(Study& study, core::Settings& time);
/// [solver]; refused key by key in layers mode, which has no solver.
void read_solver(Study& study, core::Settings& solver);
/// What is saved and watched; needs everything before it.
void read_output(Study& study, core::Settings& output, core::Settings& time);
/// Fixed steps land on jumps only if these are multiples of the step; unnormalized scores must not overflow.
void check_breakpoints(const Study& study, core::Settings& root);

} // namespace normdyn::experiment
