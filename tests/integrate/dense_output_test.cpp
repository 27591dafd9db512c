// Rows and events between steps are as good as the steps, also where stability and not accuracy bounds these.
#include "normdyn/integrate/solve.hpp"
#include "problems/two_tokens.hpp"
#include "support/recording_sink.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

using namespace normdyn;
using namespace normdyn::integrate;

namespace {

/// bulirsch_stoer is not among them: at its bound of stability the steps themselves are off (docs/numerics.md).
constexpr Method runge_kutta_methods[] = {Method::dopri5, Method::dop853, Method::cash_karp54, Method::fehlberg78};

SolveOptions with(Method method, double tolerance) {
  SolveOptions options;
  options.method = method;
  options.tolerance = {tolerance, 0.0, tolerance, tolerance};
  return options;
}

/// Tokens of the circle that fall to one pole, each at its own rate: tan(angle/2) = e^(-rate t), from right angles.
struct Falling {
  std::vector<double> rates;

  [[nodiscard]] support::ToyEquation equation() const {
    return {{.n_tokens = rates.size(), .dim = 2, .has_radius = false},
            [rates = rates](const geometry::State& x, geometry::State& dxdt, double, core::Interval) {
              for (std::size_t j = 0; j < rates.size(); ++j) {
                const double sine = x[2 * j + 1];
                dxdt[2 * j] = rates[j] * sine * sine;
                dxdt[2 * j + 1] = -rates[j] * x[2 * j] * sine;
              }
              dxdt[2 * rates.size()] = 1.0;
            }};
  }
  [[nodiscard]] geometry::State begin() const {
    geometry::State x(2 * rates.size() + 1, 0.0);
    for (std::size_t j = 0; j < rates.size(); ++j)
      x[2 * j + 1] = 1.0;
    return x;
  }
  /// The largest error of an angle, over tokens.
  [[nodiscard]] double error(const support::Row& row) const {
    double worst = 0.0;
    for (std::size_t j = 0; j < rates.size(); ++j)
      worst = std::max(worst, std::abs(std::atan2(row.theta[2 * j + 1], row.theta[2 * j]) -
                                       2.0 * std::atan(std::exp(-rates[j] * row.time))));
    return worst;
  }
};

double angle(std::span<const double> theta) {
  return 2.0 * std::asin(0.5 * std::hypot(theta[0] - theta[2], theta[1] - theta[3]));
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

// Each token is within one tolerance after a step, within four between steps, and errors of earlier steps, which decay
// like e^(-t) over steps of length 1 and more once the angle is small, add up to less than two: an angle between two
// tokens is within 2 (4 + 2) tolerances.
BOOST_AUTO_TEST_CASE(rows_after_consensus_keep_the_tolerance) {
  const problems::TwoTokens problem = problems::constant_rate();
  for (const Method method : runge_kutta_methods)
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
      SolvePlan plan;
      plan.states = SaveSchedule::at(linear_grid(0.0, 300.0, 3001));
      support::RecordingSink sink;
      const auto summary =
          solve(problem.equation, problem.exact(0.0), {0.0, 300.0}, with(method, tolerance), plan, sink);
      double worst = 0.0;
      for (const support::Row& row : sink.states)
        worst =
            std::max(worst, std::abs(angle(row.theta) - std::atan2(1.0 / std::cosh(row.time), std::tanh(row.time))));
      BOOST_TEST_MESSAGE(method_name(method) << " to " << tolerance << ": rows within " << worst / tolerance
                                             << " tolerances, " << summary.evaluations << " evaluations");
      BOOST_TEST(worst <= 12.0 * tolerance, method_name(method) << " to " << tolerance << ": " << worst);
    }
}

BOOST_AUTO_TEST_CASE(rows_keep_the_tolerance_while_others_are_slow) {
  for (double ratio = 1.0; ratio < 150.0; ratio *= 1.13)
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
      const Method method = Method::dop853;
      const Falling problem{{1.0, 1.0 / ratio}};
      SolvePlan plan;
      plan.states = SaveSchedule::at(linear_grid(0.0, 300.0, 3001));
      support::RecordingSink sink;
      const auto summary =
          solve(problem.equation(), problem.begin(), {0.0, 300.0}, with(method, tolerance), plan, sink);
      double worst = 0.0;
      for (const support::Row& row : sink.states)
        worst = std::max(worst, problem.error(row));
      BOOST_TEST_MESSAGE(method_name(method) << ", rates 1 and 1/" << ratio << ": rows within " << worst / tolerance
                                             << " tolerances, " << summary.evaluations << " evaluations");
      BOOST_TEST(worst <= 12.0 * tolerance, method_name(method) << ", 1/" << ratio << ": " << worst);
    }
}

// The angle falls below the level for good at t = 16.1 and is below 1e-13 from t = 31 on.
BOOST_AUTO_TEST_CASE(tokens_that_have_merged_do_not_part_between_steps) {
  const problems::TwoTokens problem = problems::constant_rate();
  for (const Method method : runge_kutta_methods) {
    SolvePlan plan;
    plan.events.push_back({.name = "apart again",
                           .condition = "angle > 2e-7",
                           .observable = std::make_shared<support::FunctionObservable>(
                               "angle", [](const observables::Frame& frame) { return angle(frame.theta); }),
                           .kind = Event::Kind::rises_above,
                           .level = 2e-7});
    support::RecordingSink sink;
    (void)solve(problem.equation, problem.exact(0.0), {0.0, 300.0}, with(method, 1e-8), plan, sink);
    BOOST_REQUIRE(!sink.events.empty()); // true at the begin
    BOOST_TEST(sink.events.size() == 1u, method_name(method) << " at t = " << sink.events.back().time);
  }
}

BOOST_AUTO_TEST_SUITE_END()
