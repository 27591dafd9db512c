#pragma once
// Post-LN: the norm acts after the residual sum, so tokens never leave the sphere.
//   s = 1,   layer N(theta + h A)

#include "normdyn/schemes/norm_scheme.hpp"

#include <array>

namespace normdyn::schemes {

struct PostLn {
  static constexpr std::string_view name = "post_ln";
  static constexpr std::string_view alias = "post";
  static constexpr std::string_view equation = "theta' = P A";
  static constexpr std::string_view layer_map = "theta <- N(theta + h A)";
  static constexpr std::array<OptionHelp, 0> options() { return {}; }
  static PostLn read(core::Settings&, const SchemeContext&) { return {}; }

  [[nodiscard]] bool has_radius() const { return false; }
  [[nodiscard]] bool needs_drift() const { return false; }
  [[nodiscard]] std::vector<double> breakpoints() const { return {}; }
  [[nodiscard]] PostLn on(core::Interval) const { return *this; }

  template <class Scalar>
  [[nodiscard]] Rates<Scalar> rates(const Drift<Scalar>&, double) const {
    return {Scalar(1), Scalar(0)};
  }
  template <class Scalar>
  [[nodiscard]] Layer<Scalar> layer(const Drift<Scalar>&, double, double h) const {
    return {Scalar(1), Scalar(h), false};
  }
};

} // namespace normdyn::schemes
