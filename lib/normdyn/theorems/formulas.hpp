#pragma once
// Schemes of formulas, for claims about schemes that have no name.

#include "normdyn/schemes/formula_scheme.hpp"

#include <string>

namespace normdyn::theorems {

/// theta' = P A / speed_factor, and r' = radial_rate unless that is empty. Formulas in r, A_r, norm_A, A_t, t.
[[nodiscard]] schemes::FormulaScheme formula_scheme(const std::string& speed_factor,
                                                    const std::string& radial_rate = {});

} // namespace normdyn::theorems
