#include "normdyn/theorems/errata.hpp"

#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/plain_attention.hpp"
#include "normdyn/theorems/starts.hpp"

#include <fmt/format.h>

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

} // namespace normdyn::theorems
