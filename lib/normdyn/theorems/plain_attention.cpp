#include "normdyn/theorems/plain_attention.hpp"

#include "normdyn/geometry/state.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

using Rows = geometry::TokenMatrix;

Rows rows_of(std::span<const double> theta, std::size_t dim) {
  return geometry::ConstTokenMap(theta.data(), static_cast<Eigen::Index>(theta.size() / dim),
                                 static_cast<Eigen::Index>(dim));
}

// Row j of B theta_k: theta B^T.
Rows applied(const Rows& tokens, const attention::Matrix* matrix) {
  return matrix ? Rows(tokens * matrix->transpose()) : tokens;
}

} // namespace

PlainAttention plain_attention(std::span<const double> theta, std::size_t dim, double beta,
                               const PlainWeights& weights) {
  const Rows tokens = rows_of(theta, dim), keys = applied(tokens, weights.score),
             values = applied(tokens, weights.value);
  const Eigen::Index n = tokens.rows();
  PlainAttention result{std::vector<double>(theta.size()), std::vector<double>(static_cast<std::size_t>(n))};
  geometry::TokenMap drift(result.drift.data(), n, tokens.cols());
  for (Eigen::Index j = 0; j < n; ++j) {
    const Eigen::Index seen = weights.mask == attention::Mask::causal ? j + 1 : n;
    Eigen::VectorXd score(seen);
    for (Eigen::Index k = 0; k < seen; ++k)
      score[k] = beta * tokens.row(j).dot(keys.row(k));
    const double largest = score.maxCoeff();
    double partition = 0.0;
    drift.row(j).setZero();
    for (Eigen::Index k = 0; k < seen; ++k) {
      const double weight = std::exp(score[k] - largest);
      partition += weight;
      drift.row(j) += weight * values.row(k);
    }
    drift.row(j) /= partition;
    result.log_partition[static_cast<std::size_t>(j)] = largest + std::log(partition);
  }
  return result;
}

double scaled_energy(std::span<const double> theta, std::size_t dim, double beta, const attention::Matrix* score) {
  const Rows tokens = rows_of(theta, dim), keys = applied(tokens, score);
  const Eigen::Index n = tokens.rows();
  double total = 0.0;
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index k = 0; k < n; ++k)
      total += std::exp(beta * (tokens.row(j).dot(keys.row(k)) - 1.0));
  return -total / static_cast<double>(n * n);
}

} // namespace normdyn::theorems
