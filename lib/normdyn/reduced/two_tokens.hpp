#pragma once
// Two tokens at angle phi with unequal radii r_1, r_2 under full or causal attention. With y = log cot^2(phi/2), the y
// of the equiangular family with n = 2, and E = e^{beta (1 - cos phi)}:
//
//   full     y' = 2 (1/s_1 + 1/s_2)/(E+1),  r_1' = r_2' = a or a/|A|   =>  r_2 - r_1 and (r_1 r_2)/rho^2 are conserved
//   causal   y' = 2 (1/s_2)/(E+1),          r_1' = 1, r_2' = a or a/|A| =>  r_2/rho^2 is conserved
//
// where rho(y) is r/r_0 of two tokens with equal radii (closed_forms.hpp): d log(r_1 r_2)/dy = (E + cos phi)/2 = 2 d
// log rho/dy. The whole motion is again a quadrature. Source: conservation of r_2 - r_1 and the angle equation are
// standard; the second invariant and the causal one are derived here (docs/theory.md).

#include "normdyn/reduced/curve.hpp"

#include <array>

namespace normdyn::reduced {

enum class TwoTokenMask { full, causal };

template <class Scalar>
class TwoTokenCurve {
 public:
  using ScalarType = Scalar;
  using Radii = std::array<Scalar, 2>;

  /// y_0 in the sense of Equiangular(2, beta): log_ratio(cos phi_0). Throws core::InputError unless both radii are > 0.
  TwoTokenCurve(Scalar beta, Scalar y0, Radii initial, TwoTokenMask mask)
      : family_(2, std::move(beta)), y0_(std::move(y0)), initial_(std::move(initial)), mask_(mask),
        growth_(family_, y0_, Scalar(1)) {
    if (!(initial_[0] > 0) || !(initial_[1] > 0))
      throw core::InputError("two tokens",
                             fmt::format("radii {} and {} are no lengths", static_cast<double>(initial_[0]),
                                         static_cast<double>(initial_[1])),
                             "take radii > 0");
  }

  [[nodiscard]] const Equiangular<Scalar>& family() const { return family_; }
  [[nodiscard]] const Scalar& begin() const { return y0_; }

  /// 1/S = (1/s_1 + 1/s_2)/2, without the first token's part under a causal mask, where it stands still.
  [[nodiscard]] Scalar slowness(const Scalar& offset, bool by_radius) const {
    if (mask_ == TwoTokenMask::causal)
      return 2 * (by_radius ? causal_radius(offset) : Scalar(1));
    if (!by_radius)
      return Scalar(1);
    const Radii r = full_radii(offset);
    return 2 * r[0] / (r[0] + r[1]) * r[1];
  }
  /// `elapsed` is the time since the radii began to move.
  [[nodiscard]] Radii radii(const Scalar& offset, const Scalar& elapsed) const {
    if (mask_ == TwoTokenMask::causal)
      return {initial_[0] + elapsed, causal_radius(offset)};
    return full_radii(offset);
  }
  [[nodiscard]] Radii initial_radii() const { return initial_; }
  [[nodiscard]] Radii radii_at_rest(const Scalar& elapsed, bool by_drift) const {
    const schemes::Drift<Scalar> drift = family_.drift(y0_, Scalar(1));
    const Scalar grown = elapsed * (by_drift ? Scalar(drift.radial / drift.norm) : drift.radial);
    return {initial_[0] + (mask_ == TwoTokenMask::causal ? elapsed : grown), initial_[1] + grown};
  }
  [[nodiscard]] TwoTokenCurve restarted(const Scalar& y) const {
    return TwoTokenCurve(family_.beta(), y, initial_, mask_);
  }

 private:
  [[nodiscard]] Scalar causal_radius(const Scalar& offset) const {
    const Scalar rho = growth_.radius(offset);
    return initial_[1] * rho * rho;
  }
  // From r_2 - r_1 and r_1 r_2; the smaller radius from the product, which does not cancel.
  [[nodiscard]] Radii full_radii(const Scalar& offset) const {
    using std::abs, std::sqrt;
    const Scalar rho = growth_.radius(offset), product = initial_[0] * initial_[1] * rho * rho;
    const Scalar half = abs(initial_[1] - initial_[0]) / 2;
    const Scalar larger = half + sqrt(half * half + product), smaller = product / larger;
    return initial_[0] < initial_[1] ? Radii{smaller, larger} : Radii{larger, smaller};
  }

  Equiangular<Scalar> family_;
  Scalar y0_;
  Radii initial_;
  TwoTokenMask mask_;
  EquiangularCurve<Scalar> growth_; ///< rho
};

} // namespace normdyn::reduced
