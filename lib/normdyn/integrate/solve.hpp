#pragma once
// The one step loop. Pieces between breakpoints; steps land on breakpoints and on the end exactly; output comes from
// dense output and never changes a step.

#include "normdyn/dynamics/equation.hpp"
#include "normdyn/integrate/event.hpp"
#include "normdyn/integrate/outcome.hpp"
#include "normdyn/integrate/save_schedule.hpp"
#include "normdyn/observables/observable.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace normdyn::integrate {

enum class Method {
  dopri5,                  ///< Dormand-Prince 5(4), own dense output of order 4
  dop853,                  ///< Dormand-Prince 8(5,3), own dense output of order 7
  cash_karp54,             ///< Cash-Karp 5(4)
  fehlberg78,              ///< Fehlberg 7(8)
  bulirsch_stoer,          ///< extrapolation of variable order, own dense output
  adams_bashforth_moulton, ///< 8 steps, fixed step, started by fehlberg78
  rk4,                     ///< classical, fixed step
  euler,                   ///< fixed step
  author_euler,            ///< N(theta + h A): the layer map with step h, as in published scripts; saves at steps only
  layers,                  ///< the layer map: mode = "layers"
};

[[nodiscard]] std::vector<std::string> method_names(); ///< without "layers", which is a mode
[[nodiscard]] const char* method_name(Method method);
[[nodiscard]] bool has_fixed_step(Method method);
/// Where many digits are asked for, the higher order needs the fewest evaluations.
constexpr double high_order_below = 1e-7;
/// dop853 for rtol < high_order_below, else dopri5.
[[nodiscard]] Method default_method(double rtol);

/// What errors of directions are measured against: the radian, or each token's spread (see dynamics::Tolerance).
enum class ErrorScale { radian, spread };

struct SolveOptions {
  Method method = Method::dop853; ///< the default for the default tolerance
  dynamics::Tolerance tolerance{};
  ErrorScale error_scale = ErrorScale::radian;
  /// Fixed-step methods: h > 0. Given to dopri5, dop853, cash_karp54 or fehlberg78, these too take equal steps, without
  /// error control.
  double step = 0.0;
  double first_step = 0.0; ///< 0: chosen from the problem (Hairer, Norsett, Wanner, II.4)
  double largest_step = std::numeric_limits<double>::infinity();
  double smallest_step = 0.0; ///< an attempted step below it ends the run with an outcome
  std::int64_t max_steps = 10'000'000;
  double max_wall_seconds = std::numeric_limits<double>::infinity();
};

/// A moment handed to the sink. Views are valid during the call.
struct Progress {
  double time = 0.0, step = 0.0;
  std::int64_t steps = 0, rejected = 0, evaluations = 0;
};

/// Where results go. Called in the order of time; states and series at one time in that order.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void state(const observables::Frame& frame) = 0;
  virtual void series(const observables::Frame& frame, std::span<const double> values) = 0;
  virtual void event(const EventHit& hit) = 0;
  /// After each accepted step; true asks the run to stop here.
  virtual bool progress(const Progress& progress) = 0;
};

struct SolveSummary {
  Outcome outcome;
  std::int64_t steps_accepted = 0, steps_rejected = 0;
  std::int64_t evaluations = 0;             ///< of the vector field, by the stepper
  std::int64_t output_evaluations = 0;      ///< of the motion, for observables and events
  double first_step = 0.0, last_step = 0.0; ///< the controller's, not a clipped remainder
  double wall_seconds = 0.0;
  double clock = 0.0;
  geometry::State final_state;
  /// One line: "completed: reached t = 30; 412 steps (3 rejected), 2478 evaluations, 1.2 s"
  [[nodiscard]] std::string brief_report() const;
};

/// What is saved and watched.
struct SolvePlan {
  SaveSchedule states, series;
  bool save_states = true;
  std::vector<std::unique_ptr<observables::Observable>> observables;
  std::vector<Event> events;
  std::function<double(double)> beta; ///< for frames; null: 0
};

/// Integrates from x0 (a state of the equation, on the manifold) over `span`. Numerical ends are outcomes; exceptions
/// come from the sink, from broken beliefs, or are InputError for times to save that lie between steps of a method
/// without dense output (author_euler, layers). On every early end the last good state is saved too. Breakpoints
/// between layers act at the layer whose middle comes after them. The step sequence does not depend on plan.states,
/// plan.series or on observables; events change it only by ending the run.
[[nodiscard]] SolveSummary solve(const dynamics::Equation& equation, const geometry::State& x0, core::Interval span,
                                 const SolveOptions& options, const SolvePlan& plan, Sink& sink);

/// Reads [solver] for a flow: method, rtol, atol, radius_rtol, radius_atol, error_scale, step, first_step,
/// largest_step, smallest_step, max_steps, max_wall ("10 min", "2 h", seconds). Without a method it is the default one
/// for rtol, or dopri5 where a step is given. Options of other methods are refused by name.
[[nodiscard]] SolveOptions read_solve_options(core::Settings& solver, core::Interval span);

} // namespace normdyn::integrate
