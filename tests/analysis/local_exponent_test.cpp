#include "normdyn/analysis/local_exponent.hpp"

#include "normdyn/core/error.hpp"
#include "support/checks.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::analysis;

namespace {

// u = r^{-2} for the radius r = t + 3.
struct Sample {
  Decay decay;
  std::vector<double> radius, radius_rates;
};
Sample sample() {
  Sample all;
  std::vector<double> times, values, slopes;
  for (double t = 0.0; t < 50.0; t += 0.5) {
    const double r = t + 3.0;
    times.push_back(t);
    values.push_back(1.0 / (r * r));
    slopes.push_back(-2.0 / r);
    all.radius.push_back(r);
    all.radius_rates.push_back(1.0);
  }
  all.decay = decay_of(times, values, slopes);
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(analysis)

BOOST_AUTO_TEST_CASE(a_shift_spoils_the_exponent_by_time_and_not_that_by_the_radius) {
  const Sample all = sample();
  const std::vector<double> by_time = local_exponents(all.decay);
  const std::vector<double> by_radius = exponents_by_radius(all.decay, all.radius, all.radius_rates);
  const std::vector<double> by_differences = exponents_by_radius(all.decay, all.radius);
  for (std::size_t i = 0; i < by_time.size(); ++i) {
    const double t = all.decay.times[i];
    BOOST_TEST(close(by_time[i], -2.0 * t / (t + 3.0), 1e-14));
    BOOST_TEST(close(by_radius[i], -2.0, 1e-14));
    BOOST_TEST(close(by_differences[i], -2.0, 1e-9)); // log u is linear in log r
  }
}

BOOST_AUTO_TEST_CASE(the_last_deviation_ends_the_transient) {
  const Sample all = sample();
  const auto last = last_deviation(local_exponents(all.decay), -2.0, 0.1); // t/(t + 3) < 0.9 until t = 27
  BOOST_REQUIRE(last.has_value());
  BOOST_TEST(all.decay.times[*last] == 26.5);
  BOOST_TEST(!last_deviation(exponents_by_radius(all.decay, all.radius, all.radius_rates), -2.0, 1e-10).has_value());
}

BOOST_AUTO_TEST_CASE(radii_that_do_not_grow_are_refused) {
  Sample all = sample();
  all.radius[7] = all.radius[6];
  BOOST_TEST(refuses<core::InputError>([&] { return exponents_by_radius(all.decay, all.radius); }, "the clock goes"));
  all.radius[7] = 0.0;
  BOOST_TEST(refuses<core::InputError>([&] { return exponents_by_radius(all.decay, all.radius); }, "0 is no length"));
}

BOOST_AUTO_TEST_SUITE_END()
