#include "normdyn/geometry/product_sphere.hpp"
#include "normdyn/observables/quantity.hpp"

namespace normdyn::observables {

Quantity norm_error(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "norm_error",
                         .long_name = "largest distance of a token from the sphere, ||theta_j| - 1|"}},
          .measure = [](const Frame& frame, std::span<double> out) {
            out[0] = geometry::ProductSphere(frame.n_tokens, frame.dim).constraint_violation(frame.theta);
          }};
}

} // namespace normdyn::observables
