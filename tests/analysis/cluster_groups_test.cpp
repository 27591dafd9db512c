#include "normdyn/analysis/cluster_groups.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using normdyn::analysis::cluster_groups;

namespace {

std::vector<double> on_circle(const std::vector<double>& angles) {
  std::vector<double> tokens;
  for (const double angle : angles)
    tokens.insert(tokens.end(), {std::cos(angle), std::sin(angle)});
  return tokens;
}

} // namespace

BOOST_AUTO_TEST_SUITE(analysis)

BOOST_AUTO_TEST_CASE(groups_come_largest_first_and_ties_by_first_token) {
  const auto tokens = on_circle({2.0, 1.0, 0.0, 1.01, 2.01, 1.02, 3.0});
  const auto groups = cluster_groups(tokens, 2, 0.05);
  BOOST_TEST_REQUIRE(groups.size() == 4U);
  const std::vector<std::vector<std::size_t>> expected = {{1, 3, 5}, {0, 4}, {2}, {6}};
  for (std::size_t i = 0; i < expected.size(); ++i)
    BOOST_TEST(groups[i].tokens == expected[i], boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(antipodal_tokens_form_two_groups) {
  const std::vector<double> tokens = {1, 0, 0, -1, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0};
  const auto groups = cluster_groups(tokens, 3, 0.1);
  BOOST_TEST_REQUIRE(groups.size() == 2U);
  BOOST_TEST(groups[0].tokens == (std::vector<std::size_t>{0, 2, 4}), boost::test_tools::per_element());
  BOOST_TEST(groups[1].tokens == (std::vector<std::size_t>{1, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_token_is_one_group) {
  const std::vector<double> token = {0.0, 1.0};
  const auto groups = cluster_groups(token, 2, 0.1);
  BOOST_TEST_REQUIRE(groups.size() == 1U);
  BOOST_TEST(groups[0].tokens.front() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
