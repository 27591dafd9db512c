#include "normdyn/experiment/score_bound.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace normdyn::experiment {
namespace {

double spectral_norm(const attention::Matrix& matrix) {
  const Eigen::MatrixXd gram = matrix.transpose() * matrix;
  return std::sqrt(std::max(
      0.0, Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff()));
}

attention::Matrix head_rows(const attention::Projection& projection, std::size_t head, std::size_t n_heads,
                            Eigen::Index dim) {
  const Eigen::Index all = projection.matrix ? projection.matrix->rows() : dim;
  const Eigen::Index rows = all / static_cast<Eigen::Index>(n_heads);
  const Eigen::Index first = static_cast<Eigen::Index>(head) * rows;
  if (projection.matrix)
    return projection.matrix->middleRows(first, rows);
  return attention::Matrix::Identity(dim, dim).middleRows(first, rows);
}

double bias_norm(const attention::Projection& projection, std::size_t head, std::size_t n_heads) {
  if (!projection.bias)
    return 0.0;
  const Eigen::Index rows = projection.bias->size() / static_cast<Eigen::Index>(n_heads);
  return projection.bias->segment(static_cast<Eigen::Index>(head) * rows, rows).norm();
}

double score_bound(const attention::Weights& weights, std::size_t dim) {
  if (weights.n_heads == 1 && weights.query.is_identity() && weights.key.is_identity())
    return 1.0;
  double bound = 0.0;
  for (std::size_t head = 0; head < weights.n_heads; ++head) {
    const attention::Matrix query = head_rows(weights.query, head, weights.n_heads, static_cast<Eigen::Index>(dim));
    const attention::Matrix key = head_rows(weights.key, head, weights.n_heads, static_cast<Eigen::Index>(dim));
    const double query_bias = bias_norm(weights.query, head, weights.n_heads);
    const double key_bias = bias_norm(weights.key, head, weights.n_heads);
    const double here = query_bias == 0.0 && key_bias == 0.0
                            ? spectral_norm(query.transpose() * key)
                            : (spectral_norm(query) + query_bias) * (spectral_norm(key) + key_bias);
    bound = std::max(bound, here);
  }
  return bound;
}

double largest_beta(const core::Schedule& beta, core::Interval piece) {
  constexpr int samples = 64;
  const core::Schedule here = beta.on(piece);
  double largest = 0.0;
  for (int i = 0; i <= (here.is_constant() ? 0 : samples); ++i)
    largest = std::max(largest, std::abs(here(piece.begin + piece.length() * i / samples)));
  return largest;
}

} // namespace

double largest_score(const Study& study) {
  std::vector<double> jumps = study.model.weights->breakpoints(study.time.span);
  const std::vector<double> beta_jumps = study.model.beta.breakpoints();
  jumps.insert(jumps.end(), beta_jumps.begin(), beta_jumps.end());
  double largest = 0.0;
  for (const core::Interval piece : core::pieces(study.time.span, core::inner_breakpoints(jumps, study.time.span)))
    largest = std::max(largest, largest_beta(study.model.beta, piece) *
                                    score_bound(study.model.weights->on(piece), study.initial.dim));
  return largest;
}

} // namespace normdyn::experiment
