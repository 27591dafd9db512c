#include "normdyn/core/error.hpp"
#include "normdyn/observables/cluster_labels.hpp"
#include "observables/frames.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <numbers>
#include <numeric>

using frames::frame_of;
using frames::measured;
using frames::Tokens;
using normdyn::core::Value;
using normdyn::observables::cluster_labels;

namespace {

// Labels by repeated flooding, with distances in long double.
std::vector<std::size_t> naive_labels(const Tokens& tokens, std::size_t dim, double angle) {
  const long double chord = 2.0L * std::sin(0.5L * static_cast<long double>(angle));
  const std::size_t n = tokens.size() / dim;
  std::vector<std::size_t> labels(n, n);
  std::size_t count = 0;
  for (std::size_t start = 0; start < n; ++start) {
    if (labels[start] != n)
      continue;
    std::vector<std::size_t> front = {start};
    labels[start] = count;
    while (!front.empty()) {
      const std::size_t j = front.back();
      front.pop_back();
      for (std::size_t k = 0; k < n; ++k)
        if (labels[k] == n && frames::naive_square(tokens, dim, j, k) < chord * chord) {
          labels[k] = count;
          front.push_back(k);
        }
    }
    ++count;
  }
  return labels;
}

} // namespace

BOOST_AUTO_TEST_SUITE(observables)

BOOST_AUTO_TEST_CASE(a_chain_of_close_neighbors_is_one_cluster) {
  const Tokens tokens = frames::on_circle({0.0, 0.038, 0.080, 0.118});
  const auto frame = frame_of(tokens, 2);
  BOOST_TEST(measured("n_clusters", frame, {{"cluster_angle", Value("acos(0.999)")}})[0] == 1.0);
  BOOST_TEST(measured("largest_cluster", frame, {{"cluster_angle", Value("cos 0.999")}})[0] == 4.0);
  BOOST_TEST(measured("n_clusters", frame, {{"cluster_angle", Value("0.041 rad")}})[0] == 2.0);
}

BOOST_AUTO_TEST_CASE(labels_do_not_depend_on_the_order_of_tokens) {
  const Tokens tokens = frames::uniform(300, 3, 5);
  const auto labels = cluster_labels(tokens, 3, 0.1);
  std::vector<std::size_t> order(300);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 engine(2);
  std::shuffle(order.begin(), order.end(), engine);
  const auto permuted = cluster_labels(frames::permuted(tokens, 3, order), 3, 0.1);
  std::map<std::size_t, std::size_t> renamed;
  for (std::size_t i = 0; i < order.size(); ++i)
    BOOST_TEST(renamed.try_emplace(permuted[i], labels[order[i]]).first->second == labels[order[i]]);
  BOOST_TEST(renamed.size() == 1 + *std::max_element(labels.begin(), labels.end()));
  BOOST_TEST(renamed.size() > 10U);
}

BOOST_AUTO_TEST_CASE(labels_agree_with_flooding_in_long_double_at_every_scale) {
  for (const double spread : {1.0, 1e-3, 1e-7, 1e-10, 1e-13}) {
    const Tokens tokens = frames::near_consensus(260, 6, spread, 21);
    for (const double fraction : {0.2, 0.3, 0.4, 0.5, 0.9})
      BOOST_TEST(cluster_labels(tokens, 6, fraction * spread) == naive_labels(tokens, 6, fraction * spread),
                 boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(tight_groups_far_apart_are_resolved_below_the_rounding_of_cosines) {
  // Two groups a right angle apart; inside a group, neighbors at 1e-10.
  std::vector<double> angles;
  for (int i = 0; i < 5; ++i) {
    angles.push_back(0.4 + 1e-10 * i);
    angles.push_back(0.4 + std::numbers::pi / 2 + 1e-10 * i);
  }
  const Tokens tokens = frames::on_circle(angles);
  const auto count = [&](double angle) {
    return normdyn::observables::cluster_sizes(cluster_labels(tokens, 2, angle)).size();
  };
  BOOST_TEST(count(0.99e-10) == 10U);
  BOOST_TEST(count(1.01e-10) == 2U);
}

BOOST_AUTO_TEST_CASE(antipodal_groups_are_two_clusters) {
  const Tokens tokens = {1, 0, 0, -1, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0};
  const auto values = measured("clusters", frame_of(tokens, 3));
  BOOST_TEST(values[0] == 2.0);
  BOOST_TEST(values[1] == 3.0);
}

BOOST_AUTO_TEST_CASE(thresholds_in_every_unit_give_identical_counts) {
  const Tokens tokens = frames::uniform(200, 4, 9);
  const auto frame = frame_of(tokens, 4);
  const auto expected = measured("clusters", frame, {{"cluster_angle", Value("15 deg")}});
  BOOST_TEST(expected[0] > 1.0);
  BOOST_TEST(expected[0] < 200.0);
  for (const char* text : {"0.261799 rad", "cos 0.9659258", "chord 0.2610524", "pi/12"})
    BOOST_TEST(measured("clusters", frame, {{"cluster_angle", Value(text)}}) == expected,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(thresholds_without_meaning_are_refused) {
  const Tokens tokens = frames::basis(2, 2);
  for (const Value& value : {Value("cos 1.5"), Value(0.1), Value("0 deg"), Value("200 deg")})
    BOOST_CHECK_THROW((void)measured("clusters", frame_of(tokens, 2), {{"cluster_angle", value}}),
                      normdyn::core::InputError);
}

BOOST_AUTO_TEST_CASE(one_token_is_one_cluster) {
  const Tokens tokens = {0.6, 0.8};
  const auto values = measured("clusters", frame_of(tokens, 2));
  BOOST_TEST(values[0] == 1.0);
  BOOST_TEST(values[1] == 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
