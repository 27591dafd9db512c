#pragma once
// Looks for events on the accepted step and locates them on the dense output.

#include "normdyn/integrate/event.hpp"
#include "normdyn/integrate/frame_source.hpp"
#include "normdyn/integrate/stepper.hpp"

#include <cstdint>
#include <vector>

namespace normdyn::integrate {

class EventWatch final {
 public:
  struct Hit {
    const Event* event;
    double time;
  };

  EventWatch(const std::vector<Event>& events, FrameSource& frames);

  /// Hits at the stepper's time: conditions that are true at the start of the run, or made true by a jump at a
  /// breakpoint.
  [[nodiscard]] const std::vector<Hit>& enter(Stepper& stepper, std::int64_t n_steps);
  /// Hits in the last accepted step, in the order of time.
  [[nodiscard]] const std::vector<Hit>& look(Stepper& stepper, std::int64_t n_steps);
  /// The hit with its value and frame (valid until the next frame is made).
  [[nodiscard]] EventHit describe(const Hit& hit, Stepper& stepper, std::int64_t n_steps);

 private:
  struct Watched {
    const Event* event;
    bool is_integer = false;
    double value = 0.0; ///< at the stepper's time
    bool is_known = false;
  };

  [[nodiscard]] double measure(const Event& event, Stepper& stepper, std::int64_t n_steps, double t);
  void search(const Watched& watched, Stepper& stepper, std::int64_t n_steps, double end_value);
  void search_between(const Watched& watched, Stepper& stepper, std::int64_t n_steps, double a, double value_a,
                      double b, double value_b);

  FrameSource& frames_;
  std::vector<Watched> watched_;
  std::vector<Hit> hits_;
  std::vector<double> values_;
  geometry::State between_;
};

} // namespace normdyn::integrate
