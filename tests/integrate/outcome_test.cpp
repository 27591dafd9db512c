// Numerical ends are values, reached in bounded work, with the rows before them kept.
#include "normdyn/integrate/solve.hpp"

#include "normdyn/core/error.hpp"
#include "problems/rotation.hpp"
#include "problems/two_tokens.hpp"
#include "support/recording_sink.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace normdyn;
using namespace normdyn::integrate;

namespace {

const std::vector<Method> flows = {
    Method::dopri5, Method::cash_karp54, Method::fehlberg78, Method::bulirsch_stoer, Method::adams_bashforth_moulton,
    Method::rk4,    Method::euler};

SolveOptions with(Method method, double step = 0.01) {
  SolveOptions options;
  options.method = method;
  options.step = has_fixed_step(method) ? step : 0.0;
  return options;
}

SolvePlan every_step() {
  SolvePlan plan;
  plan.states = SaveSchedule::every(1);
  return plan;
}

bool is_finite(const support::Row& row) {
  for (const double value : row.theta)
    if (!std::isfinite(value))
      return false;
  return std::isfinite(row.clock);
}

support::ToyEquation one_token(support::Field field) {
  return {{.n_tokens = 1, .dim = 2, .has_radius = false}, std::move(field)};
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

// F01: NaN from t = 0.5 on.
BOOST_AUTO_TEST_CASE(a_field_that_turns_nan_ends_the_run_before_it) {
  for (const Method method : flows) {
    const support::ToyEquation equation =
        one_token([](const geometry::State& x, geometry::State& dxdt, double t, core::Interval) {
          const double c = t < 0.5 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
          dxdt = {-c * x[1], c * x[0], 1.0};
        });
    support::RecordingSink sink;
    const auto summary = solve(equation, {1.0, 0.0, 0.0}, {0.0, 1.0}, with(method), every_step(), sink);
    BOOST_TEST_CONTEXT(method_name(method)) {
      BOOST_TEST((summary.outcome.kind == Outcome::Kind::non_finite), summary.outcome.text);
      BOOST_TEST(summary.outcome.time <= 0.5 + 1e-12);
      BOOST_TEST(summary.outcome.time > 0.4);
      BOOST_TEST(summary.evaluations < 40000);
      for (const support::Row& row : sink.states) {
        BOOST_TEST(is_finite(row));
        BOOST_TEST(std::abs(row.theta[0] - std::cos(row.time)) < 0.01);
      }
      BOOST_TEST(sink.states.back().time == summary.outcome.time);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_end_before_the_field_turns_nan_is_reached) {
  for (const Method method : flows) {
    const support::ToyEquation equation =
        one_token([](const geometry::State& x, geometry::State& dxdt, double t, core::Interval) {
          const double c = t <= 0.5 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
          dxdt = {-c * x[1], c * x[0], 1.0};
        });
    support::RecordingSink sink;
    const auto summary = solve(equation, {1.0, 0.0, 0.0}, {0.0, 0.5}, with(method), every_step(), sink);
    BOOST_TEST((summary.outcome.kind == Outcome::Kind::completed), method_name(method) << summary.outcome.text);
  }
}

BOOST_AUTO_TEST_CASE(a_singular_start_keeps_the_first_row) {
  for (const Method method : {Method::dopri5, Method::bulirsch_stoer, Method::rk4, Method::layers}) {
    support::ToyEquation equation =
        one_token([](const geometry::State&, geometry::State& dxdt, double, core::Interval) {
          dxdt = {0.0, 0.0, 1.0};
        });
    equation.singular = [](const geometry::State&, double) { return true; };
    support::RecordingSink sink;
    const auto summary = solve(equation, {1.0, 0.0, 0.0}, {0.0, 1.0}, with(method, 0.5), every_step(), sink);
    BOOST_TEST((summary.outcome.kind == Outcome::Kind::singular));
    BOOST_TEST(summary.outcome.time == 0.0);
    BOOST_TEST(summary.outcome.text == "toy: token 0: the drift vanishes");
    BOOST_TEST((sink.times() == std::vector<double>{0.0}));
    BOOST_TEST(summary.evaluations <= 1);
  }
}

BOOST_AUTO_TEST_CASE(a_singularity_on_the_way_is_named_when_it_is_met) {
  const problems::Rotation rotation;
  support::ToyEquation equation = rotation.equation;
  equation.singular = [](const geometry::State& x, double) { return x[3] > 2.0; };
  support::RecordingSink sink;
  const auto summary = solve(equation, rotation.exact(0.0), {0.0, 5.0}, {}, every_step(), sink);
  BOOST_TEST((summary.outcome.kind == Outcome::Kind::singular));
  BOOST_TEST(summary.outcome.time > std::asin(std::log(2.0)) - 1e-9);
  BOOST_TEST(sink.states.back().time == summary.outcome.time);
}

// A blow-up in finite time: r' = r^2 from r = 1 ends at t = 1 in bounded work.
BOOST_AUTO_TEST_CASE(a_blow_up_ends_with_an_outcome_and_does_not_hang) {
  for (const Method method : {Method::dopri5, Method::cash_karp54, Method::fehlberg78, Method::bulirsch_stoer}) {
    const support::ToyEquation equation({.n_tokens = 1, .dim = 2, .has_radius = true},
                                        [](const geometry::State& x, geometry::State& dxdt, double, core::Interval) {
                                          dxdt = {0.0, 0.0, x[2] * x[2], 1.0};
                                        });
    support::RecordingSink sink;
    const auto summary = solve(equation, {1.0, 0.0, 1.0, 0.0}, {0.0, 2.0}, with(method), {}, sink);
    BOOST_TEST(summary.outcome.is_failure(), method_name(method));
    BOOST_TEST(std::abs(summary.outcome.time - 1.0) < 1e-6);
    BOOST_TEST(summary.evaluations < 100000);
  }
}

BOOST_AUTO_TEST_CASE(a_smallest_step_ends_the_run_with_an_outcome) {
  const problems::Rotation rotation{1000.0};
  SolveOptions options;
  options.tolerance = {1e-12, 0.0, 1e-12, 1e-12};
  options.smallest_step = 0.1;
  support::RecordingSink sink;
  const auto summary = solve(rotation.equation, rotation.exact(0.0), {0.0, 1.0}, options, {}, sink);
  BOOST_TEST((summary.outcome.kind == Outcome::Kind::step_underflow));
  BOOST_TEST(summary.outcome.text.find("smallest_step") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(budgets_stop_the_run_and_keep_its_rows) {
  const problems::Rotation rotation;
  SolveOptions options;
  options.max_steps = 7;
  support::RecordingSink sink;
  auto summary = solve(rotation.equation, rotation.exact(0.0), {0.0, 1000.0}, options, {}, sink);
  BOOST_TEST((summary.outcome.kind == Outcome::Kind::stopped));
  BOOST_TEST(summary.steps_accepted + summary.steps_rejected == 7);
  BOOST_TEST(summary.outcome.text.find("max_steps = 7") != std::string::npos);
  BOOST_TEST(sink.states.back().time == summary.outcome.time);
  BOOST_TEST(std::abs(sink.states.back().theta[0] - std::sqrt(0.5) * std::cos(summary.outcome.time)) < 1e-6);

  options = {};
  options.max_wall_seconds = 0.05;
  support::RecordingSink second;
  summary = solve(rotation.equation, rotation.exact(0.0), {0.0, 1e9}, options, {}, second);
  BOOST_TEST((summary.outcome.kind == Outcome::Kind::stopped));
  BOOST_TEST(summary.outcome.text.find("max_wall") != std::string::npos);

  support::RecordingSink third;
  third.stop = [](const Progress& progress) { return progress.steps == 3; };
  summary = solve(rotation.equation, rotation.exact(0.0), {0.0, 1e9}, {}, {}, third);
  BOOST_TEST((summary.outcome.kind == Outcome::Kind::stopped));
  BOOST_TEST(summary.steps_accepted == 3);
}

// F14: a first step is tried, not believed; no evaluation leaves the run.
BOOST_AUTO_TEST_CASE(first_steps_are_under_error_control_and_inside_the_run) {
  for (const Method method : {Method::dopri5, Method::cash_karp54, Method::fehlberg78, Method::bulirsch_stoer})
    for (const double first : {10.0, 1e6, 1e-300, 0.0}) {
      const problems::TwoTokens problem = problems::constant_rate();
      SolveOptions options = with(method);
      options.first_step = first;
      options.tolerance = {1e-10, 1e-10, 1e-10, 1e-10};
      support::RecordingSink sink;
      const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 10.0}, options, {}, sink);
      BOOST_TEST((summary.outcome.kind == Outcome::Kind::completed));
      const std::vector<double>& theta = sink.states.back().theta;
      BOOST_TEST(std::abs(theta[0] * theta[2] + theta[1] * theta[3] - 0.9999999958776927) < 1e-9);
      BOOST_TEST(problem.equation.witness->first_time >= 0.0);
      BOOST_TEST(problem.equation.witness->last_time <= 10.0);
      BOOST_TEST(!problem.equation.witness->left_piece);
    }
}

// F16
BOOST_AUTO_TEST_CASE(a_zero_field_is_a_run_like_any_other) {
  for (const Method method : flows) {
    const support::ToyEquation equation =
        one_token([](const geometry::State&, geometry::State& dxdt, double, core::Interval) {
          dxdt = {0.0, 0.0, 0.0};
        });
    support::RecordingSink sink;
    SolvePlan plan;
    plan.states = SaveSchedule::at(linear_grid(0.0, 3.0, 11));
    const auto summary = solve(equation, {0.6, 0.8, 0.0}, {0.0, 3.0}, with(method), plan, sink);
    BOOST_TEST((summary.outcome.kind == Outcome::Kind::completed));
    BOOST_TEST(sink.states.size() == 11u);
    BOOST_TEST(std::abs(sink.states.back().theta[0] - 0.6) < 1e-14);
  }
}

// F07: a pulse between breakpoints is not jumped over.
BOOST_AUTO_TEST_CASE(a_late_pulse_is_seen) {
  for (const double end : {100.0, 1000.0}) {
    support::ToyEquation equation =
        one_token([](const geometry::State& x, geometry::State& dxdt, double, core::Interval piece) {
          const double c = piece.middle() > 50.0 && piece.middle() < 50.1 ? 10.0 : 0.0;
          dxdt = {-c * x[1], c * x[0], c};
        });
    equation.jumps = {50.0, 50.1};
    support::RecordingSink sink;
    const auto summary = solve(equation, {1.0, 0.0, 0.0}, {0.0, end}, {}, {}, sink);
    BOOST_TEST(std::abs(summary.final_state[0] - std::cos(1.0)) < 1e-7);
    BOOST_TEST(std::abs(summary.clock - 1.0) < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(output_between_layers_is_refused) {
  const problems::TwoTokens problem = problems::constant_rate();
  SolvePlan plan;
  plan.states = SaveSchedule::at({0.0, 0.25, 1.0});
  support::RecordingSink sink;
  BOOST_CHECK_THROW(
      (void)solve(problem.equation, problem.exact(0.0), {0.0, 1.0}, with(Method::author_euler, 0.1), plan, sink),
      core::InputError);
}

BOOST_AUTO_TEST_CASE(layers_are_counted_and_breakpoints_between_layers_are_rounded) {
  const problems::TwoTokens problem = problems::jumping_rate(2.4);
  support::RecordingSink sink;
  const auto summary =
      solve(problem.equation, problem.exact(0.0), {0.0, 6.0}, with(Method::layers, 1.0), every_step(), sink);
  BOOST_TEST((sink.times() == std::vector<double>{0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}));
  BOOST_TEST(sink.states.back().layer == 6);
  BOOST_TEST(summary.evaluations == 6);
  BOOST_TEST(problem.equation.witness->restarts == 2);
}

BOOST_AUTO_TEST_SUITE_END()
