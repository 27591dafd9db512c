#include "normdyn/observables/pairs.hpp"
#include "normdyn/observables/quantity.hpp"

#include <cmath>

namespace normdyn::observables {
namespace {

// beta <a, b> - |beta| = -|beta| |a - b|^2 / 2 for beta >= 0, and -|beta| |a + b|^2 / 2 below: never positive.
double energy_of(const Frame& frame) {
  const Pairs pairs(frame.theta, frame.dim);
  if (!pairs.is_finite() || std::isnan(frame.beta))
    return undefined;
  const double scale = -0.5 * std::abs(frame.beta);
  constexpr double underflow = -700.0; // Eigen's exp stops falling at -709
  double sum = 0.0;
  Eigen::ArrayXd exponent;
  pairs.visit([&](std::size_t, std::size_t, std::span<const double> squares) {
    exponent = Eigen::Map<const Eigen::ArrayXd>(squares.data(), static_cast<Eigen::Index>(squares.size()));
    if (frame.beta < 0.0)
      exponent = 4.0 - exponent; // |a + b|^2
    exponent = scale * exponent.max(0.0);
    sum += (exponent < underflow).select(0.0, exponent.exp()).sum();
  });
  const double n = static_cast<double>(frame.n_tokens);
  const double self = frame.beta < 0.0 ? std::exp(4.0 * scale) : 1.0;
  return (n * self + 2.0 * sum) / (n * n);
}

} // namespace

Quantity energy(core::Settings&, const ObservableContext&) {
  return {
      .variables =
          {{.name = "energy",
            .long_name = "interaction energy, scaled to 1 at consensus (beta >= 0)",
            .attributes = {{"definition", "(1/n^2) sum_jk exp(beta <theta_j, theta_k> - |beta|), j = k included, "
                                          "beta of the moment"},
                           {"sign", "positive: it does not decrease along post_ln with Q = K = V = I, "
                                    "full softmax attention and constant beta >= 0"},
                           {"factor", "exp(-|beta|)/n^2 times sum_jk exp(beta <theta_j, theta_k>); no 1/(2 beta)"}}}},
      .measure = [](const Frame& frame, std::span<double> out) { out[0] = energy_of(frame); }};
}

} // namespace normdyn::observables
