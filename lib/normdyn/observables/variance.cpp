#include "normdyn/observables/centered.hpp"
#include "normdyn/observables/quantity.hpp"

namespace normdyn::observables {

Quantity variance(core::Settings&, const ObservableContext&) {
  return {
      .variables = {{.name = "variance",
                     .long_name = "mean squared distance of the tokens from their mean",
                     .attributes = {{"definition", "(1/n) sum_j |theta_j - mean|^2 = (1/(2 n^2)) sum_jk |theta_j - "
                                                   "theta_k|^2 = 1 - |mean|^2, computed from differences"}}}},
      .measure = [](const Frame& frame, std::span<double> out) { out[0] = center(frame.theta, frame.dim).variance; }};
}

} // namespace normdyn::observables
