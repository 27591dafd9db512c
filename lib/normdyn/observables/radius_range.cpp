#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/span_statistics.hpp"

namespace normdyn::observables {

Quantity radius_range(core::Settings&, const ObservableContext& context) {
  return {.variables = {{.name = "radius_min", .long_name = "smallest r_j"},
                        {.name = "radius_max", .long_name = "largest r_j"}},
          .measure =
              [](const Frame& frame, std::span<double> out) {
                out[0] = least(frame.radius);
                out[1] = greatest(frame.radius);
              },
          .missing = context.has_radius ? "" : no_radius};
}

} // namespace normdyn::observables
