#pragma once
// Whole runs: time to reach a given error, by our methods and by peers with the same right-hand side.

#include "row.hpp"

#include "normdyn/geometry/state.hpp"

#include <string>
#include <vector>

namespace normdyn::bench {

/// Post-LN, Q = K = V = I, from uniform tokens.
struct Problem {
  std::string name;
  std::size_t n_tokens, dim;
  double beta, end;
  int n_threads;
  geometry::State start{}, reference{}; ///< theta(0); theta(end) by extrapolation at the edge of double precision
};

[[nodiscard]] Problem make_problem(std::string name, std::size_t n_tokens, std::size_t dim, double beta, double end,
                                   int n_threads);

struct WorkPoint {
  double tolerance, error, seconds; ///< error: largest |theta_i - reference_i|
  long evaluations;
};
struct WorkSeries {
  std::string method;
  std::vector<WorkPoint> points; ///< in the order of falling tolerance
};

[[nodiscard]] WorkSeries run_normdyn(const Problem& problem, const std::string& method, int repetitions);
[[nodiscard]] WorkSeries run_cvode_adams(const Problem& problem, int repetitions);
[[nodiscard]] WorkSeries run_arkode(const Problem& problem, int repetitions);
/// `solver` of scipy.integrate.solve_ivp, by the script scipy_peer.py; its right-hand side is NumPy. No points if there
/// is no SciPy.
[[nodiscard]] WorkSeries run_scipy(const Problem& problem, const std::string& solver);

/// Seconds to an error, by interpolation in logarithms along the best points; NaN if the series does not reach it.
[[nodiscard]] double seconds_to(const WorkSeries& series, double error);
[[nodiscard]] double evaluations_to(const WorkSeries& series, double error);

/// All of it as rows, and the series for the JSON file.
[[nodiscard]] Rows work_precision_rows(int repetitions, std::vector<std::pair<std::string, WorkSeries>>& series);

} // namespace normdyn::bench
