#pragma once
// Square-root scaling of the residual branch with depth ("curse of depth"): Post-LN slowed by sqrt(1 + t).
//   s = sqrt(1 + t),   layer N(theta + h A/sqrt(1 + t))

#include "normdyn/schemes/norm_scheme.hpp"

#include <array>
#include <cmath>

namespace normdyn::schemes {

struct SqrtScaling {
  static constexpr std::string_view name = "sqrt_scaling";
  static constexpr std::string_view alias = "sqrt";
  static constexpr std::string_view equation = "theta' = P A / sqrt(1 + t)";
  static constexpr std::string_view layer_map = "theta <- N(theta + h A / sqrt(1 + t))";
  static constexpr std::array<OptionHelp, 0> options() { return {}; }
  static SqrtScaling read(core::Settings&, const SchemeContext&) { return {}; }

  [[nodiscard]] bool has_radius() const { return false; }
  [[nodiscard]] bool needs_drift() const { return false; }
  [[nodiscard]] std::vector<double> breakpoints() const { return {}; }
  [[nodiscard]] SqrtScaling on(core::Interval) const { return *this; }

  template <class Scalar>
  [[nodiscard]] Rates<Scalar> rates(const Drift<Scalar>&, double t) const {
    return {Scalar(1 / std::sqrt(1 + t)), Scalar(0)};
  }
  template <class Scalar>
  [[nodiscard]] Layer<Scalar> layer(const Drift<Scalar>&, double t, double h) const {
    return {Scalar(1), Scalar(h / std::sqrt(1 + t)), false};
  }
};

} // namespace normdyn::schemes
