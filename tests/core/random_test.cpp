#include "normdyn/core/random.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using normdyn::core::Purpose;
using normdyn::core::RandomStream;

BOOST_AUTO_TEST_SUITE(core)

BOOST_AUTO_TEST_CASE(streams_differ_by_every_part_of_their_key) {
  const auto first = [](std::uint64_t seed, Purpose purpose, std::uint64_t member, std::uint64_t index) {
    return RandomStream(seed, purpose, member, index).bits();
  };
  const std::uint64_t base = first(1, Purpose::token_direction, 0, 0);
  BOOST_TEST(base == first(1, Purpose::token_direction, 0, 0));
  BOOST_TEST(base != first(2, Purpose::token_direction, 0, 0));
  BOOST_TEST(base != first(1, Purpose::token_norm, 0, 0));
  BOOST_TEST(base != first(1, Purpose::token_direction, 1, 0));
  BOOST_TEST(base != first(1, Purpose::token_direction, 0, 1));
}

BOOST_AUTO_TEST_CASE(normal_values_have_the_moments_of_the_normal_law) {
  constexpr int count = 200'000;
  double moment[5] = {};
  RandomStream stream(7, Purpose::token_direction, 0, 0);
  for (int i = 0; i < count; ++i) {
    const double x = stream.normal();
    for (int k = 1; k <= 4; ++k)
      moment[k] += std::pow(x, k) / count;
  }
  const double error = 4.0 / std::sqrt(double(count)); // four standard errors, times sqrt(E x^{2k} - (E x^k)^2)
  BOOST_TEST(std::abs(moment[1]) < error);
  BOOST_TEST(std::abs(moment[2] - 1.0) < error * std::sqrt(2.0));
  BOOST_TEST(std::abs(moment[3]) < error * std::sqrt(15.0));
  BOOST_TEST(std::abs(moment[4] - 3.0) < error * std::sqrt(96.0));
}

BOOST_AUTO_TEST_CASE(uniform_values_lie_inside_the_open_interval) {
  RandomStream stream(3, Purpose::token_norm, 1, 2);
  double sum = 0.0;
  for (int i = 0; i < 100'000; ++i) {
    const double u = stream.uniform();
    BOOST_REQUIRE(u > 0.0);
    BOOST_REQUIRE(u < 1.0);
    sum += u;
  }
  BOOST_TEST(std::abs(sum / 100'000 - 0.5) < 4.0 / std::sqrt(12.0 * 100'000));
}

BOOST_AUTO_TEST_SUITE_END()
