#include "normdyn/integrate/step_methods.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/integrate/dormand_prince_853.hpp"

#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include <functional>

namespace normdyn::integrate {

namespace {

namespace odeint = boost::numeric::odeint;
using geometry::State;

/// Dormand-Prince 5(4): the last stage is the derivative at the end; its own interpolant of order 4.
class DormandPrince final : public StepMethod {
 public:
  [[nodiscard]] int error_exponent() const override { return 5; }
  void restart(BoundSystem& system, StepData& data) override { system(data.x, data.f, data.t); }
  double attempt(BoundSystem& system, StepData& data, const ErrorNorm& norm) override {
    formula_.do_step(std::ref(system), data.x, data.f, data.t, data.x_new, data.f_new, data.step(), data.error);
    return norm(data.x, data.error, data.x_new);
  }
  void finish(BoundSystem&, StepData&) override {}
  void interpolate(BoundSystem&, const StepData& data, double t, State& out) override {
    formula_.calc_state(t, out, data.x_old, data.f_old, data.t_old, data.x_new, data.f, data.t);
  }

 private:
  Odeint<odeint::runge_kutta_dopri5> formula_;
};

/// Dormand-Prince 8(5,3). The last stage has no part in the error, so it is evaluated on acceptance only; the three of
/// the interpolant only when a time inside the step is asked for.
class HighOrderDormandPrince final : public StepMethod {
 public:
  [[nodiscard]] int error_exponent() const override { return 8; }
  void resize(std::size_t size) override { error3_.assign(size, 0.0); }
  void restart(BoundSystem& system, StepData& data) override { system(data.x, data.f, data.t); }
  double attempt(BoundSystem& system, StepData& data, const ErrorNorm& norm) override {
    is_extended_ = false;
    formula_.do_step_with_errors(std::ref(system), data.x, data.f, data.t, data.x_new, data.step(), data.error,
                                 error3_);
    return DormandPrince853::combined(norm(data.x, data.error, data.x_new), norm(data.x, error3_, data.x_new));
  }
  void finish(BoundSystem& system, StepData& data) override { system(data.x_new, data.f_new, data.t_new); }
  void interpolate(BoundSystem& system, const StepData& data, double t, State& out) override {
    if (!is_extended_)
      formula_.extend(std::ref(system), data.x_old, data.f_old, data.t_old, data.f, data.t - data.t_old);
    is_extended_ = true;
    formula_.calc_state(t, out, data.x_old, data.f_old, data.t_old, data.x_new, data.f, data.t);
  }

 private:
  DormandPrince853 formula_;
  State error3_;
  bool is_extended_ = false;
};

/// Pairs whose last stage is not the next first one, and formulas without an error estimate (exponent 0). Output by a
/// side step of the same formula.
template <class Formula, int exponent>
class RungeKutta final : public StepMethod {
 public:
  [[nodiscard]] int error_exponent() const override { return exponent; }
  void restart(BoundSystem& system, StepData& data) override { system(data.x, data.f, data.t); }
  double attempt(BoundSystem& system, StepData& data, const ErrorNorm& norm) override {
    if constexpr (exponent > 0) {
      formula_.do_step(std::ref(system), data.x, data.f, data.t, data.x_new, data.step(), data.error);
      return norm(data.x, data.error, data.x_new);
    } else {
      formula_.do_step(std::ref(system), data.x, data.f, data.t, data.x_new, data.step());
      return error_of_finiteness(data.x_new);
    }
  }
  void finish(BoundSystem& system, StepData& data) override { system(data.x_new, data.f_new, data.t_new); }
  void interpolate(BoundSystem& system, const StepData& data, double t, State& out) override {
    formula_.do_step(std::ref(system), data.x_old, data.f_old, data.t_old, out, t - data.t_old);
  }

 private:
  Formula formula_;
};

} // namespace

std::unique_ptr<StepMethod> make_runge_kutta(Method method) {
  switch (method) {
  case Method::dopri5:
    return std::make_unique<DormandPrince>();
  case Method::dop853:
    return std::make_unique<HighOrderDormandPrince>();
  case Method::cash_karp54:
    return std::make_unique<RungeKutta<Odeint<odeint::runge_kutta_cash_karp54>, 5>>();
  case Method::fehlberg78:
    return std::make_unique<RungeKutta<Odeint<odeint::runge_kutta_fehlberg78>, 8>>();
  case Method::rk4:
    return std::make_unique<RungeKutta<Odeint<odeint::runge_kutta4>, 0>>();
  case Method::euler:
    return std::make_unique<RungeKutta<Odeint<odeint::euler>, 0>>();
  default:
    core::believe(false, "a Runge-Kutta method");
    return nullptr;
  }
}

} // namespace normdyn::integrate
