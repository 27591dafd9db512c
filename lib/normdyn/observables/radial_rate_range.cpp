#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/span_statistics.hpp"

namespace normdyn::observables {

Quantity radial_rate_range(core::Settings&, const ObservableContext& context) {
  return {.variables = {{.name = "radial_rate_min", .long_name = "smallest r_j'"},
                        {.name = "radial_rate_max", .long_name = "largest r_j'"}},
          .measure =
              [](const Frame& frame, std::span<double> out) {
                out[0] = least(frame.radial_rate);
                out[1] = greatest(frame.radial_rate);
              },
          .needs_motion = true,
          .missing = context.has_radius ? "" : no_radius};
}

} // namespace normdyn::observables
