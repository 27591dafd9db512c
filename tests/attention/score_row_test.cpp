#include "normdyn/attention/score_row.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace normdyn::attention;

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(the_exponential_is_right_to_one_unit_in_the_last_place) {
  double worst = 0.0;
  for (int i = 0; i < 100'000; ++i) {
    std::vector<double> x(8);
    for (int lane = 0; lane < 8; ++lane)
      x[static_cast<std::size_t>(lane)] = -708.0 * std::pow((i + lane / 8.0) / 100'000.0, 3.0);
    std::vector<double> y = x;
    (void)exponentiate(y.data(), 8, 0.0);
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const long double exact = std::exp(static_cast<long double>(x[lane]));
      worst = std::max(worst, static_cast<double>(std::abs((static_cast<long double>(y[lane]) - exact) / exact)));
    }
  }
  BOOST_TEST(worst < 0x1p-52);
}

BOOST_AUTO_TEST_CASE(the_exponential_treats_its_ends_exactly) {
  std::vector<double> x{0.0,
                        -0.0,
                        -709.0,
                        -1e5,
                        -std::numeric_limits<double>::infinity(),
                        -708.5,
                        -1e308,
                        std::numeric_limits<double>::quiet_NaN()};
  const ExponentialSums sums = exponentiate(x.data(), 8, 0.0);
  BOOST_TEST(x[0] == 1.0);
  BOOST_TEST(x[1] == 1.0);
  for (std::size_t i = 2; i < 7; ++i)
    BOOST_TEST(x[i] == 0.0);
  BOOST_TEST(std::isnan(x[7]));
  BOOST_TEST(std::isnan(sums.total));
}

BOOST_AUTO_TEST_CASE(scaling_masks_the_rest_of_the_row_for_every_sign_of_beta) {
  for (const double beta : {2.0, 0.0, -2.0}) {
    std::vector<double> scores(16, 99.0);
    scores[0] = 1.0;
    scores[1] = -3.0;
    scores[2] = 0.5;
    BOOST_TEST(scale_scores(scores.data(), 3, beta) == std::max(beta, -3.0 * beta));
    const ExponentialSums sums = exponentiate(scores.data(), 3, std::max(beta, -3.0 * beta));
    for (std::size_t k = 3; k < 8; ++k)
      BOOST_TEST(scores[k] == 0.0);
    BOOST_TEST(scores[8] == 99.0);
    BOOST_TEST(sums.total == scores[0] + scores[1] + scores[2]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
