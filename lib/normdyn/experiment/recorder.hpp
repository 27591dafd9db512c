#pragma once
// Carries what an integration hands out into a run file.

#include "normdyn/experiment/run_case.hpp"
#include "normdyn/storage/run_writer.hpp"

#include <optional>

namespace normdyn::experiment {

class Recorder final : public integrate::Sink {
 public:
  Recorder(const Study& study, storage::RunWriter& writer, Watcher& watcher);
  void state(const observables::Frame& frame) override;
  void series(const observables::Frame& frame, std::span<const double> values) override;
  void event(const integrate::EventHit& hit) override;
  bool progress(const integrate::Progress& progress) override;

 private:
  const Study& study_;
  storage::RunWriter& writer_;
  Watcher& watcher_;
  std::optional<std::size_t> clusters_at_; ///< where n_clusters stands among the values of the series
  std::optional<std::int64_t> n_clusters_;
};

} // namespace normdyn::experiment
