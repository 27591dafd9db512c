#pragma once
// The decay of u = 1 - gamma along a table, for the rates of analysis/.

#include "normdyn/analysis/decay.hpp"
#include "normdyn/reduced/table.hpp"

namespace normdyn::reduced {

/// What the right-hand side says at the rows of a table; at a time where it jumps (Mix-LN's tau), the rates before it.
struct EquiangularRowRates {
  std::vector<double> log_gap; ///< u'/u = -(sigma/n) y' = -(2/s) sigma/Z
  std::vector<double> radius;  ///< r'
  std::vector<double> clock;   ///< 1/s
};
[[nodiscard]] EquiangularRowRates rates_at(const EquiangularEquation& equation, std::span<const EquiangularRow> rows);

/// log u of the rows with exact log-derivatives and no floor, since y keeps all digits of u. A table made by layers
/// obeys no differential equation: take with_rates = false.
[[nodiscard]] analysis::Decay decay(const EquiangularEquation& equation, std::span<const EquiangularRow> rows,
                                    bool with_rates = true);

} // namespace normdyn::reduced
