#pragma once
// Turns steps into rows: which of the two schedules is due when, one frame per time, states before series.

#include "normdyn/integrate/frame_source.hpp"
#include "normdyn/integrate/solve.hpp"
#include "normdyn/integrate/stepper.hpp"

#include <cstdint>
#include <vector>

namespace normdyn::integrate {

class Output final {
 public:
  /// `span` and `step` (0 if output is dense) say on which grid steps lie; times off it throw InputError.
  Output(const SolvePlan& plan, FrameSource& frames, Sink& sink, core::Interval span, double step);

  /// The first row.
  void begin(Stepper& stepper);
  /// Rows that are due in the last step up to `t`. `n_steps` were taken.
  void advance(Stepper& stepper, std::int64_t n_steps, double t);
  /// The last row, at `t` in the last step: in both schedules if `in_all`, else where the schedule asks for the last
  /// state.
  void finish(Stepper& stepper, std::int64_t n_steps, double t, bool in_all);

 private:
  struct Cursor {
    std::vector<double> times;
    std::int64_t every = 0;
    bool is_active = true;
    std::size_t next = 0;
    bool is_empty = true;
    double last = 0.0; ///< time of the last row, once there is one
    [[nodiscard]] bool is_grid() const { return !times.empty(); }
    /// Next due time in the last step, infinity if none.
    [[nodiscard]] double due(double step_end, std::int64_t n_steps) const;
    void wrote(double t);
  };

  [[nodiscard]] Cursor cursor(const SaveSchedule& schedule, bool is_active, core::Interval span, double step) const;
  void row(Stepper& stepper, std::int64_t n_steps, double t, bool with_state, bool with_series);

  const SolvePlan& plan_;
  FrameSource& frames_;
  Sink& sink_;
  Cursor states_, series_;
  bool needs_motion_ = false;
  std::vector<double> values_;
  geometry::State between_;
};

} // namespace normdyn::integrate
