#include "normdyn/analysis/line.hpp"

#include "normdyn/core/random.hpp"
#include "support/checks.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::analysis;

BOOST_AUTO_TEST_SUITE(analysis)

BOOST_AUTO_TEST_CASE(an_exact_line_is_recovered) {
  const std::vector<double> x{1.0, 2.0, 4.0, 8.0}, y{-1.0, -3.0, -7.0, -15.0}; // y = 1 - 2 x
  const Line line = fit_line(x, y);
  BOOST_TEST(close(line.slope.value, -2.0, 1e-15));
  BOOST_TEST(close(line.intercept.value, 1.0, 1e-15));
  BOOST_TEST(close(line.root.value, 0.5, 1e-15));
  BOOST_TEST(close(line(3.0), -5.0, 1e-15));
  BOOST_TEST(line.residual < 1e-15);
}

// x = 1..5, y = 2, 4, 5, 4, 5: slope 0.6, intercept 2.2, sum of squares 2.4, hence s^2 = 0.8 and variances 0.08, 0.88.
BOOST_AUTO_TEST_CASE(intervals_are_those_of_the_textbook) {
  const std::vector<double> x{1.0, 2.0, 3.0, 4.0, 5.0}, y{2.0, 4.0, 5.0, 4.0, 5.0};
  const Line line = fit_line(x, y);
  const double t = student_quantile(3);
  BOOST_TEST(close(line.slope.value, 0.6, 1e-14));
  BOOST_TEST(close(line.intercept.value, 2.2, 1e-14));
  BOOST_TEST(close(line.residual, std::sqrt(2.4 / 5.0), 1e-14));
  BOOST_TEST(close(line.slope.half_width(), t * std::sqrt(0.08), 1e-14));
  BOOST_TEST(close(line.intercept.half_width(), t * std::sqrt(0.88), 1e-14));
}

BOOST_AUTO_TEST_CASE(intervals_cover_slope_and_root_in_95_of_100_noisy_lines) {
  core::RandomStream random(11, core::Purpose::token_direction, 0, 0);
  constexpr int n_draws = 4000;
  int slopes = 0, roots = 0;
  std::vector<double> x(12), y(12);
  for (int draw = 0; draw < n_draws; ++draw) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<double>(i);
      y[i] = 0.7 * (x[i] + 3.0) + 0.05 * random.normal();
    }
    const Line line = fit_line(x, y);
    slopes += line.slope.covers(0.7) ? 1 : 0;
    roots += line.root.covers(-3.0) ? 1 : 0;
  }
  BOOST_TEST(std::abs(slopes - 3800) < 55); // 4 sigma of the binomial law
  BOOST_TEST(std::abs(roots - 3800) < 55);
}

BOOST_AUTO_TEST_SUITE_END()
