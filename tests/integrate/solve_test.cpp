#include "normdyn/integrate/solve.hpp"
#include "problems/rotation.hpp"
#include "problems/two_tokens.hpp"
#include "support/recording_sink.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn;
using namespace normdyn::integrate;

namespace {

const std::vector<Method> adaptive = {Method::dopri5, Method::dop853, Method::cash_karp54, Method::fehlberg78,
                                      Method::bulirsch_stoer};

double gamma_of(const support::Row& row) {
  return row.theta[0] * row.theta[2] + row.theta[1] * row.theta[3];
}

SolveOptions with(Method method, double tolerance) {
  SolveOptions options;
  options.method = method;
  options.tolerance = {tolerance, tolerance, tolerance, tolerance};
  return options;
}

SolvePlan saving(std::vector<double> times) {
  SolvePlan plan;
  plan.states = SaveSchedule::at(std::move(times));
  return plan;
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

// F11: rows between steps are as accurate as steps, and on the sphere.
BOOST_AUTO_TEST_CASE(dense_rows_are_accurate_and_on_the_sphere) {
  const problems::TwoTokens problem = problems::constant_rate();
  for (const Method method : adaptive) {
    support::RecordingSink sink;
    const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 5.0}, with(method, 1e-10),
                               saving(linear_grid(0.0, 5.0, 501)), sink);
    BOOST_TEST_CONTEXT(method_name(method)) {
      BOOST_TEST((summary.outcome.kind == Outcome::Kind::completed));
      BOOST_TEST(sink.states.size() == 501u);
      for (const support::Row& row : sink.states) {
        BOOST_TEST(std::abs(gamma_of(row) - std::tanh(row.time)) < 1e-8);
        for (std::size_t j = 0; j < 2; ++j)
          BOOST_TEST(std::abs(std::hypot(row.theta[2 * j], row.theta[2 * j + 1]) - 1.0) <= 1e-14);
      }
      BOOST_TEST(std::abs(summary.clock - 5.0) < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_error_falls_with_the_tolerance) {
  const problems::Rotation problem;
  for (const Method method : adaptive) {
    double previous = 1.0;
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      support::RecordingSink sink;
      const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 10.0}, with(method, tolerance),
                                 saving(linear_grid(0.0, 10.0, 173)), sink);
      double worst = 0.0;
      for (const support::Row& row : sink.states) {
        const geometry::State exact = problem.exact(row.time);
        for (std::size_t i = 0; i < 3; ++i)
          worst = std::max(worst, std::abs(row.theta[i] - exact[i]));
        worst = std::max(worst, std::abs(row.radius[0] - exact[3]));
      }
      BOOST_TEST_MESSAGE(method_name(method) << " tol " << tolerance << ": error " << worst << ", "
                                             << summary.evaluations << " evaluations");
      BOOST_TEST(worst < 300.0 * tolerance, method_name(method) << " at " << tolerance << ": " << worst);
      BOOST_TEST(worst < 0.2 * previous);
      previous = worst;
    }
  }
}

// F10: the save grid never changes a step.
BOOST_AUTO_TEST_CASE(output_never_changes_the_trajectory) {
  const problems::TwoTokens problem = problems::jumping_rate(0.7);
  for (const Method method : adaptive) {
    std::vector<double> steps;
    geometry::State final_state;
    for (const std::int64_t count : {2, 10, 10000}) {
      support::RecordingSink sink;
      const auto summary = solve(problem.equation, problem.exact(0.0), {0.0, 2.0}, with(method, 1e-9),
                                 saving(linear_grid(0.0, 2.0, count)), sink);
      BOOST_TEST(sink.states.size() == static_cast<std::size_t>(count));
      if (!steps.empty()) {
        BOOST_TEST((steps == sink.step_times));
        BOOST_TEST((final_state == summary.final_state));
      }
      steps = sink.step_times;
      final_state = summary.final_state;
    }
  }
}

// F08: steps land on the jump, which has one row.
BOOST_AUTO_TEST_CASE(a_step_ends_exactly_at_a_jump) {
  const double tau = 1.0 / 3.0;
  const problems::TwoTokens problem = problems::jumping_rate(tau);
  for (const Method method : adaptive) {
    support::RecordingSink sink;
    const auto summary =
        solve(problem.equation, problem.exact(0.0), {0.0, 2.0}, with(method, 1e-9), saving({0.0, tau, 1.0, 2.0}), sink);
    BOOST_TEST(std::count(sink.step_times.begin(), sink.step_times.end(), tau) == 1);
    BOOST_TEST(sink.step_times.back() == 2.0);
    BOOST_TEST((sink.times() == std::vector<double>{0.0, tau, 1.0, 2.0}));
    BOOST_TEST(summary.steps_rejected < 10);
    BOOST_TEST(!problem.equation.witness->left_piece);
    for (const support::Row& row : sink.states)
      BOOST_TEST(std::abs(gamma_of(row) - std::tanh(problem.total(row.time))) < 1e-7);
  }
}

// F05: times are relative.
BOOST_AUTO_TEST_CASE(a_tiny_span_is_integrated) {
  const problems::TwoTokens problem = problems::constant_rate(1e17);
  support::RecordingSink sink;
  (void)solve(problem.equation, problem.exact(0.0), {0.0, 1e-17}, with(Method::dopri5, 1e-9), saving({1e-17}), sink);
  BOOST_REQUIRE(sink.states.size() == 1u);
  BOOST_TEST(std::abs(gamma_of(sink.states.back()) - std::tanh(1.0)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(a_run_of_no_length_has_one_row) {
  const problems::TwoTokens problem = problems::constant_rate();
  support::RecordingSink sink;
  const auto summary = solve(problem.equation, problem.exact(0.0), {2.0, 2.0}, {}, {}, sink);
  BOOST_TEST((summary.outcome.kind == Outcome::Kind::completed));
  BOOST_TEST((sink.times() == std::vector<double>{2.0}));
  BOOST_TEST(summary.steps_accepted == 0);
}

BOOST_AUTO_TEST_SUITE_END()
