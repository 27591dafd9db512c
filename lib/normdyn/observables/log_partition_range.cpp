#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/span_statistics.hpp"

namespace normdyn::observables {

Quantity log_partition_range(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "log_partition_min", .long_name = "smallest log Z_j over tokens and heads"},
                        {.name = "log_partition_max", .long_name = "largest log Z_j over tokens and heads"}},
          .measure =
              [](const Frame& frame, std::span<double> out) {
                out[0] = least(frame.log_partition);
                out[1] = greatest(frame.log_partition);
              },
          .needs_motion = true};
}

} // namespace normdyn::observables
