#pragma once
// Sums of cost O(n) over pairs of unit tokens, as series in moments of all tokens (zonal_series.hpp).
//
//   E_jk = exp(beta <q_j, theta_k> - |beta|),  Z_j = sum_k E_jk,  N_j = sum_k E_jk theta_k
//
// The queries q_j are tokens, or tokens turned by a rotation or reflection (SeriesProblem::queries).
// Tokens whose Z_j is below the floor of the series are computed directly.

#include "normdyn/attention/zonal_series.hpp"

#include <cstddef>
#include <memory>

namespace normdyn::attention {

struct SeriesProblem {
  const double* tokens = nullptr;                 ///< n_tokens rows: the keys
  std::size_t n_tokens = 0, first = 0, count = 0; ///< the queries are the tokens first ... first + count - 1
  const double* queries = nullptr;                ///< count rows; under a mask the tokens themselves
  double beta = 0.0;
  bool is_causal = false;
  double factor = 0.0; ///< of N_j, for the drift; 0: 1 / Z_j
  int n_threads = 1;   ///< as many as may be used
};

struct SeriesOutput {
  double* drift = nullptr;  ///< count rows
  double* totals = nullptr; ///< Z_j; or none
};

/// Allocates nothing once it has seen its sizes and its largest |beta|. Results do not depend on n_threads; those of a
/// query depend on that query and the keys it sees alone, bit for bit.
class SeriesKernel {
 public:
  virtual ~SeriesKernel() = default;
  /// False if tokens are not unit vectors to rounding; the output means nothing then.
  [[nodiscard]] virtual bool evaluate(const SeriesProblem& problem, const SeriesOutput& out) = 0;
};

/// d = 2, both masks.
[[nodiscard]] std::unique_ptr<SeriesKernel> make_fourier_kernel();

/// d = 3, no mask; |beta| <= harmonics_largest_beta, beyond which rounding would leave little to the series.
[[nodiscard]] std::unique_ptr<SeriesKernel> make_harmonics_kernel();
inline constexpr double harmonics_largest_beta = 100.0;

/// The series that these kernels use.
[[nodiscard]] ZonalSeries fourier_series();
[[nodiscard]] ZonalSeries harmonics_series();

/// Computes the sums of token `query` directly if its `total` is below floor times the number of keys it sees.
void redo_if_lost(const SeriesProblem& problem, double floor, std::size_t dim, std::size_t query, double& total,
                  double* drift);

/// Adds `count` numbers to sums that carry their rounding errors along: the rounded sum is sums[i] + errors[i].
void add_compensated(const double* terms, std::size_t count, double* sums, double* errors);

} // namespace normdyn::attention
