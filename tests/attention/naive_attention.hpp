#pragma once
// The oracle of these tests: the formulas of attention.hpp as plain loops in long double, one weight at a time.

#include "normdyn/attention/attention.hpp"
#include "normdyn/core/random.hpp"

#include <cmath>
#include <vector>

namespace normdyn::attention::test {

using Real = long double;
using Rows = std::vector<std::vector<Real>>;

inline std::vector<Real> project(const Projection& map, const std::vector<Real>& x) {
  const std::size_t size = map.matrix ? static_cast<std::size_t>(map.matrix->rows()) : x.size();
  std::vector<Real> y(size, 0.0L);
  for (std::size_t i = 0; i < size; ++i) {
    if (map.matrix)
      for (std::size_t c = 0; c < x.size(); ++c)
        y[i] += static_cast<Real>((*map.matrix)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c))) * x[c];
    else
      y[i] = x[i];
    if (map.bias)
      y[i] += static_cast<Real>((*map.bias)[static_cast<Eigen::Index>(i)]);
  }
  return y;
}

struct NaiveResult {
  Rows drift, log_partition, entropy; // [token][component], [head][token], [0][token]
};

inline NaiveResult naive_attention(const AttentionOptions& options, const Weights& weights,
                                   const std::vector<double>& theta, std::size_t dim, double beta) {
  const std::size_t n = theta.size() / dim, heads = weights.n_heads;
  Rows query, key, value;
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<Real> x(theta.begin() + static_cast<std::ptrdiff_t>(j * dim),
                              theta.begin() + static_cast<std::ptrdiff_t>((j + 1) * dim));
    query.push_back(project(weights.query, x));
    key.push_back(project(weights.key, x));
    value.push_back(project(weights.value, x));
  }
  NaiveResult result{{}, Rows(heads, std::vector<Real>(n)), Rows(1, std::vector<Real>(n, 0.0L))};
  const std::size_t head_dim = query[0].size() / heads, value_dim = value[0].size() / heads;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Real> joined(value[0].size(), 0.0L);
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t seen = options.mask == Mask::causal ? j + 1 : n;
      std::vector<Real> score(seen, 0.0L);
      for (std::size_t k = 0; k < seen; ++k)
        for (std::size_t i = h * head_dim; i < (h + 1) * head_dim; ++i)
          score[k] += static_cast<Real>(beta) * query[j][i] * key[k][i];
      Real largest = score[0], total = 0.0L;
      for (const Real s : score)
        largest = std::max(largest, s);
      for (const Real s : score)
        total += std::exp(s - largest);
      const Real log_partition = largest + std::log(total);
      result.log_partition[h][j] = log_partition;
      for (std::size_t k = 0; k < seen; ++k) {
        const Real w = std::exp(score[k] - log_partition);
        result.entropy[0][j] -= w * (score[k] - log_partition) / static_cast<Real>(heads);
        const Real used =
            options.normalization == Normalization::softmax ? w : std::exp(score[k]) / static_cast<Real>(n);
        for (std::size_t i = h * value_dim; i < (h + 1) * value_dim; ++i)
          joined[i] += used * value[k][i];
      }
    }
    result.drift.push_back(project(weights.output, joined));
  }
  return result;
}

/// Unit tokens, uniform on the sphere.
inline std::vector<double> random_tokens(std::size_t n, std::size_t dim, std::uint64_t seed = 5) {
  std::vector<double> theta;
  for (std::size_t j = 0; j < n; ++j) {
    core::RandomStream stream(seed, core::Purpose::token_direction, 0, j);
    double square = 0.0;
    for (std::size_t c = 0; c < dim; ++c) {
      theta.push_back(stream.normal());
      square += theta.back() * theta.back();
    }
    for (std::size_t c = 0; c < dim; ++c)
      theta[j * dim + c] /= std::sqrt(square);
  }
  return theta;
}

inline Matrix random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Matrix matrix(rows, columns);
  core::RandomStream stream(seed, core::Purpose::query_weights, 0, 0);
  for (Eigen::Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = stream.normal() / std::sqrt(static_cast<double>(columns));
  return matrix;
}

inline Eigen::VectorXd random_bias(std::size_t size, std::uint64_t seed) {
  return random_matrix(size, 1, seed).col(0) * 0.1;
}

struct Evaluated {
  std::vector<double> drift, magnitude, log_partition, entropy;
};

inline Evaluated evaluated(Attention& attention, const std::vector<double>& theta, std::size_t dim, double beta) {
  const std::size_t n = theta.size() / dim;
  Evaluated all{std::vector<double>(theta.size()), std::vector<double>(n), std::vector<double>(n * attention.n_heads()),
                std::vector<double>(n)};
  const Tokens tokens{theta, dim, 0};
  attention.evaluate(tokens, tokens, beta, {all.drift, all.magnitude, all.log_partition, all.entropy});
  return all;
}

} // namespace normdyn::attention::test
