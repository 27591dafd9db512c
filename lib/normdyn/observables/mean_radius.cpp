#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/span_statistics.hpp"

namespace normdyn::observables {

Quantity mean_radius(core::Settings&, const ObservableContext& context) {
  return {.variables = {{.name = "mean_radius", .long_name = "mean of r_j"}},
          .measure = [](const Frame& frame, std::span<double> out) { out[0] = mean(frame.radius); },
          .missing = context.has_radius ? "" : no_radius};
}

} // namespace normdyn::observables
