#pragma once
// The equiangular reduction as one more Equation under the one step loop: any scheme, `formula` too, and any schedule
// of beta. Its state is (y, r, clock): the layout of one token of dimension 1, whose "direction" is the number y =
// log(sigma/u) instead of a unit vector. Frames therefore carry y in `theta`, and observables that expect unit vectors
// do not apply; the cosine and the gap are Equiangular::position(y).
//
// Error norm: |e_y| / (atol + rtol (1 + |y|)), which is the relative error of u and of sigma at the ends; radius and
// clock like any equation's.

#include "normdyn/dynamics/equation.hpp"
#include "normdyn/reduced/equiangular.hpp"
#include "normdyn/schemes/registry.hpp"

#include <memory>
#include <vector>

namespace normdyn::reduced {

struct EquiangularModel {
  schemes::AnyScheme scheme = schemes::PostLn{};
  std::size_t n_tokens = 2;
  core::Schedule beta{1.0};
};

class EquiangularEquation final : public dynamics::Equation {
 public:
  /// Throws core::InputError unless n >= 2 and initial_radius > 0.
  EquiangularEquation(EquiangularModel model, double initial_radius);

  /// (y, r_0, 0) of a cosine in [-1/(n-1), 1]; at either end y is infinite and stays so.
  [[nodiscard]] geometry::State state(double cosine) const;
  /// (y, r_0, 0) of a y.
  [[nodiscard]] geometry::State state_at(double log_ratio) const;
  [[nodiscard]] const EquiangularModel& model() const { return model_; }
  [[nodiscard]] double log_ratio(const geometry::State& x) const { return x[0]; }
  /// r, constant where the scheme carries no radius.
  [[nodiscard]] double radius(const geometry::State& x) const { return layout_.has_radius ? x[1] : initial_radius_; }

  [[nodiscard]] const geometry::Layout& layout() const override { return layout_; }
  [[nodiscard]] std::vector<double> breakpoints(core::Interval span) const override;
  [[nodiscard]] std::unique_ptr<dynamics::System> on(core::Interval piece) const override;
  [[nodiscard]] double error(const dynamics::Tolerance& tolerance, const geometry::State& x, const geometry::State& e,
                             const geometry::State& x_new) const override;
  void retract(geometry::State&) const override {} ///< every y is a state
  void frame(const geometry::State& x, std::span<double> theta, std::span<double> radius) const override;
  [[nodiscard]] bool has_radius() const override { return layout_.has_radius; }
  [[nodiscard]] double clock(const geometry::State& x) const override { return x[layout_.clock_index()]; }

 private:
  EquiangularModel model_;
  geometry::Layout layout_;
  double initial_radius_;
};

} // namespace normdyn::reduced
