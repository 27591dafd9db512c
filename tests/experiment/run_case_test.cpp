#include "normdyn/experiment/run_case.hpp"

#include "experiment/small_study.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/experiment/canonical.hpp"
#include "normdyn/storage/run_reader.hpp"
#include "support/capture.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace normdyn;
using namespace normdyn::experiment;
using namespace normdyn::test;

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(the_file_of_a_run_holds_what_the_result_says) {
  const ScratchFolder folder;
  const Study study = study_in(folder);
  const CaseResult result = run_of(study, {.command_line = "normdyn run study.toml"});
  BOOST_TEST((result.exit_code == ExitCode::done));
  BOOST_TEST(result.problem == "");
  BOOST_REQUIRE(result.summary);
  BOOST_TEST(result.summary->outcome.time == 3.0);

  const storage::RunReader file(result.path);
  BOOST_TEST((file.status() == storage::Status::completed));
  BOOST_TEST(file.header().run_id == result.run_id);
  BOOST_TEST(file.header().run_id == run_id(study.changed, study.seed, study.inputs));
  BOOST_TEST(file.header().config_source == small_study);
  BOOST_TEST(file.header().theta0 == study.initial.theta, boost::test_tools::per_element());
  BOOST_TEST(file.state_times() == (std::vector<double>{0.0, 1.0, 2.0, 3.0}), boost::test_tools::per_element());
  BOOST_TEST(file.series("mean_cosine").size() == 7u);
  BOOST_TEST(file.series("mean_cosine").back() == result.mean_cosine);
  BOOST_TEST(file.series("n_clusters").back() == static_cast<double>(result.n_clusters));
  BOOST_TEST(file.series("clock").back() == result.summary->clock);
  BOOST_TEST(result.clusters.size() == static_cast<std::size_t>(result.n_clusters));
}

BOOST_AUTO_TEST_CASE(an_existing_file_is_replaced_only_when_asked) {
  const ScratchFolder folder;
  const Study study = study_in(folder);
  folder.write("run.h5", "not yet a run");
  const std::string refused = message_of<core::InputError>([&] { (void)run_of(study); });
  BOOST_TEST(contains(refused, "run.h5"));
  BOOST_TEST(contains(refused, "--overwrite"));
  BOOST_TEST(std::filesystem::file_size(study.output.path) == 13u);
  BOOST_TEST((run_of(study, {.overwrite = true}).exit_code == ExitCode::done));
  BOOST_TEST(storage::RunReader(study.output.path).states().rows == 4);
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_is_file_trouble) {
  const ScratchFolder folder;
  folder.write("plain", "a file");
  const Study study = study_in(folder, {"output.file=plain/run.h5"});
  BOOST_TEST(contains(message_of<core::FileError>([&] { (void)run_of(study); }), "plain"));
}

BOOST_AUTO_TEST_CASE(a_watcher_stops_a_run_and_its_rows_are_kept) {
  const ScratchFolder folder;
  const Study study = study_in(folder);
  StepCount three(3);
  const CaseResult result = run_case(study, {}, three);
  BOOST_TEST((result.exit_code == ExitCode::stopped));
  BOOST_TEST(contains(result.problem, "asked to stop"));
  BOOST_TEST(result.summary->steps_accepted == 3);
  BOOST_TEST(three.last_clusters.has_value());
  const storage::RunReader file(result.path);
  BOOST_TEST((file.status() == storage::Status::stopped));
  BOOST_TEST(file.states().last == result.summary->outcome.time);
}

// Two tokens and V = -I under Pre-LN at beta = 0: opposite tokens have A = 0 for ever; with one token, r' = -1 and r
// reaches 0 at t = r(0).
BOOST_AUTO_TEST_CASE(a_radius_that_vanishes_is_a_result_with_its_time) {
  const ScratchFolder folder;
  const Study study = study_in(folder, {"scheme.name=pre_ln", "initial.tokens=1",
                                        "weights.value=[[-1,0,0],[0,-1,0],[0,0,-1]]", "output.record=[\"clock\"]"});
  const CaseResult result = run_of(study);
  BOOST_TEST((result.exit_code == ExitCode::numerical_end));
  BOOST_TEST(contains(result.problem, "pre_ln"));
  BOOST_TEST(contains(result.problem, "token 0"));
  BOOST_TEST(result.summary->outcome.time == 1.0, boost::test_tools::tolerance(1e-6));
  BOOST_TEST((storage::RunReader(result.path).status() == storage::Status::failed));
}

BOOST_AUTO_TEST_CASE(the_gravest_code_speaks_for_several_cases) {
  const ExitCode rising[] = {ExitCode::done, ExitCode::stopped, ExitCode::wrong_input, ExitCode::numerical_end,
                             ExitCode::file_trouble};
  for (std::size_t i = 0; i + 1 < std::size(rising); ++i) {
    BOOST_TEST((worst(rising[i], rising[i + 1]) == rising[i + 1]));
    BOOST_TEST((worst(rising[i + 1], rising[i]) == rising[i + 1]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
