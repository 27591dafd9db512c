#include "normdyn/observables/gram.hpp"
#include "normdyn/observables/quantity.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace normdyn::observables {
namespace {

double effective_rank_of(const Frame& frame) {
  const Eigen::MatrixXd gram = smaller_gram(frame);
  if (!gram.allFinite())
    return undefined;
  const Eigen::VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  const double trace = gram.trace();
  double entropy = 0.0;
  for (const double value : eigenvalues)
    if (const double share = value / trace; share > 0.0) // rounding makes zeros slightly negative
      entropy -= share * std::log(share);
  return std::exp(entropy);
}

} // namespace

Quantity effective_rank(core::Settings&, const ObservableContext&) {
  return {
      .variables = {{.name = "effective_rank",
                     .long_name = "effective rank of the Gram matrix of the tokens",
                     .attributes = {{"definition", "exp(-sum_i p_i log p_i), p_i = lambda_i / sum lambda, lambda the "
                                                   "eigenvalues of (<theta_j, theta_k>)_jk (Roy and Vetterli 2007)"}}}},
      .measure = [](const Frame& frame, std::span<double> out) { out[0] = effective_rank_of(frame); }};
}

} // namespace normdyn::observables
