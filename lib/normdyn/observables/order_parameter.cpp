#include "normdyn/observables/quantity.hpp"

namespace normdyn::observables {

Quantity order_parameter(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "order_parameter",
                         .long_name = "norm of the mean token",
                         .attributes = {{"definition", "|(1/n) sum_j theta_j|"}}}},
          .measure = [](const Frame& frame, std::span<double> out) {
            const geometry::ConstTokenMap theta(frame.theta.data(), static_cast<Eigen::Index>(frame.n_tokens),
                                                static_cast<Eigen::Index>(frame.dim));
            out[0] = theta.colwise().mean().norm();
          }};
}

} // namespace normdyn::observables
