#include "normdyn/theorems/errata.hpp"

#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/cone_runs.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/plain_attention.hpp"
#include "normdyn/theorems/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {

Evidence energy_factor_erratum(const Trial& trial, double beta) {
  constexpr std::size_t n = 8, dim = 4;
  constexpr double h = 1e-4; // the error of the five-point rule is some h^4, that of rounding 1e-16/h
  const Cloud cloud = uniform_cloud(n, dim, trial.seed());
  const Subject subject = trial.laboratory().prepare({.beta = beta}, cloud); // Post-LN: s = 1
  geometry::State rate(subject.start.size());
  (*subject.equation->on({0.0, 1.0}))(subject.start, rate, 0.0);
  const PlainAttention plain = plain_attention(cloud.theta, dim, beta);
  const double scale = std::exp(-beta) / static_cast<double>(n * n);

  std::vector<double> moved(cloud.theta.begin(), cloud.theta.end());
  double along = 0.0, square = 0.0; // <-grad E, s Z theta'> and |s Z theta'|^2, which has no radial part
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < dim; ++i) {
      double& entry = moved[j * dim + i];
      const double at = entry;
      const auto energy = [&](double offset) {
        entry = at + offset;
        return scaled_energy(moved, dim, beta);
      };
      const double slope = (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h);
      entry = at;
      const double push = scale * std::exp(plain.log_partition[j]) * rate[j * dim + i];
      along -= slope * push;
      square += push * push;
    }
  const std::string text = fmt::format("-P grad E over s Z theta', beta = {}", beta);
  return erratum("the prefactor of the gradient flow is 1/(2 beta s Z), printed 1/(s Z)",
                 exact(text, 1.0, along / square, 1e-8), exact(text, 2.0 * beta, along / square, 1e-8));
}

Evidence inverted_alpha_erratum(const Trial& trial, bool with_falling_alpha) {
  const ConeStart start{.delta = admitted_delta(8, 2.0)};
  const core::Schedule alpha = with_falling_alpha ? core::Schedule::power(1.0, 1.0, -1.0) : core::Schedule(1.0);
  const std::vector<double> times =
      with_falling_alpha ? integrate::log_grid(16.0, 1e3, 41) : integrate::linear_grid(16.0, 20.0, 17);
  const std::vector<double> log_variance =
      log_variances(trial, cone_subject(trial, schemes::NGpt(alpha), start), times);
  std::vector<double> printed, corrected; // int dt/scale
  for (const double t : times) {
    printed.push_back(with_falling_alpha ? t + 0.5 * t * t : t);
    corrected.push_back(with_falling_alpha ? std::log1p(t) : t);
  }
  const auto least = [&](const std::vector<double>& clock) {
    const std::vector<double> ratios = decay_ratios(log_variance, clock);
    return ratios.empty() ? -1.0 : *std::min_element(ratios.begin(), ratios.end());
  };
  const std::string text =
      fmt::format("least -Var'/(Var/scale) of ngpt, alpha = {}", with_falling_alpha ? "1/(1+t)" : "1");
  return erratum("the scale of ngpt in Theorem 4.3 (ii) is 1/alpha, printed alpha",
                 at_least(text, least(printed), 1.0 / 9.0), at_least(text, least(corrected), 1.0 / 9.0));
}

Evidence wide_cone_erratum(const Trial& trial, double cosine) {
  constexpr std::size_t dim = 3;
  const auto ratio = [&](double between) { // -Var'/Var of two tokens under Post-LN, beta = 1/100
    const std::vector<double> rows{1.0, 0.0, 0.0, between, std::sqrt(1.0 - between * between), 0.0};
    const Subject subject = trial.laboratory().prepare({.beta = 0.01}, cloud_of_rows(dim, rows));
    geometry::State rate(subject.start.size());
    (*subject.equation->on({0.0, 1.0}))(subject.start, rate, 0.0);
    double change = 0.0; // of |theta_1 - theta_2|^2 = 4 Var
    for (std::size_t i = 0; i < dim; ++i)
      change += 2.0 * (subject.start[i] - subject.start[dim + i]) * (rate[i] - rate[dim + i]);
    return -change / (2.0 * gap(std::span(subject.start).first(2 * dim), dim, 0, 1));
  };
  const std::string text = "-Var'/Var of two tokens at beta = 1/100, at the cosine ";
  const double inside = 1.0 - admitted_delta(2, 0.01);
  return erratum("Theorem 4.3 (ii) needs delta < 1/(100 n^2) too",
                 at_least(text + fmt::format("{:.6g}", cosine), ratio(cosine), 1.0 / 9.0),
                 at_least(text + fmt::format("{:.6g}", inside), ratio(inside), 1.0 / 9.0));
}

} // namespace normdyn::theorems
