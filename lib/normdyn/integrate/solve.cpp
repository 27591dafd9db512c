#include "normdyn/integrate/solve.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/integrate/event_watch.hpp"
#include "normdyn/integrate/output.hpp"
#include "normdyn/integrate/step_control.hpp"
#include "normdyn/integrate/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace normdyn::integrate {

namespace {

/// Layers cannot be cut: a breakpoint between layers acts at the layer whose middle comes after it.
std::vector<core::Interval> smooth_pieces(const dynamics::Equation& equation, core::Interval span, double layer_step) {
  std::vector<double> breakpoints = equation.breakpoints(span);
  if (layer_step > 0.0)
    for (double& t : breakpoints)
      t = grid_time(span, whole_steps(span.begin, t + 0.5 * layer_step, layer_step), layer_step);
  return core::pieces(span, std::move(breakpoints));
}

class Run final {
 public:
  Run(const dynamics::Equation& equation, const geometry::State& x0, core::Interval span, const SolveOptions& options,
      const SolvePlan& plan, Sink& sink)
      : options_(options), span_(span), layer_step_(is_layered(options.method) ? options.step : 0.0),
        is_fixed_(has_fixed_step(options.method) || options.step > 0.0), sink_(sink),
        stepper_(make_step_method(options.method, is_fixed_ ? options.step : 0.0), equation, options.tolerance,
                 options.error_scale, x0, span.begin),
        frames_(equation, x0, plan.beta), output_(plan, frames_, sink, span, layer_step_),
        events_(plan.events, frames_), equation_(equation) {}

  SolveSummary go() {
    const Outcome outcome = outcome_of_pieces();
    if (outcome.kind != Outcome::Kind::event)
      output_.finish(stepper_, n_accepted_, stepper_.time(), outcome.kind != Outcome::Kind::completed);
    summary_.outcome = outcome;
    summary_.steps_accepted = n_accepted_;
    summary_.steps_rejected = n_rejected_;
    summary_.evaluations = stepper_.evaluations();
    summary_.output_evaluations = frames_.evaluations() + stepper_.output_evaluations();
    summary_.last_step = control_ ? control_->step() : 0.0;
    stepper_.at(outcome.time, summary_.final_state);
    summary_.clock = equation_.clock(summary_.final_state);
    summary_.wall_seconds = seconds();
    return std::move(summary_);
  }

 private:
  static bool is_layered(Method method) { return method == Method::layers || method == Method::author_euler; }

  Outcome outcome_of_pieces() {
    for (const core::Interval piece : smooth_pieces(equation_, span_, layer_step_)) {
      if (auto outcome = enter(piece))
        return *outcome;
      while (stepper_.time() < piece.end)
        if (auto outcome = step())
          return *outcome;
    }
    return {Outcome::Kind::completed, span_.end, fmt::format("reached t = {}", span_.end)};
  }

  std::optional<Outcome> enter(core::Interval piece) {
    std::unique_ptr<dynamics::System> next = equation_.on(piece);
    stepper_.restart(*next, piece.end);
    system_ = std::move(next); // only now: the stepper takes leave of the old one
    const bool is_singular = system_->met_singularity();
    if (stepper_.time() == span_.begin)
      output_.begin(stepper_);
    if (is_singular)
      return failure(Outcome::Kind::singular, "the vector field is singular");
    if (!is_finite(stepper_.derivative()))
      return failure(Outcome::Kind::non_finite, "the vector field is not finite");
    if (!control_)
      make_control(piece);
    control_->enter(piece);
    return handle(events_.enter(stepper_, n_accepted_));
  }

  void make_control(core::Interval piece) {
    double first = options_.step;
    if (!is_fixed_)
      first = options_.first_step > 0.0 ? options_.first_step : choose_first_step(stepper_, piece.length());
    control_ = is_fixed_ ? make_fixed_control(first, layer_step_ > 0.0 ? std::optional(span_.begin) : std::nullopt)
                         : make_adaptive_control(first, stepper_.method().error_exponent(), options_);
    summary_.first_step = control_->step();
  }

  std::optional<Outcome> step() {
    if (auto outcome = spent_budget())
      return outcome;
    const double t = stepper_.time(), t_new = control_->target(t);
    if (!(t_new > t))
      return no_step_left();
    error_ = stepper_.attempt(t_new);
    if (!control_->judge(error_, t_new - t, stepper_.method().proposal())) {
      ++n_rejected_;
      return {};
    }
    stepper_.accept();
    ++n_accepted_;
    const bool is_singular = system_->met_singularity();
    if (auto outcome = handle(events_.look(stepper_, n_accepted_)))
      return outcome;
    output_.advance(stepper_, n_accepted_, stepper_.time());
    if (is_singular)
      return failure(Outcome::Kind::singular, "the vector field is singular");
    if (sink_.progress({.time = stepper_.time(),
                        .step = control_->step(),
                        .steps = n_accepted_,
                        .rejected = n_rejected_,
                        .evaluations = stepper_.evaluations()}))
      return stopped("asked to stop");
    return {};
  }

  /// Rows up to each hit, then the hit itself.
  std::optional<Outcome> handle(const std::vector<EventWatch::Hit>& hits) {
    for (const EventWatch::Hit& hit : hits) {
      output_.advance(stepper_, n_accepted_, hit.time);
      if (hit.event->is_terminal)
        output_.finish(stepper_, n_accepted_, hit.time, true);
      const EventHit described = events_.describe(hit, stepper_, n_accepted_);
      sink_.event(described);
      if (hit.event->is_terminal)
        return Outcome{Outcome::Kind::event, hit.time,
                       fmt::format("{} at t = {} (value {})", described.name, hit.time, described.value)};
    }
    return {};
  }

  std::optional<Outcome> spent_budget() const {
    if (n_accepted_ + n_rejected_ >= options_.max_steps)
      return stopped(fmt::format("max_steps = {} steps were tried", options_.max_steps));
    if (seconds() >= options_.max_wall_seconds)
      return stopped(fmt::format("max_wall = {} s is over", options_.max_wall_seconds));
    return {};
  }

  Outcome stopped(const std::string& why) const {
    return {Outcome::Kind::stopped, stepper_.time(), fmt::format("{} at t = {}", why, stepper_.time())};
  }

  Outcome no_step_left() {
    if (!std::isfinite(error_))
      return failure(Outcome::Kind::non_finite,
                     fmt::format("steps of {} and less give NaN or infinity", control_->step()));
    return failure(
        Outcome::Kind::step_underflow,
        options_.smallest_step > control_->step()
            ? fmt::format("the step {} is below smallest_step = {}", control_->step(), options_.smallest_step)
            : fmt::format("the step {} is too small to change t", control_->step()));
  }

  /// The system's own diagnosis, else what the loop saw.
  Outcome failure(Outcome::Kind kind, const std::string& seen) {
    const double t = stepper_.time();
    if (const auto trouble = system_->diagnose(stepper_.state(), t))
      return {trouble->kind == dynamics::Trouble::Kind::non_finite ? Outcome::Kind::non_finite
                                                                   : Outcome::Kind::singular,
              t, trouble->text};
    return {kind, t, fmt::format("{} at t = {}{}", seen, t, fastest_token(t))};
  }

  /// Where to look when no token is singular: the one that moves fastest, or whose motion is not a number.
  std::string fastest_token(double t) {
    dynamics::Motion motion;
    system_->motion(stepper_.state(), t, motion);
    double largest = -1.0;
    std::size_t token = 0;
    for (std::size_t j = 0; j < motion.token_speed.size(); ++j) {
      const double radial = j < motion.radial_rate.size() ? std::abs(motion.radial_rate[j]) : 0.0;
      const double rate = motion.token_speed[j] + radial;
      if (const double size = std::isnan(rate) ? std::numeric_limits<double>::infinity() : rate; size > largest) {
        largest = size;
        token = j;
      }
    }
    return motion.token_speed.empty() ? "" : fmt::format(", where token {} moves fastest ({:.3g})", token, largest);
  }

  static bool is_finite(const geometry::State& x) {
    return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
  }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  const SolveOptions& options_;
  core::Interval span_;
  double layer_step_;
  bool is_fixed_;
  Sink& sink_;
  Stepper stepper_;
  FrameSource frames_;
  Output output_;
  EventWatch events_;
  const dynamics::Equation& equation_;
  std::unique_ptr<dynamics::System> system_;
  std::unique_ptr<StepControl> control_;
  SolveSummary summary_;
  std::int64_t n_accepted_ = 0, n_rejected_ = 0;
  double error_ = 0.0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace

SolveSummary solve(const dynamics::Equation& equation, const geometry::State& x0, core::Interval span,
                   const SolveOptions& options, const SolvePlan& plan, Sink& sink) {
  core::believe(span.begin <= span.end, "a run goes forward");
  core::believe(x0.size() == equation.layout().size(), "the state is one of the equation");
  core::believe(!has_fixed_step(options.method) || options.step > 0.0, "a fixed step is given");
  return Run(equation, x0, span, options, plan, sink).go();
}

} // namespace normdyn::integrate
