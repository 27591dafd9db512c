#include "normdyn/experiment/recorder.hpp"

namespace normdyn::experiment {

Recorder::Recorder(const Study& study, storage::RunWriter& writer, Watcher& watcher)
    : study_(study), writer_(writer), watcher_(watcher) {
  std::size_t at = 0;
  for (const auto& observable : study.plan.observables)
    for (const observables::Variable& variable : observable->variables()) {
      if (variable.name == "n_clusters")
        clusters_at_ = at;
      at += variable.width();
    }
}

void Recorder::state(const observables::Frame& frame) {
  writer_.state(frame.time, frame.layer, frame.theta, frame.radius);
}

void Recorder::series(const observables::Frame& frame, std::span<const double> values) {
  if (clusters_at_)
    n_clusters_ = static_cast<std::int64_t>(values[*clusters_at_]);
  writer_.series(frame.time, frame.layer, values);
}

void Recorder::event(const integrate::EventHit& hit) {
  writer_.event({.name = hit.name, .time = hit.time, .value = hit.value});
}

// Here and not at each row: a row that has its state and its series is whole.
bool Recorder::progress(const integrate::Progress& progress) {
  writer_.commit();
  return watcher_.progress(study_, progress, n_clusters_);
}

} // namespace normdyn::experiment
