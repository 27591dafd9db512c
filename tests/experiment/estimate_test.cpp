#include "normdyn/experiment/estimate.hpp"

#include "experiment/small_study.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace normdyn;
using namespace normdyn::experiment;
using namespace normdyn::test;

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(fixed_steps_are_counted_and_adaptive_ones_are_not) {
  const ScratchFolder folder;
  const Estimate fixed = estimate(study_in(folder, {"solver.method=rk4", "solver.step=0.25"}));
  BOOST_TEST(fixed.n_steps.value() == 12);
  BOOST_TEST(fixed.evaluations_per_step == 4);
  BOOST_TEST(fixed.seconds.value() == 48.0 * fixed.seconds_per_evaluation);
  BOOST_TEST(fixed.seconds_per_evaluation > 0.0);
  const Estimate adaptive = estimate(study_in(folder));
  BOOST_TEST(!adaptive.n_steps.has_value());
  BOOST_TEST(!adaptive.seconds.has_value());
}

BOOST_AUTO_TEST_CASE(counted_steps_and_evaluations_are_those_of_the_run) {
  const ScratchFolder folder;
  for (const char* method : {"rk4", "euler", "dopri5"}) {
    const auto study = study_in(folder, {std::string("solver.method=") + method, "solver.step=0.125"});
    const Estimate cost = estimate(study);
    const auto result = run_of(study, {.overwrite = true});
    BOOST_TEST_CONTEXT(method) {
      BOOST_TEST(cost.n_steps.value() == result.summary->steps_accepted);
      // one more: the derivative at the start
      BOOST_TEST(std::abs(*cost.n_steps * cost.evaluations_per_step - result.summary->evaluations) <= 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_follow_the_schedules) {
  const ScratchFolder folder;
  const Estimate grid = estimate(study_in(folder));
  BOOST_TEST(grid.state_rows.value() == 4);
  BOOST_TEST(grid.series_rows.value() == 7);
  BOOST_TEST(grid.output_bytes.has_value());
  const Estimate steps = estimate(study_in(folder, {"output.observables=every step"}));
  BOOST_TEST(!steps.series_rows.has_value());
  BOOST_TEST(!steps.output_bytes.has_value());
  const Estimate tenth =
      estimate(study_in(folder, {"output.observables=every 10 steps", "solver.method=rk4", "solver.step=0.125"}));
  BOOST_TEST(tenth.series_rows.value() == 4); // t = 0, steps 10, 20 and the end, step 24
  BOOST_TEST(estimate(study_in(folder, {"output.states=none"})).state_rows.value() == 0);
}

// The estimate is for a decision about disks: within the larger of a fifth and 64 KiB.
BOOST_AUTO_TEST_CASE(the_size_of_a_file_is_near_its_estimate) {
  const ScratchFolder folder;
  const auto study = study_in(folder, {"initial.tokens=200", "initial.dim=32", "time.end=0.1",
                                       "output.states={ spacing = \"linear\", count = 64 }"});
  const auto guess = static_cast<double>(estimate(study).output_bytes.value());
  const auto size = static_cast<double>(std::filesystem::file_size(run_of(study).path));
  BOOST_TEST(std::abs(guess - size) <= std::max(0.2 * size, 65536.0));
}

BOOST_AUTO_TEST_SUITE_END()
