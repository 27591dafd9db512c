#pragma once
// What the tests of the fast kernels share: arrangements of tokens, weights, sizes.

#include "naive_attention.hpp"

#include "normdyn/attention/simd.hpp"

#include <string>

namespace normdyn::attention::test {

struct EveryTarget {
  ~EveryTarget() { use_simd_target({}); }
};

/// Evaluation without entropy, which is what the fast kernels are for.
inline Evaluated fast(Attention& attention, const std::vector<double>& theta, std::size_t dim, double beta) {
  const std::size_t n = theta.size() / dim;
  Evaluated all{
      std::vector<double>(theta.size()), std::vector<double>(n), std::vector<double>(n * attention.n_heads()), {}};
  const Tokens tokens{theta, dim, 0};
  attention.evaluate(tokens, tokens, beta, {all.drift, all.magnitude, all.log_partition});
  return all;
}

enum class Arrangement { random, clustered, nearly_merged, isolated };

/// Two clusters of width 0.1; all within 1e-7; all within 0.05 of one place but one, opposite.
inline std::vector<double> arranged(Arrangement arrangement, std::size_t n, std::size_t dim) {
  std::vector<double> theta = random_tokens(n, dim);
  if (arrangement == Arrangement::random)
    return theta;
  const std::vector<double> centers = random_tokens(2, dim, 77);
  for (std::size_t j = 0; j < n; ++j) {
    const bool is_isolated = arrangement == Arrangement::isolated && j == n / 3;
    const double width = arrangement == Arrangement::clustered       ? 0.1
                         : arrangement == Arrangement::nearly_merged ? 1e-7
                         : is_isolated                               ? 0.0
                                                                     : 0.05;
    const double* center = centers.data() + (arrangement == Arrangement::clustered && j % 2 == 1 ? dim : 0);
    double square = 0.0;
    for (std::size_t c = 0; c < dim; ++c) {
      theta[j * dim + c] = (is_isolated ? -1.0 : 1.0) * center[c] + width * theta[j * dim + c];
      square += theta[j * dim + c] * theta[j * dim + c];
    }
    for (std::size_t c = 0; c < dim; ++c)
      theta[j * dim + c] /= std::sqrt(square);
  }
  return theta;
}

inline Weights general_weights(std::size_t heads, std::size_t dim, std::size_t head_dim) {
  const std::size_t total = heads * head_dim;
  Weights weights{.n_heads = heads};
  weights.query = {random_matrix(total, dim, 1), random_bias(total, 5)};
  weights.key = {random_matrix(total, dim, 2), random_bias(total, 6)};
  weights.value = {random_matrix(total, dim, 3), random_bias(total, 7)};
  weights.output = {random_matrix(dim, total, 4), random_bias(dim, 8)};
  return weights;
}

struct Size {
  std::string kernel;
  std::size_t n, dim;
};

inline const std::vector<Size> sizes = {
    {"small_d", 1, 1},   {"small_d", 2, 2},  {"small_d", 7, 3},   {"small_d", 8, 2},  {"small_d", 33, 3},
    {"small_d", 64, 4},  {"small_d", 50, 5}, {"small_d", 131, 3}, {"small_d", 41, 8}, {"small_d", 70, 12},
    {"small_d", 300, 2}, {"tiles", 1, 20},   {"tiles", 2, 3},     {"tiles", 31, 13},  {"tiles", 32, 32},
    {"tiles", 95, 37},   {"tiles", 96, 8},   {"tiles", 97, 100},  {"tiles", 200, 33}, {"tiles", 330, 17}};

} // namespace normdyn::attention::test
