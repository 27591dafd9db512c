#pragma once
// A sink that keeps everything, and small observables to feed it.

#include "normdyn/geometry/sphere.hpp"
#include "normdyn/integrate/solve.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace normdyn::support {

struct Row {
  double time = 0.0;
  std::int64_t layer = 0;
  std::vector<double> theta, radius;
  double clock = 0.0;
};

class RecordingSink final : public integrate::Sink {
 public:
  struct Series {
    double time = 0.0;
    std::vector<double> values;
  };
  struct Event {
    std::string name;
    double time = 0.0, value = 0.0;
    Row row;
  };
  std::vector<Row> states;
  std::vector<Series> series_rows;
  std::vector<Event> events;
  std::vector<double> step_times, order; ///< ends of steps; times of all calls as they came
  std::function<bool(const integrate::Progress&)> stop;

  void state(const observables::Frame& frame) override {
    order.push_back(frame.time);
    states.push_back(row(frame));
  }
  void series(const observables::Frame& frame, std::span<const double> values) override {
    order.push_back(frame.time);
    series_rows.push_back({frame.time, {values.begin(), values.end()}});
  }
  void event(const integrate::EventHit& hit) override {
    order.push_back(hit.time);
    events.push_back({hit.name, hit.time, hit.value, row(hit.frame)});
  }
  bool progress(const integrate::Progress& progress) override {
    step_times.push_back(progress.time);
    return stop && stop(progress);
  }
  [[nodiscard]] std::vector<double> times() const {
    std::vector<double> result;
    for (const Row& r : states)
      result.push_back(r.time);
    return result;
  }

 private:
  static Row row(const observables::Frame& frame) {
    return {frame.time,
            frame.layer,
            {frame.theta.begin(), frame.theta.end()},
            {frame.radius.begin(), frame.radius.end()},
            frame.clock};
  }
};

/// An observable of one value, from a function.
class FunctionObservable final : public observables::Observable {
 public:
  using Function = std::function<double(const observables::Frame&)>;
  FunctionObservable(std::string name, Function function, bool is_integer = false, bool needs_motion = false)
      : variables_{{.name = name, .long_name = name, .is_integer = is_integer}}, function_(std::move(function)),
        needs_motion_(needs_motion) {}
  const std::vector<observables::Variable>& variables() const override { return variables_; }
  bool needs_motion() const override { return needs_motion_; }
  void measure(const observables::Frame& frame, std::span<double> out) const override { out[0] = function_(frame); }

 private:
  std::vector<observables::Variable> variables_;
  Function function_;
  bool needs_motion_;
};

inline double cosine(const observables::Frame& frame) {
  return geometry::dot(frame.token(0), frame.token(1));
}

} // namespace normdyn::support
