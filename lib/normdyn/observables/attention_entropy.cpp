#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/span_statistics.hpp"

namespace normdyn::observables {

Quantity attention_entropy(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "attention_entropy",
                         .long_name = "mean over tokens of the entropy of the attention weights, in nats"}},
          .measure = [](const Frame& frame, std::span<double> out) { out[0] = mean(frame.entropy); },
          .needs_motion = true};
}

} // namespace normdyn::observables
