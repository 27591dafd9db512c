#pragma once
// The step methods, one file per family. make_step_method chooses among them.

#include "normdyn/integrate/state_algebra.hpp"
#include "normdyn/integrate/state_operations.hpp"
#include "normdyn/integrate/stepper.hpp"

#include <boost/numeric/odeint/util/resizer.hpp>

#include <memory>

namespace normdyn::integrate {

/// An Odeint stepper on our states, with our loops.
template <template <class, class, class, class, class, class, class> class Formula>
using Odeint = Formula<geometry::State, double, geometry::State, double, StateAlgebra, StateOperations,
                       boost::numeric::odeint::initially_resizer>;

/// 0 if all numbers of x are finite, else infinity: the error of a step without an estimate.
[[nodiscard]] double error_of_finiteness(const geometry::State& x);

[[nodiscard]] std::unique_ptr<StepMethod> make_runge_kutta(Method method);
/// Eight steps of equal length `step`; started, and ended by a shorter step, with Fehlberg 7(8).
[[nodiscard]] std::unique_ptr<StepMethod> make_adams_bashforth_moulton(double step);
[[nodiscard]] std::unique_ptr<StepMethod> make_bulirsch_stoer();
/// System::layer: N(theta + hA) and its kin.
[[nodiscard]] std::unique_ptr<StepMethod> make_layer_map();

} // namespace normdyn::integrate
