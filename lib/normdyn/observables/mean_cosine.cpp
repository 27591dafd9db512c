#include "normdyn/observables/centered.hpp"
#include "normdyn/observables/quantity.hpp"

namespace normdyn::observables {
namespace {

// sum_{j != k} <theta_j, theta_k> = |sum_j theta_j|^2 - sum_j |theta_j|^2 = n (n - 1) - n^2 Var: no pass over pairs.
double mean_cosine_of(const Frame& frame) {
  if (frame.n_tokens < 2)
    return undefined;
  const double n = static_cast<double>(frame.n_tokens);
  if (const double variance = center(frame.theta, frame.dim).variance; variance < 0.5)
    return 1.0 - variance * n / (n - 1.0);
  const geometry::ConstTokenMap theta(frame.theta.data(), static_cast<Eigen::Index>(frame.n_tokens),
                                      static_cast<Eigen::Index>(frame.dim));
  return (theta.colwise().sum().squaredNorm() - theta.squaredNorm()) / (n * (n - 1.0));
}

} // namespace

Quantity mean_cosine(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "mean_cosine", .long_name = "mean of <theta_j, theta_k> over pairs j != k"}},
          .measure = [](const Frame& frame, std::span<double> out) { out[0] = mean_cosine_of(frame); }};
}

} // namespace normdyn::observables
