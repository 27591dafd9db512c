#pragma once
// Conditions on observables, located on the dense output: "max_angle < 1e-6", "token_speed_max < 1e-8",
// "mean_cosine > 0.9", "n_clusters changes". Looked for on accepted steps only.

#include "normdyn/core/settings.hpp"
#include "normdyn/observables/observable.hpp"

#include <memory>
#include <string>
#include <vector>

namespace normdyn::integrate {

struct Event {
  std::string name;      ///< defaults to the condition's text
  std::string condition; ///< as written
  std::shared_ptr<const observables::Observable> observable;
  std::size_t component = 0; ///< which of its values
  enum class Kind { falls_below, rises_above, changes } kind = Kind::falls_below;
  double level = 0.0;
  bool is_terminal = false;
};

struct EventHit {
  std::string name;
  double time = 0.0;
  double value = 0.0;       ///< of the observable just after the hit
  observables::Frame frame; ///< at the hit; valid during the call
};

/// Reads time.stop (one table or a list, terminal) and output.events (not terminal): { when = "...", name = "..." }.
[[nodiscard]] std::vector<Event> read_events(core::Settings& section, std::string_view key, core::Settings& output,
                                             const observables::ObservableContext& context, bool terminal);

} // namespace normdyn::integrate
