#include "normdyn/integrate/step_methods.hpp"

#include <boost/numeric/odeint/stepper/adams_bashforth_moulton.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

#include <cmath>
#include <functional>

namespace normdyn::integrate {

namespace {

namespace odeint = boost::numeric::odeint;
using geometry::State;
using Fehlberg = Odeint<odeint::runge_kutta_fehlberg78>;

/// Adams-Bashforth-Moulton of eight steps. Odeint would start it with a method of order 4, which caps the order of the
/// whole run; Fehlberg 7(8) does not. It also takes a last step of another length, and the side steps of output.
class AdamsBashforthMoulton final : public StepMethod {
 public:
  explicit AdamsBashforthMoulton(double step) : step_(step) {}
  [[nodiscard]] int error_exponent() const override { return 0; }
  void restart(BoundSystem&, StepData&) override { formula_.reset(); }
  double attempt(BoundSystem& system, StepData& data, const ErrorNorm&) override {
    if (std::abs(data.step() - step_) <= 1e-6 * step_) {
      formula_.do_step(std::ref(system), data.x, data.t, data.x_new, data.step());
    } else {
      side_.do_step(std::ref(system), data.x, data.t, data.x_new, data.step());
      formula_.reset();
    }
    return error_of_finiteness(data.x_new);
  }
  void finish(BoundSystem&, StepData&) override {}
  void interpolate(BoundSystem& system, const StepData& data, double t, State& out) override {
    side_.do_step(std::ref(system), data.x_old, data.t_old, out, t - data.t_old);
  }

 private:
  double step_;
  odeint::adams_bashforth_moulton<8, State, double, State, double, StateAlgebra, StateOperations,
                                  odeint::initially_resizer, Fehlberg>
      formula_;
  Fehlberg side_;
};

} // namespace

std::unique_ptr<StepMethod> make_adams_bashforth_moulton(double step) {
  return std::make_unique<AdamsBashforthMoulton>(step);
}

} // namespace normdyn::integrate
