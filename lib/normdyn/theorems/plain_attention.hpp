#pragma once
// Attention by its definition, in a double loop: what claims predict with, apart from every kernel and every scheme.
//
//   A_j = (1/Z_j) sum_k e^{beta <theta_j, B theta_k>} V theta_k,   Z_j = sum_k e^{beta <theta_j, B theta_k>}
//
// with B = Q^T K; under a causal mask the sums go over k <= j.

#include "normdyn/attention/attention.hpp"

#include <span>
#include <vector>

namespace normdyn::theorems {

struct PlainWeights {
  const attention::Matrix* score = nullptr; ///< B; null: the identity
  const attention::Matrix* value = nullptr; ///< V; null: the identity
  attention::Mask mask = attention::Mask::full;
};

struct PlainAttention {
  std::vector<double> drift;         ///< A_j, n x d
  std::vector<double> log_partition; ///< log Z_j
  [[nodiscard]] std::span<const double> of(std::size_t j, std::size_t dim) const {
    return std::span(drift).subspan(j * dim, dim);
  }
};

/// For n x d unit rows `theta`.
[[nodiscard]] PlainAttention plain_attention(std::span<const double> theta, std::size_t dim, double beta,
                                             const PlainWeights& weights = {});

/// E = -(1/n^2) sum_{j,k} e^{beta (<theta_j, B theta_k> - 1)}, all pairs with j = k: the energy scaled so that it does
/// not overflow. For symmetric B its gradient is -(2 beta/n^2) e^{-beta} Z_j A_j with V = B.
[[nodiscard]] double scaled_energy(std::span<const double> theta, std::size_t dim, double beta,
                                   const attention::Matrix* score = nullptr);

} // namespace normdyn::theorems
