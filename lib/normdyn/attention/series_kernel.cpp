#include "normdyn/attention/series_kernel.hpp"

#include "normdyn/attention/lone_vectors.hpp"

#include <cmath>

namespace normdyn::attention {

void redo_if_lost(const SeriesProblem& problem, double floor, std::size_t dim, std::size_t query, double& total,
                  double* drift) {
  const std::size_t seen = problem.is_causal ? query + 1 : problem.n_tokens;
  if (total >= floor * static_cast<double>(seen))
    return;
  double sums[4];
  lone_sums(problem.tokens, seen, dim, problem.queries + (query - problem.first) * dim, problem.beta, sums);
  total = sums[dim];
  for (std::size_t c = 0; c < dim; ++c)
    drift[c] = problem.factor == 0.0 ? sums[c] / total : sums[c] * problem.factor;
}

void add_compensated(const double* terms, std::size_t count, double* sums, double* errors) {
  for (std::size_t i = 0; i < count; ++i) {
    const double sum = sums[i] + terms[i];
    errors[i] += std::abs(sums[i]) >= std::abs(terms[i]) ? (sums[i] - sum) + terms[i] : (terms[i] - sum) + sums[i];
    sums[i] = sum;
  }
}

} // namespace normdyn::attention
