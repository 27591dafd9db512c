#include "normdyn/integrate/step_methods.hpp"

#include <limits>

namespace normdyn::integrate {

double error_of_finiteness(const geometry::State& x) {
  double sum = 0.0; // x - x is 0, or NaN for an infinity or NaN
  for (const double value : x)
    sum += value - value;
  return sum == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
}

std::unique_ptr<StepMethod> make_step_method(Method method, double step) {
  switch (method) {
  case Method::adams_bashforth_moulton:
    return make_adams_bashforth_moulton(step);
  case Method::bulirsch_stoer:
    return make_bulirsch_stoer();
  case Method::author_euler:
  case Method::layers:
    return make_layer_map();
  default:
    return make_runge_kutta(method);
  }
}

} // namespace normdyn::integrate
