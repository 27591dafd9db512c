// The tableau of DOP853 against the conditions of order that any Runge-Kutta method of order 8 satisfies; its class as
// Odeint sees it; its estimate of errors.
#include "normdyn/integrate/dormand_prince_853.hpp"

#include "normdyn/integrate/solve.hpp"
#include "support/recording_sink.hpp"
#include "support/toy_equation.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <limits>

using namespace normdyn;
using namespace normdyn::integrate;
using dop853::a, dop853::c, dop853::Row;

namespace {

const Row& b = a[12];

double power(double x, int k) {
  return k == 0 ? 1.0 : std::pow(x, k);
}

/// Rounding of a sum: some units in the last place of its terms.
constexpr double rounding = 1e-13;

/// Weights of the interpolant at s = (t - t_old)/h: x(t) - x_old = h sum_i weight_i k_i, read off by asking for
/// problems whose derivative is 1 at one stage and 0 at the others.
Row interpolant_weights(double s) {
  Row weights{};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    DormandPrince853 stepper;
    std::size_t call = 0;
    const std::array<std::size_t, 15> order = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 12};
    const auto rate = [&](const geometry::State&, geometry::State& dxdt, double) {
      dxdt = {order.at(call++) == i ? 1.0 : 0.0};
    };
    const geometry::State x = {0.0}, k0 = {i == 0 ? 1.0 : 0.0}, k12 = {i == 12 ? 1.0 : 0.0};
    geometry::State end(1), at(1), e5, e3;
    stepper.do_step_with_errors(std::ref(rate), x, k0, 0.0, end, 1.0, e5, e3);
    stepper.extend(std::ref(rate), x, k0, 0.0, k12, 1.0);
    stepper.calc_state(s, at, x, k0, 0.0, end, k12, 1.0);
    weights[i] = at[0];
  }
  return weights;
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

BOOST_AUTO_TEST_CASE(each_stage_of_dop853_stands_at_its_time) {
  for (std::size_t i = 0; i < dop853::n_stages; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < dop853::n_stages; ++j) {
      sum += a[i][j];
      BOOST_TEST((j < i || a[i][j] == 0.0)); // explicit
    }
    BOOST_TEST(std::abs(sum - c[i]) < rounding, i);
  }
}

BOOST_AUTO_TEST_CASE(dop853_integrates_polynomials_of_degree_7_and_no_more) {
  for (int k = 0; k <= 7; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 12; ++i)
      sum += b[i] * power(c[i], k);
    BOOST_TEST(std::abs(sum - 1.0 / (k + 1)) < rounding, k);
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < 12; ++i)
    sum += b[i] * power(c[i], 8);
  BOOST_TEST(std::abs(sum - 1.0 / 9.0) > 1e-7);
}

// With D(1), b_2 = 0 and the stage order that follows, trees that begin with one branch need no condition of their own.
BOOST_AUTO_TEST_CASE(dop853_satisfies_the_simplifying_assumption_d1) {
  for (std::size_t j = 0; j < 12; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 12; ++i)
      sum += b[i] * a[i][j];
    BOOST_TEST(std::abs(sum - b[j] * (1.0 - c[j])) < rounding, j);
  }
}

// sum b_i c_i^p (sum_j a_ij c_j^q) = 1/((q + 1)(p + q + 2)) and its like for chains of three.
BOOST_AUTO_TEST_CASE(dop853_satisfies_the_conditions_of_taller_trees) {
  for (int p = 0; p <= 6; ++p)
    for (int q = 0; p + q <= 6; ++q) {
      double sum = 0.0;
      for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < i; ++j)
          sum += b[i] * power(c[i], p) * a[i][j] * power(c[j], q);
      BOOST_TEST(std::abs(sum - 1.0 / ((q + 1.0) * (p + q + 2.0))) < rounding, p << " " << q);
    }
  for (int p = 0; p <= 5; ++p)
    for (int q = 0; p + q <= 5; ++q)
      for (int r = 0; p + q + r <= 5; ++r) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 12; ++i)
          for (std::size_t j = 0; j < i; ++j)
            for (std::size_t l = 0; l < j; ++l)
              sum += b[i] * power(c[i], p) * a[i][j] * power(c[j], q) * a[j][l] * power(c[l], r);
        const double exact = 1.0 / ((r + 1.0) * (q + r + 2.0) * (p + q + r + 3.0));
        BOOST_TEST(std::abs(sum - exact) < rounding, p << " " << q << " " << r);
      }
}

BOOST_AUTO_TEST_CASE(the_errors_of_dop853_come_from_formulas_of_order_5_and_3) {
  for (int k = 0; k <= 5; ++k) {
    double five = 0.0, three = 0.0;
    for (std::size_t i = 0; i < 12; ++i) {
      five += dop853::e5[i] * power(c[i], k);
      three += dop853::b3[i] * power(c[i], k);
    }
    BOOST_TEST((std::abs(five) < rounding) == (k < 5), "order 5, power " << k << ": " << five);
    if (k <= 3)
      BOOST_TEST((std::abs(three - 1.0 / (k + 1)) < rounding) == (k < 3), "order 3, power " << k << ": " << three);
  }
}

BOOST_AUTO_TEST_CASE(the_interpolant_of_dop853_integrates_polynomials_of_degree_6) {
  for (const double s : {0.05, 0.31, 0.5, 0.77, 0.95}) {
    const Row weights = interpolant_weights(s);
    for (int k = 0; k <= 6; ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < dop853::n_stages; ++i)
        sum += weights[i] * power(c[i], k);
      BOOST_TEST(std::abs(sum - power(s, k + 1) / (k + 1)) < 10 * rounding, s << " " << k);
    }
    for (int p = 0; p <= 5; ++p) // and its trees of height 2
      for (int q = 0; p + q <= 5; ++q) {
        double sum = 0.0;
        for (std::size_t i = 0; i < dop853::n_stages; ++i)
          for (std::size_t j = 0; j < i; ++j)
            sum += weights[i] * power(c[i], p) * a[i][j] * power(c[j], q);
        BOOST_TEST(std::abs(sum - power(s, p + q + 2) / ((q + 1.0) * (p + q + 2.0))) < 10 * rounding,
                   s << " " << p << " " << q);
      }
  }
}

BOOST_AUTO_TEST_CASE(odeint_steps_with_dop853_as_with_its_own) {
  namespace odeint = boost::numeric::odeint;
  const auto pendulum = [](const geometry::State& x, geometry::State& dxdt, double) {
    dxdt.resize(2);
    dxdt[0] = x[1];
    dxdt[1] = -x[0];
  };
  DormandPrince853 stepper;
  BOOST_TEST(stepper.order() == 8);
  BOOST_TEST(stepper.error_order() == 7);
  geometry::State x = {1.0, 0.0};
  for (int i = 0; i < 20; ++i)
    stepper.do_step(pendulum, x, 0.1 * i, 0.1); // in place, plain
  BOOST_TEST(std::hypot(x[0] - std::cos(2.0), x[1] + std::sin(2.0)) < 1e-12);

  geometry::State error(2);
  stepper.do_step(pendulum, x, 2.0, 0.1, error); // with the error of each component
  BOOST_TEST(std::hypot(x[0] - std::cos(2.1), x[1] + std::sin(2.1)) < 1e-12);
  BOOST_TEST(std::abs(error[0]) < 1e-9);
  BOOST_TEST(error[0] != 0.0);
}

BOOST_AUTO_TEST_CASE(an_error_that_is_not_finite_is_infinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity}) {
    BOOST_TEST(DormandPrince853::combined(bad, 1.0) == infinity);
    BOOST_TEST(DormandPrince853::combined(1.0, bad) == infinity);
    BOOST_TEST(DormandPrince853::combined(0.0, bad) == infinity);
  }
  BOOST_TEST(DormandPrince853::combined(0.0, 0.0) == 0.0);
  BOOST_TEST(DormandPrince853::combined(0.0, 1.0) == 0.0);
  BOOST_TEST(std::abs(DormandPrince853::combined(3.0, 40.0) - 9.0 / 5.0) < 1e-15);
  BOOST_TEST(DormandPrince853::combined(1e200, 1e200) < 1e200);
}

// One token turns at a rate that depends on time alone, with a burst that a step must not overlook: fehlberg78, which
// estimates errors at the ends of the step only, would.
BOOST_AUTO_TEST_CASE(dop853_sees_rates_that_depend_on_time_alone) {
  const auto rate = [](double t) { return 0.5 + 3.0 / (1.0 + 400.0 * (t - 4.3) * (t - 4.3)); };
  const auto angle = [](double t) { return 0.5 * t + 0.15 * (std::atan(20.0 * (t - 4.3)) + std::atan(86.0)); };
  const support::ToyEquation equation(
      {.n_tokens = 1, .dim = 2, .has_radius = false},
      [rate](const geometry::State& x, geometry::State& dxdt, double t, core::Interval) {
        dxdt[0] = -rate(t) * x[1];
        dxdt[1] = rate(t) * x[0];
        dxdt[2] = 1.0;
      });
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    SolveOptions options;
    options.method = Method::dop853;
    options.tolerance = {tolerance, tolerance, tolerance, tolerance};
    SolvePlan plan;
    plan.states = SaveSchedule::at(linear_grid(0.0, 10.0, 301));
    support::RecordingSink sink;
    (void)solve(equation, {1.0, 0.0, 0.0}, {0.0, 10.0}, options, plan, sink);
    double worst = 0.0;
    for (const support::Row& row : sink.states)
      worst = std::max(worst,
                       std::hypot(row.theta[0] - std::cos(angle(row.time)), row.theta[1] - std::sin(angle(row.time))));
    BOOST_TEST_MESSAGE("dop853, rate of t alone, tol " << tolerance << ": error " << worst);
    BOOST_TEST(worst < 50.0 * tolerance, tolerance);
  }
}

BOOST_AUTO_TEST_SUITE_END()
