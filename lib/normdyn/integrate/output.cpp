#include "normdyn/integrate/output.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/integrate/step_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::integrate {

namespace {
constexpr double never = std::numeric_limits<double>::infinity();
}

double Output::Cursor::due(double step_end, std::int64_t n_steps) const {
  if (!is_active)
    return never;
  if (is_grid())
    return next < times.size() ? times[next] : never;
  const bool is_turn = every > 0 && n_steps % every == 0;
  return is_turn && (is_empty || last < step_end) ? step_end : never;
}

void Output::Cursor::wrote(double t) {
  is_empty = false;
  last = t;
  while (next < times.size() && times[next] <= t)
    ++next;
}

Output::Output(const SolvePlan& plan, FrameSource& frames, Sink& sink, core::Interval span, double step)
    : plan_(plan), frames_(frames), sink_(sink),
      states_(cursor(plan.states, plan.save_states && !plan.states.is_none(), span, step)),
      series_(cursor(plan.series, !plan.observables.empty() && !plan.series.is_none(), span, step)) {
  std::size_t width = 0;
  for (const auto& observable : plan.observables) {
    needs_motion_ = needs_motion_ || observable->needs_motion();
    for (const auto& variable : observable->variables())
      width += variable.width();
  }
  values_.resize(width);
}

Output::Cursor Output::cursor(const SaveSchedule& schedule, bool is_active, core::Interval span, double step) const {
  Cursor result{.times = schedule.times(), .every = schedule.every_steps(), .is_active = is_active};
  if (step > 0.0 && is_active)
    for (double& t : result.times) {
      const double on_grid = grid_time(span, whole_steps(span.begin, t + 0.5 * step, step), step);
      if (std::abs(on_grid - t) > 1e-9 * step)
        throw core::InputError("output", fmt::format("time {} lies between steps of {}", t, step),
                               "this method has no dense output: save at steps, or choose another method");
      t = on_grid;
    }
  return result;
}

void Output::begin(Stepper& stepper) {
  const double t = stepper.time();
  const auto is_due = [t](const Cursor& c) { return c.is_active && (!c.is_grid() || c.times.front() <= t); };
  row(stepper, 0, t, is_due(states_), is_due(series_));
}

void Output::advance(Stepper& stepper, std::int64_t n_steps, double t) {
  for (;;) {
    const double state_time = states_.due(stepper.time(), n_steps);
    const double series_time = series_.due(stepper.time(), n_steps);
    const double next = std::min(state_time, series_time);
    if (next > t)
      return;
    row(stepper, n_steps, next, state_time == next, series_time == next);
  }
}

void Output::finish(Stepper& stepper, std::int64_t n_steps, double t, bool in_all) {
  const auto is_due = [&](const Cursor& c) {
    return c.is_active && (in_all || !c.is_grid()) && (c.is_empty || c.last < t);
  };
  row(stepper, n_steps, t, is_due(states_), is_due(series_));
}

void Output::row(Stepper& stepper, std::int64_t n_steps, double t, bool with_state, bool with_series) {
  if (!with_state && !with_series)
    return;
  stepper.at(t, between_);
  const observables::Frame frame =
      frames_.frame(between_, t, n_steps, stepper.system().system(), with_series && needs_motion_);
  if (with_state) {
    sink_.state(frame);
    states_.wrote(t);
  }
  if (!with_series)
    return;
  std::span<double> rest(values_);
  for (const auto& observable : plan_.observables) {
    std::size_t width = 0;
    for (const auto& variable : observable->variables())
      width += variable.width();
    observable->measure(frame, rest.first(width));
    rest = rest.subspan(width);
  }
  sink_.series(frame, values_);
  series_.wrote(t);
}

} // namespace normdyn::integrate
