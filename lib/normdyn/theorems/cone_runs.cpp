#include "normdyn/theorems/cone_runs.hpp"

#include "normdyn/theorems/follow.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {

double admitted_delta(std::size_t n_tokens, double beta) {
  const double n = static_cast<double>(n_tokens);
  return 0.9 / (100.0 * n * n * std::max(1.0, beta * beta));
}

Subject cone_subject(const Trial& trial, const schemes::AnyScheme& scheme, const ConeStart& start) {
  attention::Weights weights; // Q^T K = Q^T, of norm 1
  weights.query.matrix = random_matrix(start.dim, 1.0, core::Purpose::query_weights, trial.seed(), start.member);
  const auto size = static_cast<Eigen::Index>(start.dim);
  if (start.value != 1.0)
    weights.value.matrix = start.value * attention::Matrix::Identity(size, size);
  return trial.laboratory().prepare(
      {.scheme = scheme, .weights = fixed_weights(std::move(weights)), .beta = start.beta},
      cone_cloud(start.n_tokens, start.dim, start.delta, trial.seed(), start.member, start.radius));
}

std::vector<double> log_variances(const Trial& trial, const Subject& subject, const std::vector<double>& times,
                                  double floor) {
  std::vector<double> found;
  integrate::SolveOptions options = trial.options(1e-7, integrate::ErrorScale::spread);
  options.max_steps = 50'000; // wrong dynamics may be stiff
  follow(subject, {0.0, times.back()}, options, {.times = times}, [&](const observables::Frame& frame) {
    const double now = variance(frame.theta, frame.dim);
    if (now >= floor)
      found.push_back(std::log(now));
    return now < floor;
  });
  return found;
}

std::vector<double> decay_ratios(const std::vector<double>& log_variance, const std::vector<double>& clock) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k + 1 < log_variance.size(); ++k)
    ratios.push_back((log_variance[k] - log_variance[k + 1]) / (clock[k + 1] - clock[k]));
  return ratios;
}

} // namespace normdyn::theorems
