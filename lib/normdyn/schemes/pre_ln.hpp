#pragma once
// Pre-LN: the norm acts on the input of attention, the residual stream x = r theta grows.
//   s = r,   r' = <theta, A>,   layer x + h A(N x);   in Cartesian variables exactly x' = A(x/|x|)

#include "normdyn/schemes/norm_scheme.hpp"

#include <array>

namespace normdyn::schemes {

struct PreLn {
  static constexpr std::string_view name = "pre_ln";
  static constexpr std::string_view alias = "pre";
  static constexpr std::string_view equation = "theta' = P A / r,  r' = <theta, A>";
  static constexpr std::string_view layer_map = "x <- x + h A(N x),  x = r theta";
  static constexpr std::array<OptionHelp, 0> options() { return {}; }
  static PreLn read(core::Settings&, const SchemeContext&) { return {}; }

  [[nodiscard]] bool has_radius() const { return true; }
  [[nodiscard]] bool needs_drift() const { return false; }
  [[nodiscard]] std::vector<double> breakpoints() const { return {}; }
  [[nodiscard]] PreLn on(core::Interval) const { return *this; }

  template <class Scalar>
  [[nodiscard]] Rates<Scalar> rates(const Drift<Scalar>& drift, double) const {
    return {Scalar(1) / drift.radius, drift.radial};
  }
  template <class Scalar>
  [[nodiscard]] Layer<Scalar> layer(const Drift<Scalar>& drift, double, double h) const {
    return {drift.radius, Scalar(h), true};
  }
};

} // namespace normdyn::schemes
