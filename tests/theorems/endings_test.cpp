// What counts as the end of a run: a claim about limits must not take a slow plateau for one.
#include "normdyn/theorems/endings.hpp"
#include "normdyn/theorems/examine.hpp"
#include "normdyn/theorems/starts.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn::theorems;
namespace schemes = normdyn::schemes;

namespace {

Ending end_of(const schemes::AnyScheme& scheme, const Cloud& start, double beta, double end) {
  const Trial trial(1, Accuracy::usual, library_dynamics());
  return run_to_end(trial.laboratory().prepare({.scheme = scheme, .beta = beta}, start), beta, end,
                    trial.options(1e-8));
}

// Two pairs at the angles 0 and 2.5: at beta = 6 they wait for e^{10}.
Cloud two_pairs() {
  const double rows[] = {1.0,           0.0,           std::cos(0.1), std::sin(0.1),
                         std::cos(2.5), std::sin(2.5), std::cos(2.6), std::sin(2.6)};
  return cloud_of_rows(2, rows);
}

} // namespace

BOOST_AUTO_TEST_SUITE(theorems)

BOOST_AUTO_TEST_CASE(a_cone_of_tokens_ends_in_consensus) {
  const Ending ending = end_of(schemes::PostLn{}, cone_cloud(8, 3, 0.5, 1), 1.0, 100.0);
  BOOST_TEST((ending.kind == Ending::Kind::consensus));
  BOOST_TEST(ending.time > 10.0); // ln(1e6) = 13.8 at the rate 1
  BOOST_TEST(ending.time < 20.0);
  BOOST_TEST(ending.energy_gap < 1e-12);
  BOOST_TEST(std::isinf(ending.least_radial_rate)); // there are no radii
}

BOOST_AUTO_TEST_CASE(an_antipodal_pair_is_at_rest_away_from_consensus) {
  const double rows[] = {1.0, 0.0, -1.0, 0.0};
  const Ending ending = end_of(schemes::PreLn{}, cloud_of_rows(2, rows), 1.0, 100.0);
  BOOST_TEST((ending.kind == Ending::Kind::at_rest));
  BOOST_TEST(ending.energy_gap == 0.5 * (1.0 - std::exp(-2.0)), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(ending.least_radial_rate == std::tanh(1.0), boost::test_tools::tolerance(1e-8));
}

BOOST_AUTO_TEST_CASE(a_plateau_of_two_clusters_is_still_moving) {
  const Ending ending = end_of(schemes::PostLn{}, two_pairs(), 6.0, 100.0);
  BOOST_TEST((ending.kind == Ending::Kind::moving));
  BOOST_TEST(ending.speed < 1e-4);
  BOOST_TEST(ending.energy_gap > 0.4);
  BOOST_TEST((end_of(schemes::PostLn{}, two_pairs(), 6.0, 1e6).kind == Ending::Kind::consensus));
}

BOOST_AUTO_TEST_CASE(each_case_that_theorem_3_1_leaves_out_is_noticed) {
  const Examination control = examine_control(*find_claims({"NA-4"}).at(0), 3, library_dynamics());
  BOOST_TEST(control.findings.evidence.size() == 3U);
  for (const Evidence& evidence : control.findings.evidence)
    BOOST_TEST((evidence.verdict == Verdict::fails), evidence.quantity << ": " << evidence.text);
}

BOOST_AUTO_TEST_SUITE_END()
