#include "normdyn/integrate/event_watch.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::integrate {

namespace {

bool holds(const Event& event, double value) {
  switch (event.kind) {
  case Event::Kind::falls_below:
    return value < event.level;
  case Event::Kind::rises_above:
    return value > event.level;
  default:
    return false;
  }
}

/// Whether going from one value to the other is a hit.
bool is_hit(const Event& event, double before, double after) {
  if (event.kind == Event::Kind::changes)
    return before != after && !(std::isnan(before) && std::isnan(after));
  return !holds(event, before) && holds(event, after);
}

/// Extremum of the parabola through (0, a), (1/2, m), (1, b), in (0, 1); 0 if there is none.
double vertex(double a, double m, double b) {
  const double curvature = 2.0 * (a - 2.0 * m + b);
  const double s = curvature != 0.0 ? (3.0 * a - 4.0 * m + b) / (2.0 * curvature) : 0.0;
  return s > 0.0 && s < 1.0 ? s : 0.0;
}

constexpr double resolution = 4.0 * std::numeric_limits<double>::epsilon();

bool is_resolved(double a, double b) {
  return b - a <= resolution * std::max(std::abs(a), std::abs(b));
}

} // namespace

EventWatch::EventWatch(const std::vector<Event>& events, FrameSource& frames) : frames_(frames) {
  std::size_t width = 0;
  for (const Event& event : events) {
    Watched watched{.event = &event};
    std::size_t offset = 0;
    for (const auto& variable : event.observable->variables()) {
      if (offset <= event.component && event.component < offset + variable.width())
        watched.is_integer = variable.is_integer;
      offset += variable.width();
    }
    width = std::max(width, offset);
    watched_.push_back(watched);
  }
  values_.resize(width);
}

double EventWatch::measure(const Event& event, Stepper& stepper, std::int64_t n_steps, double t) {
  stepper.at(t, between_);
  const observables::Frame frame =
      frames_.frame(between_, t, n_steps, stepper.system().system(), event.observable->needs_motion());
  event.observable->measure(frame, values_);
  return values_[event.component];
}

const std::vector<EventWatch::Hit>& EventWatch::enter(Stepper& stepper, std::int64_t n_steps) {
  hits_.clear();
  for (Watched& watched : watched_) {
    const Event& event = *watched.event;
    const double value = measure(event, stepper, n_steps, stepper.time());
    const bool is_new = watched.is_known ? is_hit(event, watched.value, value) : holds(event, value);
    if (is_new)
      hits_.push_back({&event, stepper.time()});
    watched.value = value;
    watched.is_known = true;
  }
  return hits_;
}

const std::vector<EventWatch::Hit>& EventWatch::look(Stepper& stepper, std::int64_t n_steps) {
  hits_.clear();
  for (Watched& watched : watched_) {
    const double value = measure(*watched.event, stepper, n_steps, stepper.time());
    search(watched, stepper, n_steps, value);
    watched.value = value;
  }
  std::stable_sort(hits_.begin(), hits_.end(), [](const Hit& a, const Hit& b) { return a.time < b.time; });
  return hits_;
}

EventHit EventWatch::describe(const Hit& hit, Stepper& stepper, std::int64_t n_steps) {
  stepper.at(hit.time, between_);
  EventHit result{.name = hit.event->name,
                  .time = hit.time,
                  .value = 0.0,
                  .frame = frames_.frame(between_, hit.time, n_steps, stepper.system().system(),
                                         hit.event->observable->needs_motion())};
  hit.event->observable->measure(result.frame, values_);
  result.value = values_[hit.event->component];
  return result;
}

// The ends, the middle, and the vertex of the parabola through the three are looked at, so that a condition which is
// true only inside the step is seen too.
void EventWatch::search(const Watched& watched, Stepper& stepper, std::int64_t n_steps, double end_value) {
  const Event& event = *watched.event;
  const double a = stepper.previous_time(), b = stepper.time();
  if (!stepper.method().has_dense_output()) {
    if (is_hit(event, watched.value, end_value))
      hits_.push_back({&event, b});
    return;
  }
  const double middle = a + 0.5 * (b - a);
  double times[4] = {a, middle, b, b}, values[4] = {watched.value, end_value, end_value, end_value};
  if (!(a < middle && middle < b)) {
    search_between(watched, stepper, n_steps, a, watched.value, b, end_value);
    return;
  }
  values[1] = measure(event, stepper, n_steps, middle);
  if (const double s = watched.is_integer ? 0.0 : vertex(values[0], values[1], values[2]); s != 0.0) {
    const double t = a + s * (b - a);
    if (a < t && t < b && t != middle) {
      const std::size_t slot = t < middle ? 1 : 2;
      std::copy_backward(times + slot, times + 3, times + 4);
      std::copy_backward(values + slot, values + 3, values + 4);
      times[slot] = t;
      values[slot] = measure(event, stepper, n_steps, t);
    }
  }
  for (int i = 0; i < 3; ++i)
    search_between(watched, stepper, n_steps, times[i], values[i], times[i + 1], values[i + 1]);
}

void EventWatch::search_between(const Watched& watched, Stepper& stepper, std::int64_t n_steps, double a,
                                double value_a, double b, double value_b) {
  const Event& event = *watched.event;
  while (is_hit(event, value_a, value_b)) {
    double low = a, high = b, value_high = value_b;
    const bool is_continuous = !watched.is_integer && event.kind != Event::Kind::changes;
    if (is_continuous && std::isfinite(value_a) && std::isfinite(value_b) && value_a != event.level) {
      const auto distance = [&](double t) { return measure(event, stepper, n_steps, t) - event.level; };
      std::uintmax_t evaluations = 60;
      const auto bracket = boost::math::tools::toms748_solve(distance, a, b, value_a - event.level,
                                                             value_b - event.level, is_resolved, evaluations);
      hits_.push_back({&event, bracket.second});
      return;
    }
    // Bisection on the condition itself, for values that jump.
    while (!is_resolved(low, high)) {
      const double t = low + 0.5 * (high - low);
      if (!(low < t && t < high))
        break;
      const double value = measure(event, stepper, n_steps, t);
      if (is_hit(event, value_a, value)) {
        high = t;
        value_high = value;
      } else {
        low = t;
      }
    }
    hits_.push_back({&event, high});
    a = high;
    value_a = value_high; // a count may change again before b
  }
}

} // namespace normdyn::integrate
