#pragma once
// Peri-LN: norms before and after attention, so every layer adds a unit vector to the residual stream.
//   s = r |A|,   r' = <theta, A>/|A|,   layer x + h N(A(N x));   in Cartesian variables exactly x' = A/|A|
// Undefined where A_j = 0.

#include "normdyn/schemes/norm_scheme.hpp"

#include <array>

namespace normdyn::schemes {

struct PeriLn {
  static constexpr std::string_view name = "peri_ln";
  static constexpr std::string_view alias = "peri";
  static constexpr std::string_view equation = "theta' = P A / (r |A|),  r' = <theta, A> / |A|";
  static constexpr std::string_view layer_map = "x <- x + h N(A(N x)),  x = r theta";
  static constexpr std::array<OptionHelp, 0> options() { return {}; }
  static PeriLn read(core::Settings&, const SchemeContext&) { return {}; }

  [[nodiscard]] bool has_radius() const { return true; }
  [[nodiscard]] bool needs_drift() const { return true; }
  [[nodiscard]] std::vector<double> breakpoints() const { return {}; }
  [[nodiscard]] PeriLn on(core::Interval) const { return *this; }

  template <class Scalar>
  [[nodiscard]] Rates<Scalar> rates(const Drift<Scalar>& drift, double) const {
    return {Scalar(1) / (drift.radius * drift.norm), drift.radial / drift.norm};
  }
  template <class Scalar>
  [[nodiscard]] Layer<Scalar> layer(const Drift<Scalar>& drift, double, double h) const {
    return {drift.radius, Scalar(h) / drift.norm, true};
  }
};

} // namespace normdyn::schemes
