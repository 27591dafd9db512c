#pragma once
// The equiangular motion at given times: what is tabulated, plotted, and compared with runs of tokens.

#include "normdyn/integrate/solve.hpp"
#include "normdyn/reduced/equiangular_equation.hpp"
#include "normdyn/reduced/stop_request.hpp"

#include <span>
#include <vector>

namespace normdyn::reduced {

struct EquiangularRow {
  double time = 0.0;
  double cosine = 0.0;    ///< gamma
  double gap = 0.0;       ///< u = 1 - gamma, to relative accuracy; 0 below about 1e-308
  double log_ratio = 0.0; ///< y, which never underflows
  double radius = 1.0;    ///< r; r(0) where the scheme carries none
  double clock = 0.0;
};

struct EquiangularTable {
  std::vector<EquiangularRow> rows; ///< those reached
  integrate::Outcome outcome;       ///< of the last stretch
};

/// Extrapolation at the edge of double precision: 1 - gamma to about 1e-13 (1 + |y|) relative.
[[nodiscard]] integrate::SolveOptions tight_options();

/// Rows at `times`, which increase and do not lie before `begin`, from a cosine at `begin`. The loop is started anew at
/// every row, so that no row is interpolated; with options.method = layers the times must fall on layers. `stop` is
/// asked after each step.
[[nodiscard]] EquiangularTable tabulate(const EquiangularEquation& equation, double cosine, double begin,
                                        std::span<const double> times,
                                        const integrate::SolveOptions& options = tight_options(),
                                        const StopRequest& stop = {});

} // namespace normdyn::reduced
