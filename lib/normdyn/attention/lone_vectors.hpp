#pragma once
// One query against all its keys, compiled for each instruction set: for the few tokens that a series cannot serve.

#include <cstddef>

namespace normdyn::attention {

/// sums[c] = sum_k E_k theta_k[c] for c < dim, sums[dim] = sum_k E_k, E_k = exp(beta <query, theta_k> - |beta|), over
/// `count` unit tokens of `dim` = 2 or 3 components.
void lone_sums(const double* tokens, std::size_t count, std::size_t dim, const double* query, double beta,
               double* sums);

} // namespace normdyn::attention
