// Claims under wrong dynamics: each deliberate mistake is noticed by at least two claims, which pass under dynamics
// that are written down independently and right.
#include "mutant_laboratory.hpp"

#include "normdyn/core/random.hpp"
#include "normdyn/theorems/claim.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace normdyn;
using namespace normdyn::theorems;
using test::MutantLaboratory;
using test::Mutation;

namespace {

/// A mistake, and cheap claims that notice it.
struct Mistake {
  Mutation mutation;
  std::vector<std::string> noticed_by;
};

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {Mutation::speed_of_pre_ln, {"NA-3", "NA-8"}}, {Mutation::alpha_of_ngpt, {"NA-1", "NA-3"}},
      {Mutation::self_term, {"NA-1", "NA-8"}},       {Mutation::tangent_projection, {"NA-1", "NA-8"}},
      {Mutation::causal_mask, {"NA-1", "NA-3"}},
  };
  return all;
}

std::vector<std::string> claims_used() {
  std::vector<std::string> ids;
  for (const Mistake& mistake : mistakes())
    ids.insert(ids.end(), mistake.noticed_by.begin(), mistake.noticed_by.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// One pass of a claim on the plain dynamics with a mistake in them.
std::vector<Evidence> evidence_under(Mutation mutation, const std::string& id) {
  const MutantLaboratory laboratory(mutation);
  return find_claims({id}).at(0)->check(Trial(1, Accuracy::usual, laboratory)).evidence;
}

const Evidence* first_failure(const std::vector<Evidence>& evidence) {
  const auto found = std::find_if(evidence.begin(), evidence.end(),
                                  [](const Evidence& line) { return line.verdict == Verdict::fails; });
  return found == evidence.end() ? nullptr : &*found;
}

/// The largest difference of the two fields at a random state, relative to the largest component.
double difference(const dynamics::TokenModel& model, const Cloud& cloud) {
  const Subject ours = MutantLaboratory(Mutation::none).prepare(model, cloud);
  const Subject theirs = library_dynamics().prepare(model, cloud);
  geometry::State a(ours.start.size()), b(ours.start.size());
  (*ours.equation->on({0.0, 1.0}))(ours.start, a, 0.5);
  (*theirs.equation->on({0.0, 1.0}))(theirs.start, b, 0.5);
  double largest = 0.0, off = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    off = std::max(off, std::abs(a[i] - b[i]));
  }
  return off / largest;
}

} // namespace

BOOST_AUTO_TEST_SUITE(theorems)

BOOST_AUTO_TEST_CASE(plain_dynamics_without_a_mistake_are_those_of_the_library) {
  const std::size_t n = 9, dim = 5;
  const auto matrix = [&](core::Purpose purpose) { return random_matrix(dim, 1.2, purpose, 3); };
  const attention::Weights weights{.query = {.matrix = matrix(core::Purpose::query_weights)},
                                   .key = {.matrix = matrix(core::Purpose::key_weights)},
                                   .value = {.matrix = matrix(core::Purpose::value_weights)}};
  for (const schemes::AnyScheme& scheme : table_schemes(0.2, 0.7))
    for (const attention::Mask mask : {attention::Mask::full, attention::Mask::causal})
      for (const auto normalization : {attention::Normalization::softmax, attention::Normalization::unnormalized})
        for (const bool with_weights : {false, true})
          for (const auto variables : {dynamics::Variables::polar, dynamics::Variables::cartesian}) {
            if (variables == dynamics::Variables::cartesian && !schemes::has_radius(scheme))
              continue;
            const dynamics::TokenModel model{.scheme = scheme,
                                             .attention = {normalization, mask},
                                             .weights = with_weights ? fixed_weights(weights) : nullptr,
                                             .beta = 2.5,
                                             .variables = variables};
            BOOST_TEST(difference(model, gaussian_cloud(n, dim, 4)) < 1e-13, schemes::name_of(scheme));
          }
}

BOOST_DATA_TEST_CASE(a_claim_that_notices_mistakes_passes_without_one, boost::unit_test::data::make(claims_used())) {
  for (const Evidence& line : evidence_under(Mutation::none, sample))
    BOOST_TEST((line.verdict <= Verdict::passes), sample << ": " << line.quantity << ": " << line.text);
}

BOOST_AUTO_TEST_CASE(every_mistake_is_noticed_by_two_claims) {
  for (const Mistake& mistake : mistakes()) {
    std::size_t n_noticed = 0;
    for (const std::string& id : mistake.noticed_by)
      if (const auto evidence = evidence_under(mistake.mutation, id); const Evidence* line = first_failure(evidence)) {
        ++n_noticed;
        BOOST_TEST_MESSAGE(test::mutation_name(mistake.mutation)
                           << " is noticed by " << id << ": " << line->quantity << ": " << line->text);
      }
    BOOST_TEST(n_noticed >= 2, test::mutation_name(mistake.mutation));
  }
}

BOOST_AUTO_TEST_SUITE_END()
