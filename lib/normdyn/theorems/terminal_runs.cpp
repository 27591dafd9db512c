#include "normdyn/theorems/terminal_runs.hpp"

#include "normdyn/reduced/quadrature.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

double largest_deviation(const std::vector<double>& measured, const std::vector<double>& due) {
  if (measured.size() != due.size())
    return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (std::size_t k = 0; k < due.size(); ++k)
    worst = std::max(worst, std::abs(measured[k] / due[k] - 1.0));
  return worst;
}

// The mean of |theta_j - theta_k|^2 / 2 over pairs, n Var/(n-1).
double mean_gap(std::span<const double> theta, std::size_t dim) {
  const auto n = static_cast<double>(theta.size() / dim);
  return n / (n - 1.0) * variance(theta, dim);
}

} // namespace

double TerminalRun::deviation() const {
  return largest_deviation(gap, due_gap);
}
double TerminalRun::radius_deviation() const {
  return largest_deviation(radius, due_radius);
}

std::vector<double> falling_gaps(double first, double last, std::size_t count) {
  std::vector<double> gaps = integrate::log_grid(last, first, static_cast<std::int64_t>(count));
  std::reverse(gaps.begin(), gaps.end());
  return gaps;
}

TerminalRun terminal_run(const Trial& trial, const TableRow& scheme, const OrthogonalStart& start,
                         const std::vector<double>& gaps, attention::Mask mask) {
  const reduced::Equiangular<double> family(start.n_tokens, start.beta);
  const reduced::EquiangularQuadrature<double> exact_motion(
      reduced::EquiangularCurve<double>(family, family.log_ratio(0.0), start.radius), scheme.pace);
  TerminalRun run;
  for (const double u : gaps)
    run.times.push_back(exact_motion.time(family.log_ratio_of_gap(u)));
  for (const auto& point : exact_motion.at(run.times)) {
    run.due_gap.push_back(family.position(point.log_ratio).gap);
    run.due_radius.push_back(point.radii);
  }
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme.scheme, .attention = {.mask = mask}, .beta = start.beta},
                                 orthogonal_cloud(start.n_tokens, start.n_tokens, start.radius));
  integrate::SolveOptions options = trial.options(1e-9, integrate::ErrorScale::spread);
  options.max_steps = 50'000;
  follow(subject, {0.0, run.times.back()}, options, {.times = run.times}, [&](const observables::Frame& frame) {
    run.gap.push_back(mean_gap(frame.theta, frame.dim));
    run.radius.push_back(frame.radius.empty() ? start.radius : frame.radius.front());
    run.clock.push_back(frame.clock);
    return run.gap.back() < 1e-6 * run.due_gap.at(run.gap.size() - 1);
  });
  return run;
}

} // namespace normdyn::theorems
