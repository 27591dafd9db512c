#include "normdyn/experiment/score_bound.hpp"

#include "experiment/small_study.hpp"
#include "normdyn/core/random.hpp"
#include "normdyn/geometry/sphere.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn;
using namespace normdyn::experiment;
using namespace normdyn::test;

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(without_weights_the_bound_is_the_largest_beta) {
  const ScratchFolder folder;
  BOOST_TEST(largest_score(study_in(folder)) == 2.0);
  BOOST_TEST(largest_score(study_in(folder, {"attention.beta=-4"})) == 4.0);
  BOOST_TEST(largest_score(study_in(folder, {"attention.beta={ times = [0, 1, 2], values = [1, 7, 3] }"})) == 7.0);
  BOOST_TEST(largest_score(study_in(folder, {"attention.beta={ times = [0, 4], values = [1, 7] }"})) == 1.0);
  // 2 + sin(t) on [0, 3]: the maximum at pi/2 lies between two of the 65 samples
  const double bound = largest_score(study_in(folder, {"attention.beta=2 + sin(t)"}));
  BOOST_TEST(bound <= 3.0);
  BOOST_TEST(bound > 3.0 - 0.5 * std::pow(3.0 / 128, 2));
}

// |Q^T K| of diagonal matrices is the largest product of entries; with biases |.| takes the norms apart.
BOOST_AUTO_TEST_CASE(diagonal_weights_have_their_bound_in_closed_form) {
  const ScratchFolder folder;
  const std::vector<std::string> diagonal{"weights.query=[[3,0,0],[0,1,0],[0,0,2]]",
                                          "weights.key=[[1,0,0],[0,5,0],[0,0,2]]"};
  BOOST_TEST(largest_score(study_in(folder, diagonal)) == 2.0 * 5.0, boost::test_tools::tolerance(1e-14));
  std::vector<std::string> biased = diagonal;
  biased.push_back("weights.query_bias=[3,4,0]");
  BOOST_TEST(largest_score(study_in(folder, biased)) == 2.0 * (3.0 + 5.0) * 5.0, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(no_pair_of_unit_tokens_exceeds_the_bound_of_drawn_weights) {
  const ScratchFolder folder;
  const Study study = study_in(
      folder, {"weights.query={ draw = \"gaussian\", std = 1.0 }", "weights.key={ draw = \"gaussian\", std = 1.0 }"});
  const attention::Weights weights = study.model.weights->on(study.time.span);
  const double bound = largest_score(study);
  double largest = 0.0;
  core::RandomStream stream(1, core::Purpose::token_direction, 0, 0);
  for (int trial = 0; trial < 2000; ++trial) {
    Eigen::Vector3d a, b;
    for (int i = 0; i < 3; ++i) {
      a[i] = stream.normal();
      b[i] = stream.normal();
    }
    const Eigen::Vector3d query = *weights.query.matrix * a.normalized(), key = *weights.key.matrix * b.normalized();
    largest = std::max(largest, 2.0 * std::abs(query.dot(key)));
  }
  BOOST_TEST(largest <= bound);
  BOOST_TEST(largest > 0.8 * bound); // 2000 pairs on the sphere come near the best one
}

BOOST_AUTO_TEST_SUITE_END()
