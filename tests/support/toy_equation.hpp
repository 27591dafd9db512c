#pragma once
// A small Equation for tests of the step loop: tokens on spheres (and a clock) under a field given as a function. It
// counts evaluations and remembers their times apart from what the library reports.

#include "normdyn/dynamics/equation.hpp"
#include "normdyn/geometry/product_sphere.hpp"
#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace normdyn::support {

/// f(unit directions, dxdt, t, piece): fills dxdt of directions, radii and clock.
using Field = std::function<void(const geometry::State& x, geometry::State& dxdt, double t, core::Interval piece)>;

struct Witness {
  std::int64_t evaluations = 0, motions = 0, restarts = 0;
  double first_time = std::numeric_limits<double>::infinity(), last_time = -std::numeric_limits<double>::infinity();
  bool left_piece = false; ///< an evaluation outside its piece
};

class ToySystem final : public dynamics::System {
 public:
  ToySystem(geometry::Layout layout, Field field, std::function<bool(const geometry::State&, double)> singular,
            core::Interval piece, std::shared_ptr<Witness> witness)
      : layout_(layout), field_(std::move(field)), singular_(std::move(singular)), piece_(piece),
        witness_(std::move(witness)) {}

  void operator()(const geometry::State& x, geometry::State& dxdt, double t) override {
    ++count_;
    ++witness_->evaluations;
    witness_->first_time = std::min(witness_->first_time, t);
    witness_->last_time = std::max(witness_->last_time, t);
    witness_->left_piece = witness_->left_piece || t < piece_.begin || t > piece_.end;
    evaluate(x, dxdt, t);
    met_ = singular_ && singular_(x, t);
  }
  void layer(const geometry::State& x, geometry::State& out, double t, double h) override {
    ++count_;
    ++witness_->evaluations;
    evaluate(x, slope_, t);
    out.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      out[i] = x[i] + h * slope_[i];
    geometry::ProductSphere(layout_.n_tokens, layout_.dim).retract(layout_.directions(std::span<double>(out)));
    met_ = singular_ && singular_(x, t);
  }
  void motion(const geometry::State& x, double t, dynamics::Motion& out) override {
    ++witness_->motions;
    evaluate(x, slope_, t);
    out.token_speed.resize(layout_.n_tokens);
    const std::span<const double> velocity = layout_.directions(std::span<const double>(slope_));
    for (std::size_t j = 0; j < layout_.n_tokens; ++j)
      out.token_speed[j] = geometry::norm(layout_.token(velocity, j));
  }
  std::optional<dynamics::Trouble> diagnose(const geometry::State& x, double t) override {
    if (singular_ && singular_(x, t))
      return dynamics::Trouble{dynamics::Trouble::Kind::vanishing_drift, 0, t, "toy: token 0: the drift vanishes"};
    evaluate(x, slope_, t);
    for (const double value : slope_)
      if (!std::isfinite(value))
        return dynamics::Trouble{dynamics::Trouble::Kind::non_finite, 0, t, "toy: token 0: not finite"};
    return {};
  }
  bool met_singularity() const override { return met_; }
  std::int64_t n_evaluations() const override { return count_; }

 private:
  void evaluate(const geometry::State& x, geometry::State& dxdt, double t) {
    unit_ = x;
    dxdt.resize(x.size());
    geometry::ProductSphere(layout_.n_tokens, layout_.dim).retract(layout_.directions(std::span<double>(unit_)));
    field_(unit_, dxdt, t, piece_);
  }

  geometry::Layout layout_;
  Field field_;
  std::function<bool(const geometry::State&, double)> singular_;
  core::Interval piece_;
  std::shared_ptr<Witness> witness_;
  geometry::State unit_, slope_;
  std::int64_t count_ = 0;
  bool met_ = false;
};

class ToyEquation final : public dynamics::Equation {
 public:
  geometry::Layout shape{};
  Field field;
  std::vector<double> jumps{};
  std::function<bool(const geometry::State&, double)> singular{};
  std::shared_ptr<Witness> witness = std::make_shared<Witness>();

  ToyEquation(geometry::Layout layout, Field f) : shape(layout), field(std::move(f)) {}

  const geometry::Layout& layout() const override { return shape; }
  std::vector<double> breakpoints(core::Interval span) const override { return core::inner_breakpoints(jumps, span); }
  std::unique_ptr<dynamics::System> on(core::Interval piece) const override {
    ++witness->restarts;
    return std::make_unique<ToySystem>(shape, field, singular, piece, witness);
  }
  double error(const dynamics::Tolerance& tolerance, const geometry::State& x, const geometry::State& e,
               const geometry::State& x_new) const override {
    const geometry::ProductSphere sphere(shape.n_tokens, shape.dim);
    double worst = sphere.tangent_norm(shape.directions(std::span<const double>(x)),
                                       shape.directions(std::span<const double>(e))) /
                   (tolerance.atol + tolerance.rtol);
    for (std::size_t i = shape.directions_size(); i < e.size(); ++i) {
      const double scale = tolerance.radius_atol + tolerance.radius_rtol * std::max(std::abs(x[i]), std::abs(x_new[i]));
      worst = std::max(worst, e[i] == 0.0 ? 0.0 : std::abs(e[i]) / scale);
    }
    for (std::size_t i = 0; i < e.size(); ++i)
      if (!std::isfinite(e[i]) || !std::isfinite(x_new[i]))
        return std::numeric_limits<double>::infinity();
    return worst;
  }
  void retract(geometry::State& x) const override {
    geometry::ProductSphere(shape.n_tokens, shape.dim).retract(shape.directions(std::span<double>(x)));
  }
  void frame(const geometry::State& x, std::span<double> theta, std::span<double> radius) const override {
    std::copy_n(x.begin(), theta.size(), theta.begin());
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(theta.size()), radius.size(), radius.begin());
  }
  bool has_radius() const override { return shape.has_radius; }
  double clock(const geometry::State& x) const override { return x[shape.clock_index()]; }
};

} // namespace normdyn::support
