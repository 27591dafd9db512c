#pragma once
// nGPT: normalized everywhere, with a learned step alpha(t) >= 0.
//   s = |A|/alpha(t),   layer N(theta + h alpha (N(A) - theta)) = N((1 - h alpha) theta + h alpha N(A))
// Undefined where A_j = 0, unless alpha = 0, which freezes all tokens.

#include "normdyn/schemes/norm_scheme.hpp"

#include <array>

namespace normdyn::schemes {

class NGpt {
 public:
  static constexpr std::string_view name = "ngpt";
  static constexpr std::string_view alias = "n_gpt";
  static constexpr std::string_view equation = "theta' = alpha(t) P A / |A|";
  static constexpr std::string_view layer_map = "theta <- N(theta + h alpha (N(A) - theta))";
  static constexpr std::array<OptionHelp, 1> options() {
    return {{{"alpha", "1.0",
              "step size >= 0: a number, a formula in t, { scale, shift, exponent } or { times = [...], values = [...] "
              "}"}}};
  }
  static NGpt read(core::Settings& settings, const SchemeContext& context) {
    return NGpt(core::read_schedule(settings, "alpha", {.fallback = 1.0, .at_least = 0.0}, context.begin));
  }
  explicit NGpt(core::Schedule alpha) : alpha_(std::move(alpha)) {}

  [[nodiscard]] bool has_radius() const { return false; }
  [[nodiscard]] bool needs_drift() const { return !(alpha_.is_constant() && alpha_(0.0) == 0.0); }
  [[nodiscard]] std::vector<double> breakpoints() const { return alpha_.breakpoints(); }
  [[nodiscard]] NGpt on(core::Interval piece) const { return NGpt(alpha_.on(piece)); }

  template <class Scalar>
  [[nodiscard]] Rates<Scalar> rates(const Drift<Scalar>& drift, double t) const {
    const double alpha = alpha_(t);
    return {alpha == 0.0 ? Scalar(0) : Scalar(alpha) / drift.norm, Scalar(0)};
  }
  template <class Scalar>
  [[nodiscard]] Layer<Scalar> layer(const Drift<Scalar>& drift, double t, double h) const {
    const double alpha = alpha_(t);
    return {Scalar(1 - h * alpha), alpha == 0.0 ? Scalar(0) : Scalar(h * alpha) / drift.norm, false};
  }

 private:
  core::Schedule alpha_;
};

} // namespace normdyn::schemes
