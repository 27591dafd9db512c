#pragma once
// The table of a case, as columns: what is printed, and written to CSV and HDF5. Names are those of a run file where
// they mean the same.

#include "reduced_case.hpp"

#include "normdyn/analysis/decay.hpp"
#include "normdyn/integrate/outcome.hpp"
#include "normdyn/reduced/stop_request.hpp"

#include <string>
#include <vector>

namespace normdyn::cli {

struct ReducedColumn {
  std::string name, long_name;
  std::vector<double> values;
  std::vector<std::string> texts; ///< with the digits asked for; as many digits as the double has without
};

struct ReducedTable {
  std::vector<ReducedColumn> columns;
  integrate::Outcome outcome;
  analysis::Decay decay;              ///< of the gap, with exact log-derivatives for a flow
  std::vector<double> radius{};       ///< of the rows
  std::vector<double> radius_rates{}; ///< empty where the radius does not grow, and for layers
  [[nodiscard]] std::size_t n_rows() const { return columns.front().values.size(); }
};

/// By the equation of motion, or the layer map, in double precision. `stop` ends it with the rows that are done.
[[nodiscard]] ReducedTable integrated_table(const ReducedCase& one, const reduced::StopRequest& stop = {});
/// By quadrature, each number with so many significant digits.
[[nodiscard]] ReducedTable digits_table(const ReducedCase& one, const reduced::DigitsModel& model, int digits,
                                        const reduced::StopRequest& stop = {});

} // namespace normdyn::cli
