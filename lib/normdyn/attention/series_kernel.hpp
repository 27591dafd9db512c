#pragma once
// Sums of cost O(n) over pairs of unit tokens, as series in moments of the tokens (zonal_series.hpp).
//
//   E_jk = exp(beta <q_j, theta_k> - |beta|),  Z_j = sum_k E_jk,  N_j = sum_k E_jk theta_k
//
// The queries q_j are tokens, or tokens turned by a rotation or reflection (SeriesProblem::queries). Under a causal
// mask tokens come in blocks: the series sums what they see of earlier blocks, and pairs of the same block are summed
// one by one. Tokens whose Z_j is too small for the series are computed directly.

#include "normdyn/attention/series_basis.hpp"
#include "normdyn/geometry/state.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace normdyn::attention {

struct SeriesProblem {
  const double* tokens = nullptr;                 ///< n_tokens rows: the keys
  std::size_t n_tokens = 0, first = 0, count = 0; ///< the queries are the tokens first ... first + count - 1
  const double* queries = nullptr;                ///< count rows
  double beta = 0.0;
  bool is_causal = false;
  double factor = 0.0; ///< of N_j, for the drift; 0: 1 / Z_j
  int n_threads = 1;   ///< as many as may be used
};

struct SeriesOutput {
  double* drift = nullptr;  ///< count rows
  double* totals = nullptr; ///< Z_j; or none
};

/// Allocates nothing once it has seen its sizes, whatever beta does. Results do not depend on n_threads; those of a
/// query depend on that query and the keys it sees alone, bit for bit.
class SeriesKernel final {
 public:
  explicit SeriesKernel(std::unique_ptr<SeriesBasis> basis) : basis_(std::move(basis)) {}

  /// False if tokens are not unit vectors to rounding; the output means nothing then.
  [[nodiscard]] bool evaluate(const SeriesProblem& problem, const SeriesOutput& out);

 private:
  struct Work { // of one thread
    double *basis, *part, *errors, *coefficients, *near, *totals;
  };
  void set_sizes(const SeriesProblem& problem);
  [[nodiscard]] Work work(int thread);
  [[nodiscard]] double* row(std::size_t index) { return rows_.data() + index * row_; }
  [[nodiscard]] bool gather(const double* tokens, std::size_t count, const Work& own, double* moments) const;
  bool gather_rows(const SeriesProblem& problem, std::size_t first, std::size_t n_rows, std::size_t n_seen);
  bool evaluate_full(const SeriesProblem& problem, const SeriesOutput& out);
  bool evaluate_causal(const SeriesProblem& problem, const SeriesOutput& out);
  void sum_before(std::size_t n_rows);
  void write_block(const SeriesProblem& problem, std::size_t block, const double* coefficients, double least,
                   const Work& own, const SeriesOutput& out) const;
  double write_vectors(const SeriesProblem& problem, std::size_t block, std::size_t begin, std::size_t count,
                       const double* queries, const double* coefficients, const Work& own, SeriesRows rows) const;

  std::unique_ptr<SeriesBasis> basis_;
  SeriesBasis::Sizes sizes_;
  std::size_t row_ = 0;   ///< length of a row of moments, aligned
  std::size_t block_ = 0; ///< queries dealt with at once; under a mask, tokens between known moments
  std::size_t run_ = 0;   ///< tokens with moments of their own: a block, or without a mask more
  int n_threads_ = 1;
  geometry::State work_; ///< of each thread
  geometry::State rows_; ///< moments of runs of tokens
  geometry::State sums_; ///< moments of all runs so far, then their rounding errors
  geometry::State coefficients_;
  std::size_t work_stride_ = 0;
  std::vector<char> is_unit_;
};

} // namespace normdyn::attention
