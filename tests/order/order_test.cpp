// The measured order of every stepper and of its dense output on the sphere, for smooth problems and across a jump.
#include "normdyn/integrate/solve.hpp"
#include "problems/rotation.hpp"
#include "problems/two_tokens.hpp"
#include "support/recording_sink.hpp"

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include <functional>

using namespace normdyn;
using integrate::Method;

namespace {

double largest_error(const support::Row& row, const geometry::State& exact) {
  double worst = std::abs(row.clock - exact.back());
  for (std::size_t i = 0; i < row.theta.size(); ++i)
    worst = std::max(worst, std::abs(row.theta[i] - exact[i]));
  for (std::size_t i = 0; i < row.radius.size(); ++i)
    worst = std::max(worst, std::abs(row.radius[i] - exact[row.theta.size() + i]));
  return worst;
}

/// Largest error over rows at `times`, against the exact state at each row's own time.
template <class Problem>
double error_of(const Problem& problem, Method method, double step, double end, std::vector<double> times) {
  support::RecordingSink sink;
  integrate::SolvePlan plan;
  plan.states = integrate::SaveSchedule::at(std::move(times));
  integrate::SolveOptions options;
  options.method = method;
  options.step = step;
  const auto summary = integrate::solve(problem.equation, problem.exact(0.0), {0.0, end}, options, plan, sink);
  BOOST_REQUIRE(summary.outcome.kind == integrate::Outcome::Kind::completed);
  double worst = 0.0;
  for (const support::Row& row : sink.states)
    worst = std::max(worst, largest_error(row, problem.exact(row.time)));
  return worst;
}

/// Slopes between successive halvings, as long as rounding does not show.
template <class Problem>
void check_slope(const char* name, const Problem& problem, Method method, double order,
                 const std::vector<double>& steps_per_unit, double end,
                 const std::function<std::vector<double>(double h)>& times_of) {
  std::vector<double> log_h, log_e;
  for (const double n : steps_per_unit) {
    const double h = 1.0 / n;
    const double error = error_of(problem, method, h, end, times_of(h));
    BOOST_TEST_MESSAGE(fmt::format("  {} h = {:.5f}: {:.2e}", name, h, error));
    if (error < 1e-4 && error > 2e-13) {
      log_h.push_back(std::log(h));
      log_e.push_back(std::log(error));
    }
  }
  BOOST_REQUIRE_MESSAGE(log_h.size() >= 3, name << ": too few errors between 1e-4 and rounding");
  double mean_h = 0.0, mean_e = 0.0, hh = 0.0, he = 0.0;
  const double count = static_cast<double>(log_h.size());
  for (std::size_t i = 0; i < log_h.size(); ++i) {
    mean_h += log_h[i] / count;
    mean_e += log_e[i] / count;
  }
  for (std::size_t i = 0; i < log_h.size(); ++i) {
    hh += (log_h[i] - mean_h) * (log_h[i] - mean_h);
    he += (log_h[i] - mean_h) * (log_e[i] - mean_e);
  }
  const double slope = he / hh;
  BOOST_TEST_MESSAGE(fmt::format("{}: slope {:.3f} over {} steps", name, slope, log_h.size()));
  // Multistep runs mix Fehlberg's start, of order 8, with a corrector of order 9. A start of order 4 would show as 5.
  const double spread = method == Method::adams_bashforth_moulton ? 1.0 : order > 6.0 ? 0.5 : 0.2;
  BOOST_CHECK_MESSAGE(std::abs(slope - order) < spread, name << ": slope " << slope << ", expected " << order);
}

struct Case {
  Method method;
  double order;
  std::vector<double> steps_per_unit;
};

// Steps per unit of time such that errors lie between 1e-4 and rounding.
const std::vector<Case> cases = {
    {Method::euler, 1.0, {10000, 20000, 40000}},
    {Method::rk4, 4.0, {10, 20, 40, 80, 160, 320}},
    {Method::dopri5, 5.0, {10, 20, 40, 80, 160}},
    {Method::cash_karp54, 5.0, {10, 20, 40, 80, 160}},
    {Method::dop853, 8.0, {2, 3, 4, 6, 8, 12, 16}},
    {Method::fehlberg78, 8.0, {2, 3, 4, 6, 8, 12, 16}},
    {Method::adams_bashforth_moulton, 8.4, {30, 40, 60, 80, 100}},
};

/// The ends of at most 100 steps.
std::function<std::vector<double>(double)> at_steps(double end) {
  return [end](double h) {
    const std::int64_t n = std::lround(end / h), stride = std::max<std::int64_t>(1, n / 100);
    std::vector<double> times;
    for (std::int64_t k = stride; k <= n; k += stride)
      times.push_back(static_cast<double>(k) * h);
    return times;
  };
}

/// Inside at most 100 steps from `begin` on, at the same fraction of each.
std::function<std::vector<double>(double)> inside_steps(double begin, double end) {
  return [=](double h) {
    const std::int64_t n = std::lround(std::floor((end - begin) / h)), stride = std::max<std::int64_t>(1, n / 100);
    std::vector<double> times;
    for (std::int64_t k = 0; k < n; k += stride)
      times.push_back(begin + (static_cast<double>(k) + 0.3819660112501051) * h);
    return times;
  };
}

} // namespace

BOOST_AUTO_TEST_SUITE(order)

BOOST_AUTO_TEST_CASE(each_stepper_has_its_order_at_its_steps) {
  for (const Case& c : cases)
    check_slope(integrate::method_name(c.method), problems::smooth_rate(), c.method, c.order, c.steps_per_unit, 1.0,
                at_steps(1.0));
}

BOOST_AUTO_TEST_CASE(each_stepper_has_its_order_between_its_steps) {
  for (const Case& c : cases)
    check_slope(integrate::method_name(c.method), problems::smooth_rate(), c.method, c.order, c.steps_per_unit, 1.0,
                inside_steps(0.0, 1.0));
}

BOOST_AUTO_TEST_CASE(a_jump_between_steps_costs_no_order) {
  const double tau = 0.4371;
  for (const Case& c : cases) {
    check_slope(integrate::method_name(c.method), problems::jumping_rate(tau, c.order > 6.0 ? 4.0 : 1.0), c.method,
                c.order, c.steps_per_unit, 2.0, inside_steps(tau, 2.0));
  }
}

BOOST_AUTO_TEST_CASE(radii_and_directions_that_keep_moving_have_the_order_too) {
  for (const Case& c : cases)
    if (c.method != Method::euler)
      check_slope(integrate::method_name(c.method), problems::Rotation{c.order > 6.0 ? 3.0 : 1.0}, c.method, c.order,
                  c.steps_per_unit, 2.0, inside_steps(0.0, 2.0));
}

BOOST_AUTO_TEST_CASE(dopri5_at_its_own_stored_times_has_slope_5) {
  const problems::TwoTokens problem = problems::constant_rate();
  check_slope("dopri5, rows", problem, Method::dopri5, 5.0, {5, 10, 20, 40, 80}, 1.0, inside_steps(0.0, 1.0));
}

// The eight rows that Fehlberg's start makes, and the eight after it: errors of single steps, O(h^9). A start of order
// 4 would leave O(h^5) in all of them.
BOOST_AUTO_TEST_CASE(adams_bashforth_moulton_is_as_accurate_in_its_first_rows) {
  const problems::Rotation problem{3.0};
  for (const std::int64_t first : {1, 9}) {
    const std::vector<double> steps = {1.0 / 8, 1.0 / 12, 1.0 / 16};
    std::vector<double> errors;
    for (const double h : steps) {
      std::vector<double> times;
      for (std::int64_t k = first; k < first + 8; ++k)
        times.push_back(static_cast<double>(k) * h);
      errors.push_back(error_of(problem, Method::adams_bashforth_moulton, h, 17.0 * h, times));
    }
    const double slope = std::log(errors.front() / errors.back()) / std::log(steps.front() / steps.back());
    BOOST_TEST_MESSAGE(fmt::format("rows from {}: errors {:.1e} {:.1e} {:.1e}, slope {:.2f}", first, errors[0],
                                   errors[1], errors[2], slope));
    BOOST_TEST(slope > 8.0);
    BOOST_TEST(errors.back() > 1e-14); // above rounding
  }
}

BOOST_AUTO_TEST_CASE(author_euler_has_order_1) {
  check_slope("author_euler", problems::constant_rate(), Method::author_euler, 1.0, {10000, 20000, 40000}, 1.0,
              at_steps(1.0));
}

BOOST_AUTO_TEST_SUITE_END()
