#pragma once
// The six schemes of the paper's Table 2, for claims that hold for all of them.

#include "normdyn/schemes/registry.hpp"

#include <vector>

namespace normdyn::theorems {

/// post_ln, pre_ln, mix_ln (switch at tau), peri_ln, ngpt (constant alpha), sqrt_scaling.
[[nodiscard]] std::vector<schemes::AnyScheme> table_schemes(double tau = 3.0, double alpha = 1.0);

} // namespace normdyn::theorems
