#pragma once
// The smaller of the two Gram matrices of the tokens: Theta Theta^T (n x n) or Theta^T Theta (d x d). They have the
// same nonzero eigenvalues, trace and Frobenius norm.

#include "normdyn/observables/frame.hpp"

namespace normdyn::observables {

[[nodiscard]] inline Eigen::MatrixXd smaller_gram(const Frame& frame) {
  const auto n = static_cast<Eigen::Index>(frame.n_tokens), d = static_cast<Eigen::Index>(frame.dim);
  const geometry::ConstTokenMap theta(frame.theta.data(), n, d);
  return n < d ? Eigen::MatrixXd(theta * theta.transpose()) : Eigen::MatrixXd(theta.transpose() * theta);
}

} // namespace normdyn::observables
