#pragma once
// One token in S^2 that turns at speed omega about e_3 at the latitude of (1, 0, 1)/sqrt(2), and a radius with r' = r
// cos t: a motion at constant speed that never ends, r = exp(sin t).

#include "support/toy_equation.hpp"

#include <cmath>

namespace normdyn::problems {

struct Rotation {
  double omega = 1.0;
  support::ToyEquation equation{{.n_tokens = 1, .dim = 3, .has_radius = true},
                                [w = omega](const geometry::State& x, geometry::State& dxdt, double t, core::Interval) {
                                  dxdt = {-w * x[1], w * x[0], 0.0, x[3] * std::cos(t), 1.0};
                                }};
  [[nodiscard]] geometry::State exact(double t) const {
    const double s = std::sqrt(0.5);
    return {s * std::cos(omega * t), s * std::sin(omega * t), s, std::exp(std::sin(t)), t};
  }
};

} // namespace normdyn::problems
