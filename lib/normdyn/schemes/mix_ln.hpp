#pragma once
// Mix-LN: Post-LN up to the switch time tau, Pre-LN after it; radii stay at r(0) until tau.
//   s = 1, r' = 0 for t <= tau;   s = r, r' = <theta, A> for t > tau
// The field jumps at tau, which is a breakpoint; on() decides by the piece's midpoint and never compares t.

#include "normdyn/schemes/post_ln.hpp"
#include "normdyn/schemes/pre_ln.hpp"

#include <array>

namespace normdyn::schemes {

class MixLn {
 public:
  static constexpr std::string_view name = "mix_ln";
  static constexpr std::string_view alias = "mix";
  static constexpr std::string_view equation =
      "theta' = P A, r' = 0  for t <= tau;   theta' = P A / r, r' = <theta, A>  for t > tau";
  static constexpr std::string_view layer_map = "Post-LN layers up to tau, Pre-LN layers after";
  static constexpr std::array<OptionHelp, 1> options() {
    return {{{"tau", "", "time of the switch from Post-LN to Pre-LN, >= 0", "3.0"}}};
  }
  static MixLn read(core::Settings& settings, const SchemeContext&) {
    return MixLn(settings.number("tau", {.at_least = 0.0}));
  }
  explicit MixLn(double tau) : tau_(tau) {}

  [[nodiscard]] bool has_radius() const { return true; }
  [[nodiscard]] bool needs_drift() const { return false; }
  [[nodiscard]] std::vector<double> breakpoints() const { return {tau_}; }
  [[nodiscard]] MixLn on(core::Interval piece) const {
    MixLn part = *this;
    part.after_ = piece.middle() > tau_;
    return part;
  }

  template <class Scalar>
  [[nodiscard]] Rates<Scalar> rates(const Drift<Scalar>& drift, double t) const {
    return after_ ? PreLn{}.rates(drift, t) : PostLn{}.rates(drift, t);
  }
  template <class Scalar>
  [[nodiscard]] Layer<Scalar> layer(const Drift<Scalar>& drift, double t, double h) const {
    return after_ ? PreLn{}.layer(drift, t, h) : PostLn{}.layer(drift, t, h);
  }

 private:
  double tau_;
  bool after_ = false;
};

} // namespace normdyn::schemes
