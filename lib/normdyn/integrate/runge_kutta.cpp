#include "normdyn/integrate/step_methods.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/integrate/dormand_prince_853.hpp"

#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include <algorithm>
#include <cmath>
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

/// Dormand-Prince 8(5,3). The last stage is evaluated where the error at the end allows the step; the three of the
/// interpolant only when a time inside the step is asked for.
///
/// The error at the end does not bound the interpolant's. For x' = -lambda x, z = h lambda, the latter is
///
///   z       1       2       3       4      4.5      5       6       7       10      15
///   times   1.4     0.7     0.5     1.5    3.7      12      78      43      93      350    the error estimated at the
///   end times   0.007   0.02    0.03    0.14   0.85     1.0     0.6     0.8     2.0     6.7    m = |h (k12 - k11)|
///
/// so that rows between steps at the bound of stability, z = 6.4, would be off by a hundred tolerances. From z = 5 on
/// m measures the error between steps; before, the error at the end does, and m, which is of low order, is faded out.
/// z is the quotient of m and of the distance of the two states at the end, which is Hairer and Wanner's test of
/// stiffness (Solving ODEs II, IV.2) and tells of the fastest motion while its error is the largest. Later a slow
/// motion may hide it, so the largest rate is remembered, per unit of the clock, in which rates change little. None of
/// this takes an evaluation, nor does it ask whether there are rows, so output never changes a step.
class HighOrderDormandPrince final : public StepMethod {
 public:
  [[nodiscard]] int error_exponent() const override { return 8; }
  void resize(std::size_t size) override {
    for (State* state : {&error3_, &motion_, &distance_})
      state->assign(size, 0.0);
  }
  void restart(BoundSystem& system, StepData& data) override {
    system(data.x, data.f, data.t);
    rate_ = fastest_ = 0.0;
  }
  double attempt(BoundSystem& system, StepData& data, const ErrorNorm& norm) override {
    is_extended_ = is_end_known_ = false;
    formula_.do_step_with_errors(std::ref(system), data.x, data.f, data.t, data.x_new, data.step(), data.error,
                                 error3_);
    const double at_end =
        DormandPrince853::combined(norm(data.x, data.error, data.x_new), norm(data.x, error3_, data.x_new));
    if (!(at_end <= 1.0))
      return at_end;
    system(data.x_new, data.f_new, data.t_new);
    is_end_known_ = true;
    return std::max(at_end, error_between(data, norm) / most_between);
  }
  void finish(BoundSystem& system, StepData& data) override {
    if (!is_end_known_) // equal steps, whatever their error
      system(data.x_new, data.f_new, data.t_new);
    fastest_ = std::max(is_end_known_ ? rate_ : 0.0, memory * fastest_);
  }
  void interpolate(BoundSystem& system, const StepData& data, double t, State& out) override {
    if (!is_extended_)
      formula_.extend(std::ref(system), data.x_old, data.f_old, data.t_old, data.f, data.t - data.t_old);
    is_extended_ = true;
    formula_.calc_state(t, out, data.x_old, data.f_old, data.t_old, data.x_new, data.f, data.t);
  }

 private:
  static constexpr double most_between = 4.0; ///< tolerances: what the error at the end permits at z = 4.5
  static constexpr double memory = 0.99;      ///< of the largest rate, per step
  static constexpr double told = 1.0; ///< tolerances: a distance from which a rate is learned, not from rounding

  double error_between(const StepData& data, const ErrorNorm& norm) {
    formula_.difference_at_end(data.x_new, data.f_new, data.step(), motion_, distance_);
    // Tangent at the end, where both states are: at the begin a token that turns far would show its radial part.
    const double motion = norm(data.x_new, motion_, data.x_new);
    if (motion == 0.0 || !std::isfinite(motion))
      return motion;
    const std::size_t clock = norm.equation->layout().clock_index();
    const double distance = norm(data.x_new, distance_, data.x_new), z = motion / distance;
    const double moved = std::abs(data.x_new[clock] - data.x[clock]);
    rate_ = distance >= told && moved > 0.0 ? z / moved : 0.0;
    return motion * share_between(std::max(z, fastest_ * moved));
  }
  /// Of m in the error between steps.
  static double share_between(double z) {
    return z < 5.0 ? std::pow(z / 5.0, 12) : std::pow(std::max(z / 7.0, 1.0), 3);
  }

  DormandPrince853 formula_;
  State error3_, motion_, distance_;
  double rate_ = 0.0, fastest_ = 0.0; ///< per unit of the clock: of the last try, and the largest
  bool is_extended_ = false, is_end_known_ = false;
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
