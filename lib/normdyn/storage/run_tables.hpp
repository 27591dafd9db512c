#pragma once
// The parts of a run file that grow: states and observables on their time axes, and events.

#include "normdyn/storage/run_schema.hpp"
#include "normdyn/storage/time_axis.hpp"

#include <optional>

namespace normdyn::storage {

class RunTables final {
 public:
  RunTables(files::Group& root, const RunHeader& header);

  void state(double time, std::int64_t layer, double wall_seconds, std::span<const double> theta,
             std::span<const double> radius);
  void series(double time, std::int64_t layer, double wall_seconds, std::span<const double> values);
  void event(const EventRecord& event) { events_.push_back(event); }

  /// Writes blocks of rows that are complete: keeps memory bounded between commits.
  void write_blocks();
  /// Writes all that may be counted: everything, but of compressed states only whole blocks unless this is the end.
  void write_all(bool is_end);
  [[nodiscard]] std::int64_t n_frames() const { return time_->rows().n_written(); }
  [[nodiscard]] std::int64_t n_series() const;

 private:
  void make_states(files::Group& root, const RunHeader& header);
  void make_series(files::Group& root, const RunHeader& header);
  void make_events(files::Group& root);
  void write_events();
  [[nodiscard]] TimeAxis& series_axis() { return observable_time_ ? *observable_time_ : *time_; }

  std::optional<TimeAxis> time_, observable_time_;
  std::optional<std::size_t> theta_, radius_;
  std::vector<std::pair<std::size_t, std::size_t>> series_; ///< column and width of each variable
  bool is_compressed_;
  std::vector<EventRecord> events_;
  std::vector<files::Dataset> event_datasets_; ///< event, t, name, value
};

} // namespace normdyn::storage
