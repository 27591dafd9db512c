#include "normdyn/integrate/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::integrate {

namespace {

class AdaptiveControl final : public StepControl {
 public:
  AdaptiveControl(double first_step, int exponent, const SolveOptions& options)
      : step_(std::min(first_step, options.largest_step)), exponent_(exponent), smallest_(options.smallest_step),
        largest_(options.largest_step) {}

  void enter(core::Interval piece) override { end_ = piece.end; }

  [[nodiscard]] double target(double t) const override {
    const double left = end_ - t;
    if (step_ < smallest_)
      return t;
    if (step_ >= left)
      return end_;
    return 2.0 * step_ > left ? t + 0.5 * left : t + step_; // two even steps rather than a long and a tiny one
  }

  [[nodiscard]] bool judge(double error, double step, double proposal) override {
    return error <= 1.0 ? accept(error, step, proposal) : reject(error, step, proposal);
  }
  [[nodiscard]] double step() const override { return step_; }

 private:
  bool accept(double error, double step, double proposal) {
    const double most = was_rejected_ ? 1.0 : 10.0;
    const double k = exponent_;
    // The floor on the error makes its power finite; it lies far below where the limit on growth acts.
    const double e = std::max(error, 1e-30);
    const double wanted =
        proposal > 0.0 ? proposal / step : 0.9 * std::pow(e, -0.85 / k) * std::pow(old_error_, 0.2 / k);
    const double factor = std::clamp(wanted, 0.2, most);
    const bool was_cut = step < 0.95 * step_;
    const bool is_limited = factor == most || (proposal > 0.0 && was_cut); // says nothing against the longer step
    step_ = std::min(is_limited ? std::max(step_, factor * step) : factor * step, largest_);
    old_error_ = std::max(error, 1e-4);
    was_rejected_ = false;
    return true;
  }

  bool reject(double error, double step, double proposal) {
    const double k = exponent_;
    double factor = proposal > 0.0 ? std::min(proposal / step, 0.9) : 0.9 * std::pow(error, -1.0 / k);
    if (!std::isfinite(error))
      factor = 0.1;
    // Near the resolution of t the step tried is longer than the step wanted: without the minimum it would be tried for
    // ever.
    step_ = std::min(step, step_) * std::clamp(factor, 0.1, 0.9);
    was_rejected_ = true;
    return false;
  }

  double step_;
  int exponent_;
  double smallest_, largest_;
  double end_ = 0.0;
  double old_error_ = 1e-4;
  bool was_rejected_ = false;
};

class FixedControl final : public StepControl {
 public:
  FixedControl(double step, std::optional<double> origin) : step_(step), origin_(origin) {}
  void enter(core::Interval piece) override {
    grid_ = {origin_.value_or(piece.begin), piece.end};
    done_ = whole_steps(grid_.begin, piece.begin, step_);
  }
  [[nodiscard]] double target(double t) const override { return has_failed_ ? t : grid_time(grid_, done_ + 1, step_); }
  [[nodiscard]] bool judge(double error, double, double) override {
    has_failed_ = !std::isfinite(error);
    done_ += has_failed_ ? 0 : 1;
    return !has_failed_;
  }
  [[nodiscard]] double step() const override { return step_; }

 private:
  double step_;
  std::optional<double> origin_;
  core::Interval grid_{};
  std::int64_t done_ = 0;
  bool has_failed_ = false;
};

} // namespace

std::unique_ptr<StepControl> make_adaptive_control(double first_step, int error_exponent, const SolveOptions& options) {
  return std::make_unique<AdaptiveControl>(first_step, error_exponent, options);
}

std::unique_ptr<StepControl> make_fixed_control(double step, std::optional<double> origin) {
  return std::make_unique<FixedControl>(step, origin);
}

std::int64_t whole_steps(double begin, double t, double step) {
  return static_cast<std::int64_t>(std::floor((t - begin) / step + 1e-9));
}

double grid_time(core::Interval piece, std::int64_t k, double step) {
  const double t = piece.begin + static_cast<double>(k) * step;
  return t > piece.end - 1e-9 * step ? piece.end : t;
}

double choose_first_step(Stepper& stepper, double length) {
  const ErrorNorm& norm = stepper.norm();
  const geometry::State& x = stepper.state();
  const std::size_t clock = norm.equation->layout().clock_index();
  // The clock starts at 0, where a relative tolerance has no scale to offer: it has no say here.
  geometry::State f = stepper.derivative();
  f[clock] = 0.0;
  const double scale = norm.tolerance.rtol + norm.tolerance.atol;
  const double d1 = norm(x, f, x); // scaled speed, 1/time
  if (!(d1 > 0.0) || !std::isfinite(d1))
    return length;
  const double speed = d1 * scale;
  const double h0 = std::min(0.01 / speed, length);

  geometry::State y = x, g = f;
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] += h0 * f[i];
  BoundSystem& system = stepper.system();
  system(y, g, std::min(stepper.time() + h0, stepper.time() + length));
  for (std::size_t i = 0; i < g.size(); ++i)
    g[i] -= f[i];
  g[clock] = 0.0;
  const double d2 = norm(x, g, x) / h0; // scaled second derivative, 1/time^2
  if (!std::isfinite(d2))
    return 1e-3 * h0;
  const double rate = std::max(d2 / d1, speed);
  const double k = stepper.method().error_exponent();
  const double log_step = (std::log(0.01 / d1) - (k - 1.0) * std::log(rate)) / k; // 0.01 = d1 rate^(k-1) h^k
  return std::min({100.0 * h0, std::exp(log_step), length});
}

} // namespace normdyn::integrate
