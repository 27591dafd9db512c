#include "normdyn/integrate/stepper.hpp"

#include "normdyn/core/error.hpp"

#include <limits>
#include <utility>

namespace normdyn::integrate {

double ErrorNorm::operator()(const geometry::State& x, const geometry::State& e, const geometry::State& x_new) const {
  const double error = equation->error(tolerance, x, e, x_new);
  return error >= 0.0 ? error : std::numeric_limits<double>::infinity(); // a comparison with NaN is false
}

Stepper::Stepper(std::unique_ptr<StepMethod> method, const dynamics::Equation& equation,
                 const dynamics::Tolerance& tolerance, ErrorScale scale, const geometry::State& x0, double t0)
    : method_(std::move(method)), equation_(equation), norm_{&equation, tolerance}, scale_(scale) {
  data_.x = x0;
  data_.t_old = data_.t = data_.t_new = t0;
  for (geometry::State* state : {&data_.x_old, &data_.f_old, &data_.f, &data_.x_new, &data_.f_new, &data_.error})
    state->assign(x0.size(), 0.0);
  method_->resize(x0.size());
}

void Stepper::restart(dynamics::System& system, double end) {
  past_evaluations_ += system_.n_evaluations();
  system_.bind(system);
  system_.limit(end);
  data_.t_old = data_.t_new = data_.t;
  data_.x_old = data_.x;
  method_->restart(system_, data_);
  measure_spread();
}

void Stepper::measure_spread() {
  if (scale_ == ErrorScale::radian)
    return;
  const std::span<const double> spread = system_.system().spread();
  spread_.assign(spread.begin(), spread.end());
  norm_.tolerance.spread = spread_;
}

double Stepper::attempt(double t_new) {
  core::believe(t_new > data_.t, "a step goes forward");
  data_.t_new = t_new;
  system_.limit(t_new);
  return method_->attempt(system_, data_, norm_);
}

void Stepper::accept() {
  method_->finish(system_, data_);
  measure_spread();
  std::swap(data_.x_old, data_.x);
  std::swap(data_.f_old, data_.f);
  std::swap(data_.f, data_.f_new);
  data_.x = data_.x_new;
  data_.t_old = std::exchange(data_.t, data_.t_new);
  equation_.retract(data_.x);
}

void Stepper::at(double t, geometry::State& out) {
  if (t == data_.t || t == data_.t_old) {
    out = t == data_.t ? data_.x : data_.x_old;
    return;
  }
  core::believe(method_->has_dense_output() && data_.t_old < t && t < data_.t, "output lies inside the last step");
  const std::int64_t before = system_.n_evaluations();
  out.resize(data_.x.size());
  method_->interpolate(system_, data_, t, out);
  output_evaluations_ += system_.n_evaluations() - before;
  equation_.retract(out);
}

std::int64_t Stepper::evaluations() const {
  return past_evaluations_ + system_.n_evaluations() - output_evaluations_;
}

} // namespace normdyn::integrate
