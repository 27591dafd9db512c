#include "normdyn/integrate/event.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/integrate/solve.hpp"
#include "problems/two_tokens.hpp"
#include "support/recording_sink.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <memory>

using namespace normdyn;
using namespace normdyn::integrate;

namespace {

using support::FunctionObservable;

Event event(Event::Kind kind, double level, FunctionObservable::Function function, bool is_integer = false,
            bool needs_motion = false) {
  return {.name = "it happens",
          .condition = "it happens",
          .observable = std::make_shared<FunctionObservable>("it", std::move(function), is_integer, needs_motion),
          .kind = kind,
          .level = level};
}

double turned(const observables::Frame& frame) {
  return std::atan2(frame.theta[1], frame.theta[0]);
}

support::ToyEquation turning() {
  return {{.n_tokens = 1, .dim = 2, .has_radius = false},
          [](const geometry::State& x, geometry::State& dxdt, double, core::Interval) {
            dxdt = {-x[1], x[0], 1.0};
          }};
}

SolveOptions precise(Method method = Method::dopri5) {
  SolveOptions options;
  options.method = method;
  options.tolerance = {1e-11, 1e-11, 1e-11, 1e-11};
  options.step = has_fixed_step(method) ? 0.01 : 0.0;
  return options;
}

std::vector<Event> read(const std::string& when, observables::ObservableContext context = {.n_tokens = 4, .dim = 3}) {
  core::Value root;
  root.set("time.stop.when", when);
  core::Settings config(root, "study.toml");
  core::Settings time = config.section("time"), output = config.section("output");
  return read_events(time, "stop", output, context, true);
}

std::string refusal(const std::string& when) {
  try {
    (void)read(when);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

// F17: the exact time, whatever the save grid and the method.
BOOST_AUTO_TEST_CASE(a_crossing_is_located_to_the_accuracy_of_the_run) {
  const problems::TwoTokens problem = problems::constant_rate();
  for (const Method method : {Method::dopri5, Method::cash_karp54, Method::fehlberg78, Method::bulirsch_stoer,
                              Method::rk4, Method::adams_bashforth_moulton})
    for (const std::int64_t rows : {2, 77}) {
      SolvePlan plan;
      plan.states = SaveSchedule::at(linear_grid(0.0, 5.0, rows));
      plan.events.push_back(event(Event::Kind::rises_above, 0.9, support::cosine));
      plan.events.back().is_terminal = true;
      support::RecordingSink sink;
      const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 5.0}, precise(method), plan, sink);
      BOOST_TEST((summary.outcome.kind == Outcome::Kind::event));
      BOOST_TEST(std::abs(summary.outcome.time / std::atanh(0.9) - 1.0) < 1e-8, method_name(method));
      BOOST_REQUIRE(sink.events.size() == 1u);
      BOOST_TEST(sink.events[0].time == summary.outcome.time);
      BOOST_TEST(std::abs(sink.events[0].value - 0.9) < 1e-12);
      BOOST_TEST(sink.states.back().time == summary.outcome.time); // the last row is the event's
      BOOST_TEST(std::is_sorted(sink.order.begin(), sink.order.end()));
    }
}

BOOST_AUTO_TEST_CASE(a_condition_true_at_the_start_is_recorded_with_the_true_state) {
  const problems::TwoTokens problem = problems::constant_rate();
  for (const bool is_terminal : {false, true}) {
    SolvePlan plan;
    plan.events.push_back(event(Event::Kind::falls_below, 0.5, support::cosine));
    plan.events.back().is_terminal = is_terminal;
    support::RecordingSink sink;
    const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 1.0}, {}, plan, sink);
    BOOST_REQUIRE(sink.events.size() == 1u);
    BOOST_TEST(sink.events[0].time == 0.0);
    BOOST_TEST(std::abs(sink.events[0].row.theta[0] - problem.exact(0.0)[0]) < 1e-15);
    BOOST_TEST((summary.outcome.kind == (is_terminal ? Outcome::Kind::event : Outcome::Kind::completed)));
    BOOST_TEST(sink.states.size() == (is_terminal ? 1u : 2u));
  }
}

BOOST_AUTO_TEST_CASE(two_crossings_inside_one_step_are_seen) {
  // The observable is above its level only for a twentieth of a step.
  SolvePlan plan;
  plan.events.push_back(event(Event::Kind::rises_above, 0.0, [](const observables::Frame& frame) {
    return 1e-4 - (frame.time - 0.7) * (frame.time - 0.7);
  }));
  SolveOptions options = precise();
  options.step = 0.4;
  support::RecordingSink sink;
  (void)solve(turning(), {1.0, 0.0, 0.0}, {0.0, 2.0}, options, plan, sink);
  BOOST_REQUIRE(sink.events.size() == 1u);
  BOOST_TEST(std::abs(sink.events[0].time - 0.69) < 1e-12);
}

BOOST_AUTO_TEST_CASE(every_change_of_a_count_is_found_in_order) {
  SolvePlan plan;
  plan.events.push_back(event(
      Event::Kind::changes, 0.0, [](const observables::Frame& frame) { return std::floor(turned(frame) * 10.0); },
      true));
  SolveOptions options = precise();
  options.step = 0.5; // five changes in each step
  support::RecordingSink sink;
  (void)solve(turning(), {1.0, 0.0, 0.0}, {0.0, 1.05}, options, plan, sink);
  BOOST_REQUIRE(sink.events.size() == 10u);
  for (std::size_t k = 0; k < 10; ++k) {
    BOOST_TEST(std::abs(sink.events[k].time - 0.1 * static_cast<double>(k + 1)) < 1e-4); // dopri5 at h = 0.5
    BOOST_TEST(sink.events[k].value == static_cast<double>(k + 1));
  }
}

BOOST_AUTO_TEST_CASE(a_speed_that_jumps_is_seen_at_the_breakpoint) {
  support::ToyEquation equation({.n_tokens = 1, .dim = 2, .has_radius = false},
                                [](const geometry::State& x, geometry::State& dxdt, double, core::Interval piece) {
                                  const double c = piece.middle() < 0.5 ? 1.0 : 0.25;
                                  dxdt = {-c * x[1], c * x[0], c};
                                });
  equation.jumps = {0.5};
  SolvePlan plan;
  plan.events.push_back(event(
      Event::Kind::falls_below, 0.5, [](const observables::Frame& frame) { return frame.token_speed[0]; }, false,
      true));
  plan.events.back().is_terminal = true;
  support::RecordingSink sink;
  const auto summary = solve(equation, {1.0, 0.0, 0.0}, {0.0, 1.0}, {}, plan, sink);
  BOOST_TEST((summary.outcome.kind == Outcome::Kind::event));
  BOOST_TEST(summary.outcome.time == 0.5);
  BOOST_TEST(sink.states.back().time == 0.5);
}

BOOST_AUTO_TEST_CASE(events_never_change_a_step) {
  const problems::TwoTokens problem = problems::smooth_rate();
  SolvePlan with_events;
  with_events.events.push_back(event(Event::Kind::rises_above, 0.5, support::cosine));
  support::RecordingSink plain, watched;
  const auto a = solve(problem.equation, problem.exact(0.0), {0.0, 3.0}, precise(Method::fehlberg78), {}, plain);
  const auto b =
      solve(problem.equation, problem.exact(0.0), {0.0, 3.0}, precise(Method::fehlberg78), with_events, watched);
  BOOST_TEST((plain.step_times == watched.step_times));
  BOOST_TEST((a.final_state == b.final_state));
  BOOST_TEST(a.evaluations == b.evaluations);
  BOOST_TEST(b.output_evaluations > 0);
}

BOOST_AUTO_TEST_CASE(conditions_are_read) {
  const Event below = read("max_angle < 1e-6").at(0);
  BOOST_TEST((below.kind == Event::Kind::falls_below));
  BOOST_TEST(below.level == 1e-6);
  BOOST_TEST(below.name == "max_angle < 1e-6");
  BOOST_TEST(below.is_terminal);
  BOOST_TEST((read(" mean_cosine>0.9").at(0).kind == Event::Kind::rises_above));
  BOOST_TEST((read("n_clusters changes").at(0).kind == Event::Kind::changes));
  BOOST_TEST(read("n_clusters <= 3").at(0).level > 3.0);
  BOOST_TEST(read("variance < 1/4").at(0).level == 0.25);
}

BOOST_AUTO_TEST_CASE(conditions_without_sense_are_refused_with_the_nearest_name) {
  BOOST_TEST(says(refusal("max_angel < 1e-6"), "max_angle"));
  BOOST_TEST(says(refusal("max_angle"), "max_angle"));
  BOOST_TEST(says(refusal("max_angle = 1"), "write"));
  BOOST_TEST(says(refusal("max_angle <"), "level"));
  BOOST_TEST(says(refusal("max_angle < tiny"), "tiny"));
  BOOST_TEST(says(refusal("max_angle < 1/0"), "finite"));
  BOOST_TEST(says(refusal("max_angle changes"), "level"));
  BOOST_TEST(says(refusal("radius_max > 2"), "radius_max"));
  BOOST_TEST(says(refusal("cosine_range > 0.9"), "cosine"));
  BOOST_TEST(says(refusal("< 3"), "write"));
}

BOOST_AUTO_TEST_SUITE_END()
