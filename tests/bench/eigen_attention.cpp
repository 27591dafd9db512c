#include "eigen_attention.hpp"

#include <Eigen/Core>

#include <algorithm>

namespace normdyn::bench {
namespace {

using Columns = Eigen::Map<const Eigen::MatrixXd>; // d x n: a token is a column

} // namespace

void eigen_attention(const double* theta, std::size_t n_tokens, std::size_t dim, double beta, double* drift) {
  const auto d = static_cast<Eigen::Index>(dim), n = static_cast<Eigen::Index>(n_tokens);
  const Columns tokens(theta, d, n);
  Eigen::Map<Eigen::MatrixXd> out(drift, d, n);
  static Eigen::MatrixXd weights;
  weights.noalias() = tokens.transpose() * tokens;
  weights = (beta * (weights.array() - 1.0)).exp();
  const Eigen::RowVectorXd totals = weights.colwise().sum();
  out.noalias() = tokens * weights;
  out.array().rowwise() /= totals.array();
}

void eigen_symmetric_attention(const double* theta, std::size_t n_tokens, std::size_t dim, double beta, double* drift) {
  constexpr Eigen::Index block = 96;
  const auto d = static_cast<Eigen::Index>(dim), n = static_cast<Eigen::Index>(n_tokens);
  const Columns tokens(theta, d, n);
  Eigen::Map<Eigen::MatrixXd> out(drift, d, n);
  static Eigen::MatrixXd weights;
  static Eigen::VectorXd totals;
  out.setZero();
  totals.setZero(n);
  for (Eigen::Index i = 0; i < n; i += block)
    for (Eigen::Index j = i; j < n; j += block) {
      const Eigen::Index rows = std::min(block, n - i), columns = std::min(block, n - j);
      weights.resize(rows, columns);
      weights.noalias() = tokens.middleCols(i, rows).transpose() * tokens.middleCols(j, columns);
      weights = (beta * (weights.array() - 1.0)).exp();
      out.middleCols(j, columns).noalias() += tokens.middleCols(i, rows) * weights;
      totals.segment(j, columns) += weights.colwise().sum().transpose();
      if (i == j)
        continue;
      out.middleCols(i, rows).noalias() += tokens.middleCols(j, columns) * weights.transpose();
      totals.segment(i, rows) += weights.rowwise().sum();
    }
  out.array().rowwise() /= totals.transpose().array();
}

} // namespace normdyn::bench
