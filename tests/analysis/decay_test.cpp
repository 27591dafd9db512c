#include "normdyn/analysis/decay.hpp"

#include "normdyn/core/error.hpp"
#include "support/checks.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::analysis;

namespace {

// u = (t + 3)^{-2} at t = 1, 2, 4, ..., with or without its exact log-derivative.
Decay power_decay(bool is_exact) {
  std::vector<double> times, values, slopes;
  for (double t = 1.0; t < 100.0; t *= 1.1) {
    times.push_back(t);
    values.push_back(1.0 / ((t + 3.0) * (t + 3.0)));
    slopes.push_back(-2.0 / (t + 3.0));
  }
  return decay_of(times, values, is_exact ? slopes : std::vector<double>{});
}

} // namespace

BOOST_AUTO_TEST_SUITE(analysis)

// The error at x_i is f^(5)/5! times the product of the other nodes' distances, and |f^(5)|/5! <= 0.4/(t + 3)^5 here.
BOOST_AUTO_TEST_CASE(differences_keep_the_error_bound_of_interpolation) {
  const Decay decay = power_decay(false);
  const std::vector<double> slopes = log_slopes(decay);
  for (std::size_t i = 0; i < decay.size(); ++i) {
    const std::size_t first = std::min(i < 2 ? 0 : i - 2, decay.size() - 5);
    double bound = 0.4 / std::pow(decay.times[first] + 3.0, 5.0);
    for (std::size_t k = first; k < first + 5; ++k)
      if (k != i)
        bound *= std::abs(decay.times[i] - decay.times[k]);
    BOOST_TEST(std::abs(slopes[i] + 2.0 / (decay.times[i] + 3.0)) <= bound + 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(differences_are_exact_for_polynomials_of_fourth_degree) {
  const auto log_u = [](double t) { return -t - 0.3 * t * t + 0.02 * t * t * t - 0.01 * t * t * t * t; };
  Decay decay;
  for (const double t : {0.0, 0.3, 1.0, 1.4, 2.0, 3.5}) {
    decay.times.push_back(t);
    decay.log_values.push_back(log_u(t));
  }
  const std::vector<double> slopes = log_slopes(decay);
  for (std::size_t i = 0; i < decay.size(); ++i) {
    const double t = decay.times[i];
    BOOST_TEST(close(slopes[i], -1.0 - 0.6 * t + 0.06 * t * t - 0.04 * t * t * t, 1e-13));
  }
}

BOOST_AUTO_TEST_CASE(two_samples_give_the_secant) {
  const std::vector<double> times{0.0, 2.0}, values{1.0, 0.25};
  const std::vector<double> slopes = log_slopes(decay_of(times, values));
  BOOST_TEST(close(slopes[0], std::log(0.25) / 2.0, 1e-15));
  BOOST_TEST(close(slopes[1], std::log(0.25) / 2.0, 1e-15));
}

BOOST_AUTO_TEST_CASE(another_clock_carries_the_exact_slope_along) {
  const Decay decay = power_decay(true), by_log = against_log_time(decay), by_root = against_root_time(decay);
  for (std::size_t i = 0; i < decay.size(); ++i) {
    const double t = decay.times[i];
    BOOST_TEST(close(by_log.times[i], std::log(t), 1e-15));
    BOOST_TEST(close(by_log.log_derivatives[i], -2.0 * t / (t + 3.0), 1e-15));
    BOOST_TEST(close(by_root.log_derivatives[i], -4.0 * std::sqrt(1.0 + t) / (t + 3.0), 1e-15));
  }
  BOOST_TEST(against(decay, by_log.times).log_derivatives.empty());
}

BOOST_AUTO_TEST_CASE(a_window_keeps_its_ends) {
  const std::vector<double> times{0.0, 1.0, 2.0, 3.0}, values{4.0, 3.0, 2.0, 1.0};
  const Decay part = window(decay_of(times, values), 1.0, 2.0);
  BOOST_TEST(part.times == (std::vector<double>{1.0, 2.0}), boost::test_tools::per_element());
  BOOST_TEST(part.log_values == (std::vector<double>{std::log(3.0), std::log(2.0)}), boost::test_tools::per_element());
  BOOST_TEST(window(part, 5.0, 6.0).size() == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_no_decay_is_refused) {
  const std::vector<double> times{0.0, 1.0}, back{1.0, 1.0}, values{1.0, 0.5}, negative{1.0, -0.5};
  BOOST_TEST(refuses<core::InputError>([&] { return decay_of(back, values); }, "goes from 1 to 1"));
  BOOST_TEST(refuses<core::InputError>([&] { return decay_of(times, negative); }, "-0.5 at 1 has no logarithm"));
  BOOST_TEST(refuses<core::InputError>([&] { return decay_of(times, std::vector{1.0}); }, "1 values for 2 times"));
  BOOST_TEST(refuses<core::InputError>([&] { return against_log_time(decay_of(times, values)); }, "begins with -inf"));
}

BOOST_AUTO_TEST_SUITE_END()
