#include "normdyn/observables/quantity.hpp"

namespace normdyn::observables {

Quantity clock(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "clock",
                         .long_name = "mean over tokens of int_0^t dt/s_j: the distance scale that all schemes share"}},
          .measure = [](const Frame& frame, std::span<double> out) { out[0] = frame.clock; }};
}

} // namespace normdyn::observables
