#include "observables/frames.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numbers>

using frames::frame_of;
using frames::measured;
using frames::Tokens;

namespace {

struct Naive {
  long double mean = 0.0L, low = 2.0L, high = -2.0L;
};

Naive naive(const Tokens& tokens, std::size_t dim) {
  Naive result;
  long double count = 0.0L;
  frames::naive_pairs(tokens, dim, [&](std::size_t j, std::size_t k) {
    const long double c = frames::naive_cosine(tokens, dim, j, k);
    result.mean += c;
    result.low = std::min(result.low, c);
    result.high = std::max(result.high, c);
    count += 1.0L;
  });
  result.mean /= count;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(observables)

BOOST_AUTO_TEST_CASE(cosines_agree_with_naive_long_double_loops) {
  for (const auto& [n, dim] :
       {std::pair<std::size_t, std::size_t>{2, 2}, {7, 3}, {128, 4}, {129, 5}, {300, 64}, {257, 300}})
    for (const Tokens& tokens : {frames::uniform(n, dim, 3), frames::near_consensus(n, dim, 1e-3, 4)}) {
      const Naive expected = naive(tokens, dim);
      const auto frame = frame_of(tokens, dim);
      BOOST_TEST_CONTEXT("n = " << n << ", d = " << dim) {
        BOOST_TEST(std::abs(measured("mean_cosine", frame)[0] - static_cast<double>(expected.mean)) < 1e-14);
        const auto range = measured("cosine_range", frame);
        BOOST_TEST(std::abs(range[0] - static_cast<double>(expected.low)) < 4e-15);
        BOOST_TEST(std::abs(range[1] - static_cast<double>(expected.high)) < 4e-15);
      }
    }
}

BOOST_AUTO_TEST_CASE(basis_vectors_have_cosine_zero_exactly) {
  const Tokens tokens = frames::basis(40, 50);
  const auto frame = frame_of(tokens, 50);
  BOOST_TEST(measured("mean_cosine", frame)[0] == 0.0);
  BOOST_TEST(measured("min_cosine", frame)[0] == 0.0);
  BOOST_TEST(measured("max_cosine", frame)[0] == 0.0);
}

BOOST_AUTO_TEST_CASE(simplex_has_the_smallest_mean_cosine) {
  for (const std::size_t n : {2U, 3U, 10U}) {
    const Tokens tokens = frames::simplex(n);
    const auto frame = frame_of(tokens, n);
    const double gamma = -1.0 / (static_cast<double>(n) - 1.0);
    for (const char* name : {"mean_cosine", "min_cosine", "max_cosine"})
      BOOST_TEST(std::abs(measured(name, frame)[0] - gamma) < 1e-15);
    BOOST_TEST(std::abs(measured("max_angle", frame)[0] - std::acos(gamma)) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(identical_tokens_are_at_consensus_exactly) {
  const Tokens one = frames::uniform(1, 37, 8);
  Tokens tokens;
  for (int j = 0; j < 150; ++j)
    tokens.insert(tokens.end(), one.begin(), one.end());
  const auto frame = frame_of(tokens, 37);
  BOOST_TEST(measured("mean_cosine", frame)[0] == 1.0);
  BOOST_TEST(measured("min_cosine", frame)[0] == 1.0);
  BOOST_TEST(measured("max_cosine", frame)[0] == 1.0);
  BOOST_TEST(measured("max_angle", frame)[0] == 0.0);
  BOOST_TEST(measured("variance", frame)[0] == 0.0);
}

BOOST_AUTO_TEST_CASE(variance_and_max_angle_follow_collapse_by_differences) {
  constexpr std::size_t n = 200, dim = 24;
  for (const double spread : {1.0, 1e-4, 1e-8, 1e-10, 1e-12}) {
    const Tokens tokens = frames::near_consensus(n, dim, spread, 11);
    long double variance = 0.0L, largest = 0.0L;
    frames::naive_pairs(tokens, dim, [&](std::size_t j, std::size_t k) {
      const long double square = frames::naive_square(tokens, dim, j, k);
      variance += square;
      largest = std::max(largest, square);
    });
    variance /= static_cast<long double>(n * n);
    const long double angle = 2.0L * std::asin(0.5L * std::sqrt(largest));
    const auto frame = frame_of(tokens, dim);
    BOOST_TEST_CONTEXT("spread = " << spread) {
      BOOST_TEST(std::abs(measured("variance", frame)[0] / static_cast<double>(variance) - 1.0) < 1e-13);
      BOOST_TEST(std::abs(measured("max_angle", frame)[0] / static_cast<double>(angle) - 1.0) < 1e-13);
    }
  }
}

BOOST_AUTO_TEST_CASE(variance_is_one_minus_the_order_of_the_tokens) {
  const Tokens tokens = frames::on_circle({0.0, std::numbers::pi / 2});
  BOOST_TEST(std::abs(measured("variance", frame_of(tokens, 2))[0] - 0.5) < 1e-15);
  const Tokens opposite = {1.0, 0.0, 0.0, -1.0, 0.0, 0.0};
  BOOST_TEST(measured("variance", frame_of(opposite, 3))[0] == 1.0);
}

BOOST_AUTO_TEST_CASE(max_angle_of_nearly_antipodal_tokens_is_exact_and_finite) {
  const Tokens opposite = frames::on_circle({0.3, 0.3 + std::numbers::pi});
  BOOST_TEST(std::abs(measured("max_angle", frame_of(opposite, 2))[0] - std::numbers::pi) < 1e-15);
  // Many pairs whose chords agree to rounding while their angles differ by 1e-9.
  std::vector<double> angles;
  for (int i = 0; i < 150; ++i) {
    angles.push_back(1e-9 * i);
    angles.push_back(std::numbers::pi + 1e-9 * (i + 200));
  }
  // The nearest to opposite is i = 149 against i = 0: 51e-9 short of pi.
  const double angle = measured("max_angle", frame_of(frames::on_circle(angles), 2))[0];
  BOOST_TEST(std::abs(std::numbers::pi - angle - 51e-9) < 1e-15);
}

BOOST_AUTO_TEST_CASE(tokens_of_one_dimension_are_signs) {
  const auto frame_tokens = Tokens{1.0, -1.0, 1.0};
  const auto frame = frame_of(frame_tokens, 1);
  BOOST_TEST(std::abs(measured("mean_cosine", frame)[0] + 1.0 / 3.0) < 1e-15);
  BOOST_TEST(measured("cosine_range", frame) == (std::vector<double>{-1.0, 1.0}), boost::test_tools::per_element());
  BOOST_TEST(measured("max_angle", frame)[0] == std::numbers::pi);
  BOOST_TEST(std::abs(measured("variance", frame)[0] - 8.0 / 9.0) < 1e-15);
  BOOST_TEST(measured("clusters", frame) == (std::vector<double>{2.0, 2.0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pair_statistics_of_one_token_are_undefined) {
  const Tokens tokens = {0.6, 0.8};
  for (const char* name : {"mean_cosine", "min_cosine", "max_cosine", "max_angle"})
    BOOST_TEST(std::isnan(measured(name, frame_of(tokens, 2))[0]));
  BOOST_TEST(measured("variance", frame_of(tokens, 2))[0] == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
