// Every claim passes, and its negative control fails: a claim that cannot fail says nothing.
#include "normdyn/theorems/examine.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace normdyn::theorems;

namespace {

std::vector<std::string> ids(bool quick_only) {
  std::vector<std::string> found;
  for (const Claim& claim : all_claims())
    if (claim.is_quick || !quick_only)
      found.push_back(claim.id);
  return found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(theorems)

BOOST_DATA_TEST_CASE(the_control_of_a_claim_fails, boost::unit_test::data::make(ids(false))) {
  const Claim& claim = *find_claims({sample}).at(0);
  const Examination control = examine_control(claim, 1, library_dynamics());
  BOOST_TEST((control.verdict == Verdict::fails), claim.id << ": " << claim.control_text << " goes unnoticed");
  for (const Evidence& evidence : control.findings.evidence)
    BOOST_TEST(evidence.quantity != "the check itself", evidence.text); // an accident is no negative control
}

BOOST_DATA_TEST_CASE(a_quick_claim_passes, boost::unit_test::data::make(ids(true))) {
  const Claim& claim = *find_claims({sample}).at(0);
  const Examination found = examine(claim, 1, library_dynamics());
  for (const Evidence& evidence : found.findings.evidence)
    BOOST_TEST((evidence.verdict <= Verdict::passes), claim.id << ": " << evidence.quantity << ": " << evidence.text);
}

BOOST_AUTO_TEST_SUITE_END()
