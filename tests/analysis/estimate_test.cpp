#include "normdyn/analysis/estimate.hpp"

#include "normdyn/core/random.hpp"
#include "support/checks.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::analysis;

BOOST_AUTO_TEST_SUITE(analysis)

// Two-sided 95 %: Table 26.10 of Abramowitz and Stegun, and the normal limit 1.959964.
BOOST_AUTO_TEST_CASE(quantiles_are_those_of_the_printed_table) {
  BOOST_TEST(std::isinf(student_quantile(0)));
  BOOST_TEST(close(student_quantile(1), 12.706, 5e-5));
  BOOST_TEST(close(student_quantile(4), 2.776, 2e-4));
  BOOST_TEST(close(student_quantile(30), 2.042, 2e-4));
  BOOST_TEST(close(student_quantile(10000000), 1.959964, 1e-6));
}

BOOST_AUTO_TEST_CASE(the_interval_of_a_mean_is_students) {
  // mean 3, s^2 = 2.5, so that s/sqrt(5) = sqrt(1/2)
  const std::vector<double> samples{1.0, 2.0, 3.0, 4.0, 5.0};
  const Estimate mean = mean_estimate(samples);
  BOOST_TEST(close(mean.value, 3.0, 1e-15));
  BOOST_TEST(close(mean.half_width(), student_quantile(4) * std::sqrt(0.5), 1e-14));
  BOOST_TEST(close(mean.high - mean.value, mean.value - mean.low, 1e-14));
}

BOOST_AUTO_TEST_CASE(the_interval_covers_the_mean_in_95_of_100_draws) {
  core::RandomStream random(7, core::Purpose::token_direction, 0, 0);
  int covered = 0;
  constexpr int n_draws = 4000;
  for (int draw = 0; draw < n_draws; ++draw) {
    std::vector<double> samples(5);
    for (double& sample : samples)
      sample = 2.0 + random.normal();
    covered += mean_estimate(samples).covers(2.0) ? 1 : 0;
  }
  // binomial: 3800 +- 13.8, within 4 sigma
  BOOST_TEST(std::abs(covered - 3800) < 55);
}

BOOST_AUTO_TEST_CASE(too_few_samples_bound_nothing) {
  const std::vector<double> one{4.0};
  BOOST_TEST(mean_estimate(one).value == 4.0);
  BOOST_TEST(std::isinf(mean_estimate(one).half_width()));
  BOOST_TEST(std::isnan(mean_estimate({}).value));
}

BOOST_AUTO_TEST_CASE(halves_widen_an_interval_until_it_covers_a_limit_twice_as_near) {
  // errors 0.4 and 0.2 of a limit 2: just covered; errors 0.4 and 0.3 are not
  const Estimate just = covering_halves({2.3, 2.29, 2.31}, 2.4, 2.2);
  BOOST_TEST(close(just.low, 2.0, 1e-15));
  BOOST_TEST(just.covers(2.4));
  BOOST_TEST(!covering_halves({2.35, 2.34, 2.36}, 2.4, 2.3).covers(2.0));
  const Estimate noisy = covering_halves({1.0, 0.5, 1.5}, 1.01, 0.99);
  BOOST_TEST(noisy.low == 0.5);
  BOOST_TEST(noisy.high == 1.5);
  const Estimate coarse = covering_coarser({1.0, 0.99, 1.5}, 1.25);
  BOOST_TEST(coarse.low == 0.75);
  BOOST_TEST(coarse.high == 1.5);
}

BOOST_AUTO_TEST_SUITE_END()
