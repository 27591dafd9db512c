#pragma once
// The curve that the equiangular motion traces in (y, r), whatever the speed along it. A Curve says how long a step of
// y takes and what the radii are; quadrature.hpp puts times on it, for this family and for two_tokens.hpp alike:
//
//   family()                 the equiangular family whose y it moves in
//   begin()                  y_0
//   slowness(z, by_radius)   at y_0 + z, S in dt/dy = S Z/(2n) (times |A| if by_drift): r, or 1 where s knows no radius
//   radii(z, elapsed)        at y_0 + z, after `elapsed` time on this curve, where the radii move
//   radii_at_rest(elapsed, by_drift), initial_radii()
//   restarted(y)             the same radii, from y on (Mix-LN's switch)

#include "normdyn/reduced/closed_forms.hpp"

namespace normdyn::reduced {

template <class Scalar>
class EquiangularCurve {
 public:
  using ScalarType = Scalar;
  using Radii = Scalar;

  /// Throws core::InputError unless r_0 > 0.
  EquiangularCurve(Equiangular<Scalar> family, Scalar y0, Scalar r0)
      : family_(std::move(family)), y0_(std::move(y0)), r0_(std::move(r0)) {
    if (!(r0_ > 0))
      throw core::InputError("equiangular family", fmt::format("radius {} is no length", static_cast<double>(r0_)),
                             "take a radius > 0");
  }

  [[nodiscard]] const Equiangular<Scalar>& family() const { return family_; }
  [[nodiscard]] const Scalar& begin() const { return y0_; }
  [[nodiscard]] Scalar slowness(const Scalar& offset, bool by_radius) const {
    return by_radius ? radius(offset) : Scalar(1);
  }
  [[nodiscard]] Scalar radius(const Scalar& offset) const {
    using std::exp;
    return r0_ * exp(log_radius_growth_over(family_, y0_, offset));
  }
  [[nodiscard]] Radii radii(const Scalar& offset, const Scalar&) const { return radius(offset); }
  [[nodiscard]] Radii initial_radii() const { return r0_; }
  /// Where y does not move (simplex, consensus): r' = a, or a/|A|.
  [[nodiscard]] Radii radii_at_rest(const Scalar& elapsed, bool by_drift) const {
    const schemes::Drift<Scalar> drift = family_.drift(y0_, r0_);
    return r0_ + elapsed * (by_drift ? Scalar(drift.radial / drift.norm) : drift.radial);
  }
  [[nodiscard]] EquiangularCurve restarted(const Scalar& y) const { return EquiangularCurve(family_, y, r0_); }

 private:
  Equiangular<Scalar> family_;
  Scalar y0_, r0_;
};

} // namespace normdyn::reduced
