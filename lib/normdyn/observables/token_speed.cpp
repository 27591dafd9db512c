#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/span_statistics.hpp"

namespace normdyn::observables {

Quantity token_speed(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "token_speed_mean", .long_name = "mean of |theta_j'|"},
                        {.name = "token_speed_max", .long_name = "largest |theta_j'|"}},
          .measure =
              [](const Frame& frame, std::span<double> out) {
                out[0] = mean(frame.token_speed);
                out[1] = greatest(frame.token_speed);
              },
          .needs_motion = true};
}

} // namespace normdyn::observables
