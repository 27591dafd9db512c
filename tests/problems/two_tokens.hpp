#pragma once
// Two tokens on the circle, beta = 0, moving at rate c(t): theta_j' = c(t) P_j (theta_1 + theta_2)/2. Their cosine is
// gamma(t) = tanh(C(t)), C = atanh(gamma(0)) + int c, about a bisector that stands still; the clock is int c.

#include "support/toy_equation.hpp"

#include <cmath>
#include <functional>
#include <numbers>

namespace normdyn::problems {

struct TwoTokens {
  support::ToyEquation equation;
  std::function<double(double)> total; ///< int_0^t c

  /// `rate(t, piece)` is the smooth piece of c that holds on `piece`.
  TwoTokens(std::function<double(double, core::Interval)> rate, std::function<double(double)> integral,
            std::vector<double> jumps = {})
      : equation({.n_tokens = 2, .dim = 2, .has_radius = false},
                 [rate](const geometry::State& x, geometry::State& dxdt, double t, core::Interval piece) {
                   const double c = rate(t, piece);
                   const double gamma = x[0] * x[2] + x[1] * x[3];
                   for (std::size_t i = 0; i < 2; ++i) { // P_j A = (theta_k - gamma theta_j)/2
                     dxdt[i] = 0.5 * c * (x[2 + i] - gamma * x[i]);
                     dxdt[2 + i] = 0.5 * c * (x[i] - gamma * x[2 + i]);
                   }
                   dxdt[4] = c;
                 }),
        total(std::move(integral)) {
    equation.jumps = std::move(jumps);
  }

  /// The state at t, from orthogonal tokens at t = 0.
  [[nodiscard]] geometry::State exact(double t) const {
    const double half = 0.5 * std::atan2(1.0 / std::cosh(total(t)), std::tanh(total(t)));
    const double middle = 0.25 * std::numbers::pi;
    return {std::cos(middle - half), std::sin(middle - half), std::cos(middle + half), std::sin(middle + half),
            total(t)};
  }
};

/// c = scale: gamma = tanh(scale t).
inline TwoTokens constant_rate(double scale = 1.0) {
  return {[scale](double, core::Interval) { return scale; }, [scale](double t) { return scale * t; }};
}

/// c = 1 + sin(3t)/2, and from `tau` on 2 - t cos(wt)/2: smooth pieces that meet in a jump.
inline TwoTokens jumping_rate(double tau, double w = 1.0) {
  const auto before = [](double t) { return t - (std::cos(3.0 * t) - 1.0) / 6.0; };
  const auto after = [w](double t) { return 2.0 * t - 0.5 * (t * std::sin(w * t) + std::cos(w * t) / w) / w; };
  return {[tau, w](double t, core::Interval piece) {
            return piece.middle() < tau ? 1.0 + 0.5 * std::sin(3.0 * t) : 2.0 - 0.5 * t * std::cos(w * t);
          },
          [=](double t) { return t <= tau ? before(t) : before(tau) + after(t) - after(tau); },
          {tau}};
}

/// c = 1 + sin(3t)/2 throughout.
inline TwoTokens smooth_rate() {
  return {[](double t, core::Interval) { return 1.0 + 0.5 * std::sin(3.0 * t); },
          [](double t) { return t - (std::cos(3.0 * t) - 1.0) / 6.0; }};
}

} // namespace normdyn::problems
