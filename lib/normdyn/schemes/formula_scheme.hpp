#pragma once
// A scheme of the user's own, as formulas in a config:
//   s     speed factor: theta' = P A / s
//   dr    radial rate r'; without it the scheme carries no radius and r = 1
//   layer optional { keep, push, moves_radius }; without it x <- x + h ((r/s) P A + r' theta)
// Variables: r, A_r = <theta, A>, norm_A = |A|, A_t = |P A|, t, n, d, beta, the user's params, and in dr and layer also
// s (and dr, h in layer). A formula costs O(n) evaluations beside the O(n^2 d) of attention.

#include "normdyn/schemes/norm_scheme.hpp"

#include <array>
#include <optional>

namespace normdyn::schemes {

class FormulaScheme {
 public:
  static constexpr std::string_view name = "formula";
  static constexpr std::string_view alias = "custom";
  static constexpr std::string_view equation = "theta' = P A / s,  r' = dr  (the formulas of the config)";
  static constexpr std::string_view layer_map = "x <- x + h ((r/s) P A + r' theta), or the config's own";
  static constexpr std::array<OptionHelp, 4> options() {
    return {
        {{"s", "", "speed factor, a formula in r, A_r, norm_A, A_t, t, n, d, beta and params", "\"r^0.5 * norm_A\""},
         {"dr", "none", "radial rate, a formula that may also use s; without it the scheme has no radius",
          "\"r * A_r / s\""},
         {"params", "{}", "numbers that the formulas may use by name", "{ p = 0.5 }"},
         {"layer", "the step of the flow",
          "{ keep, push, moves_radius }: y = keep theta + push A, may also use h, s, dr",
          "{ keep = \"r\", push = \"h * r / s\" }"}}};
  }
  static FormulaScheme read(core::Settings& settings, const SchemeContext& context);

  [[nodiscard]] bool has_radius() const { return radial_.has_value(); }
  [[nodiscard]] bool needs_drift() const { return needs_drift_; }
  [[nodiscard]] std::vector<double> breakpoints() const { return beta_.breakpoints(); }
  [[nodiscard]] FormulaScheme on(core::Interval piece) const;

  [[nodiscard]] Rates<double> rates(const Drift<double>& drift, double t) const;
  [[nodiscard]] Layer<double> layer(const Drift<double>& drift, double t, double h) const;

 private:
  FormulaScheme(core::Formula speed_factor, core::Schedule beta)
      : speed_factor_(std::move(speed_factor)), beta_(std::move(beta)) {}
  void fill(const Drift<double>& drift, double t) const;

  core::Formula speed_factor_;
  std::optional<core::Formula> radial_, keep_, push_;
  bool layer_moves_radius_ = false;
  bool needs_drift_ = false;
  core::Schedule beta_;
  mutable std::vector<double> values_; ///< in the order of the variables: drift, t, beta, n, d, params, s, dr, h
};

} // namespace normdyn::schemes
