#pragma once
// Sums over pairs beside a series, compiled for each instruction set: one query against all its keys, for the few
// tokens that the series cannot serve, and the pairs within a block under a causal mask.
//
//   sum_k E_k theta_k,  sum_k E_k,  E_k = exp(beta <query, theta_k> - |beta|)
//
// Tokens are unit vectors of 2 or 3 components.

#include <cstddef>

namespace normdyn::attention {

/// One query: sums[c], c < dim, of the components, sums[dim] of the weights, over `count` tokens.
void lone_sums(const double* tokens, std::size_t count, std::size_t dim, const double* query, double beta,
               double* sums);

/// Keys of a block; query j of the block sees the keys 0 ... j.
struct NearKeys {
  const double* tokens;
  std::size_t count, dim;
  double beta;
};

/// `count` queries, a multiple of eight, of which the first is query `first` of the block. Queries beyond the last key
/// see all keys. Writes planes of `count` numbers, `stride` apart: components, weights. The sums of a query depend on
/// that query and the keys it sees alone, bit for bit.
void near_sums(const NearKeys& keys, const double* queries, std::size_t first, std::size_t count, double* sums,
               std::size_t stride);

} // namespace normdyn::attention
