#include "observables/frames.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <numbers>
#include <numeric>

using frames::frame_of;
using frames::measured;
using frames::Tokens;

BOOST_AUTO_TEST_SUITE(observables)

BOOST_AUTO_TEST_CASE(ranks_of_basis_vectors_count_them) {
  for (const auto& [n, dim] : {std::pair<std::size_t, std::size_t>{1, 4}, {5, 5}, {6, 20}}) {
    const Tokens tokens = frames::basis(n, dim);
    BOOST_TEST(std::abs(measured("effective_rank", frame_of(tokens, dim))[0] - static_cast<double>(n)) < 1e-13);
    BOOST_TEST(std::abs(measured("participation_ratio", frame_of(tokens, dim))[0] - static_cast<double>(n)) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(ranks_of_a_simplex_are_one_less_than_its_corners) {
  const Tokens tokens = frames::simplex(7);
  BOOST_TEST(std::abs(measured("effective_rank", frame_of(tokens, 7))[0] - 6.0) < 1e-12);
  BOOST_TEST(std::abs(measured("participation_ratio", frame_of(tokens, 7))[0] - 6.0) < 1e-12);
}

BOOST_AUTO_TEST_CASE(ranks_at_consensus_are_one) {
  const Tokens tokens = frames::near_consensus(40, 12, 1e-9, 5);
  BOOST_TEST(std::abs(measured("effective_rank", frame_of(tokens, 12))[0] - 1.0) < 1e-12);
  BOOST_TEST(std::abs(measured("participation_ratio", frame_of(tokens, 12))[0] - 1.0) < 1e-12);
}

BOOST_AUTO_TEST_CASE(ranks_of_two_unequal_groups_follow_their_definitions) {
  // Three tokens at e1 and one at e2: eigenvalues 3 and 1, shares 3/4 and 1/4.
  const Tokens tokens = {1, 0, 1, 0, 0, 1, 1, 0};
  const double entropy = -(0.75 * std::log(0.75) + 0.25 * std::log(0.25));
  BOOST_TEST(std::abs(measured("effective_rank", frame_of(tokens, 2))[0] - std::exp(entropy)) < 1e-14);
  BOOST_TEST(std::abs(measured("participation_ratio", frame_of(tokens, 2))[0] - 1.6) < 1e-14);
}

BOOST_AUTO_TEST_CASE(participation_ratio_agrees_with_a_sum_over_pairs_for_many_and_for_few_tokens) {
  for (const auto& [n, dim] : {std::pair<std::size_t, std::size_t>{150, 9}, {9, 150}}) {
    const Tokens tokens = frames::uniform(n, dim, 6);
    long double squares = static_cast<long double>(n);
    frames::naive_pairs(tokens, dim, [&](std::size_t j, std::size_t k) {
      const long double c = frames::naive_cosine(tokens, dim, j, k);
      squares += 2.0L * c * c;
    });
    const double expected = static_cast<double>(static_cast<long double>(n * n) / squares);
    BOOST_TEST(std::abs(measured("participation_ratio", frame_of(tokens, dim))[0] / expected - 1.0) < 1e-13);
    BOOST_TEST(measured("effective_rank", frame_of(tokens, dim))[0] >= expected);
  }
}

BOOST_AUTO_TEST_CASE(order_parameter_is_the_norm_of_the_mean) {
  BOOST_TEST(std::abs(measured("order_parameter", frame_of(frames::basis(16, 16), 16))[0] - 0.25) < 1e-15);
  BOOST_TEST(measured("order_parameter", frame_of({1.0, 0.0, -1.0, 0.0}, 2))[0] == 0.0);
  // |mean|^2 + variance = 1 on the sphere.
  const Tokens tokens = frames::uniform(90, 4, 7);
  const double order = measured("order_parameter", frame_of(tokens, 4))[0];
  BOOST_TEST(std::abs(order * order + measured("variance", frame_of(tokens, 4))[0] - 1.0) < 1e-14);
}

BOOST_AUTO_TEST_CASE(cosine_histogram_counts_each_pair_once_in_its_bin) {
  const Tokens tokens = frames::uniform(200, 3, 8);
  for (const std::int64_t bins : {1, 7, 100}) {
    std::vector<double> expected(static_cast<std::size_t>(bins), 0.0);
    frames::naive_pairs(tokens, 3, [&](std::size_t j, std::size_t k) {
      const long double c = frames::naive_cosine(tokens, 3, j, k);
      ++expected[static_cast<std::size_t>(std::floor(0.5L * (c + 1.0L) * static_cast<long double>(bins)))];
    });
    BOOST_TEST(std::accumulate(expected.begin(), expected.end(), 0.0) == 199.0 * 100.0);
    BOOST_TEST(measured("cosine_histogram", frame_of(tokens, 3), {{"histogram_bins", normdyn::core::Value(bins)}}) ==
                   expected,
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(cosine_histogram_keeps_the_ends_of_its_axis) {
  const Tokens tokens = {1, 0, 1, 0, -1, 0, 0, 1}; // cosines 1; -1, -1; 0, 0, 0
  const auto counts = measured("cosine_histogram", frame_of(tokens, 2));
  BOOST_TEST_REQUIRE(counts.size() == 100U);
  BOOST_TEST(counts.front() == 2.0);
  BOOST_TEST(counts[50] == 3.0);
  BOOST_TEST(counts.back() == 1.0);
}

BOOST_AUTO_TEST_CASE(cosine_bins_are_centers_between_bounds_from_minus_one_to_one) {
  auto output = frames::output({{"histogram_bins", normdyn::core::Value(std::int64_t{8})}});
  const auto made =
      normdyn::observables::make_observables({"cosine_histogram"}, output, {.n_tokens = 2, .dim = 2}, false);
  const auto& variable = made.front()->variables().front();
  BOOST_TEST(variable.is_integer);
  BOOST_TEST(variable.axis == "cosine_bin");
  BOOST_TEST_REQUIRE(variable.axis_values.size() == 8U);
  BOOST_TEST_REQUIRE(variable.axis_bounds.size() == 9U);
  BOOST_TEST(variable.axis_bounds.front() == -1.0);
  BOOST_TEST(variable.axis_bounds.back() == 1.0);
  for (std::size_t b = 0; b < 8; ++b)
    BOOST_TEST(variable.axis_values[b] == 0.5 * (variable.axis_bounds[b] + variable.axis_bounds[b + 1]));
}

BOOST_AUTO_TEST_CASE(close_pairs_are_counted_by_their_angle_at_every_scale) {
  for (const double spread : {1.0, 1e-6, 1e-10}) {
    const Tokens tokens = frames::near_consensus(200, 5, spread, 31);
    const double angle = 0.8 * spread;
    double count = 0.0;
    frames::naive_pairs(tokens, 5, [&](std::size_t j, std::size_t k) {
      count +=
          2.0L * std::asin(0.5L * std::sqrt(frames::naive_square(tokens, 5, j, k))) < static_cast<long double>(angle);
    });
    BOOST_TEST(count > 100.0);
    BOOST_TEST(measured("close_pair_fraction", frame_of(tokens, 5),
                        {{"close_angle", normdyn::core::Value(fmt::format("{} rad", angle))}})[0] ==
               count / (200.0 * 199.0 / 2.0));
  }
}

BOOST_AUTO_TEST_CASE(close_pairs_leave_out_each_token_with_itself) {
  BOOST_TEST(measured("close_pair_fraction", frame_of(frames::basis(10, 10), 10))[0] == 0.0);
  const Tokens chain = frames::on_circle({0.0, 0.038, 0.080, 0.118});
  BOOST_TEST(measured("close_pair_fraction", frame_of(chain, 2))[0] == 0.5);
  BOOST_TEST(std::isnan(measured("close_pair_fraction", frame_of({1.0, 0.0}, 2))[0]));
  BOOST_TEST(measured("cosine_histogram", frame_of({1.0, 0.0}, 2)).front() == -1.0);
}

BOOST_AUTO_TEST_SUITE_END()
