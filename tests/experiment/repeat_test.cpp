#include "normdyn/experiment/repeat.hpp"

#include "experiment/small_study.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/experiment/canonical.hpp"
#include "normdyn/storage/run_reader.hpp"
#include "support/capture.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>

using namespace normdyn;
using namespace normdyn::experiment;
using namespace normdyn::test;

namespace {

// Two rows of a file under Pre-LN, with formulas in the config.
constexpr char study_from_file[] = R"toml([initial]
kind = "file"
file = "tokens.csv"
[attention]
beta = "1/sqrt(d)"
[scheme]
name = "pre_ln"
[time]
end = 2.0
[output]
file = "run.h5"
states = { spacing = "linear", count = 3 }
)toml";

} // namespace

BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(a_repeated_run_has_the_same_bits) {
  const ScratchFolder folder;
  folder.write("tokens.csv", "1,0,0.5\n0,1,0.25\n-0.5,0.5,2\n");
  const CaseResult first = run_of(study_in(folder, {"attention.beta=3"}, study_from_file));
  const RunRecord record = read_run_record(first.path);
  BOOST_TEST(record.output == folder.file("run-repeat.h5"));
  BOOST_TEST(record.config.text == study_from_file);

  const Study study = study_of(record.config, {.output = record.output});
  require_same_inputs(study, record);
  BOOST_TEST(study.model.beta(0.0) == 3.0); // as it was run, not as it was written
  const CaseResult again = run_of(study);
  BOOST_TEST(again.run_id == first.run_id);
  const storage::RunReader a(first.path), b(again.path);
  for (std::int64_t row = 0; row < 3; ++row) {
    BOOST_TEST(a.theta(row) == b.theta(row), boost::test_tools::per_element());
    BOOST_TEST(a.radius(row) == b.radius(row), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(what_is_set_in_a_repetition_changes_the_defaults_that_follow_from_it) {
  const ScratchFolder folder;
  folder.write("tokens.csv", "1,0,0.5\n0,1,0.25\n-0.5,0.5,2\n");
  const CaseResult first = run_of(study_in(folder, {"solver.rtol=1e-9", "solver.atol=3e-9"}, study_from_file));
  RunRecord record = read_run_record(first.path);
  BOOST_TEST((study_of(record.config, {.output = record.output}).solve.method == integrate::Method::dop853));
  apply_sets(record.config, {"solver.rtol=1e-4"});
  const Study study = study_of(record.config, {.output = record.output});
  BOOST_TEST((study.solve.method == integrate::Method::dopri5));
  BOOST_TEST(study.solve.tolerance.radius_rtol == 1e-4);
  BOOST_TEST(study.solve.tolerance.atol == 3e-9); // given then, and kept
  BOOST_TEST(study.solve.tolerance.radius_atol == 3e-9);
  BOOST_TEST(study.model.beta(0.0) == 1.0 / std::sqrt(3.0));
  BOOST_TEST(study.scheme == "pre_ln");

  RunRecord same = read_run_record(first.path);
  apply_sets(same.config, {});
  BOOST_TEST(core::same_data(same.config.root, read_run_record(first.path).config.root));
  RunRecord no_change = read_run_record(first.path); // a value that it has: the same study
  apply_sets(no_change.config, {"solver.rtol=1e-9"});
  const auto id_of = [](const Study& read) { return run_id(read.changed, read.seed, read.inputs); };
  BOOST_TEST(id_of(study_of(no_change.config, {.output = record.output})) == first.run_id);
}

BOOST_AUTO_TEST_CASE(a_repetition_may_say_where_its_inputs_are_now) {
  const ScratchFolder folder;
  folder.write("tokens.csv", "1,0\n0,1\n");
  const CaseResult first = run_of(study_in(folder, {}, study_from_file));
  std::filesystem::rename(folder.file("tokens.csv"), folder.file("moved.csv"));
  RunRecord record = read_run_record(first.path);
  apply_sets(record.config, {"initial.file=" + folder.file("moved.csv"), "solver.rtol=1e-4"});
  const Study study = study_of(record.config, {.output = record.output});
  require_same_inputs(study, record);
  BOOST_TEST((study.solve.method == integrate::Method::dopri5));
}

BOOST_AUTO_TEST_CASE(a_changed_input_is_refused_by_name) {
  const ScratchFolder folder;
  folder.write("tokens.csv", "1,0\n0,1\n");
  const CaseResult first = run_of(study_in(folder, {}, study_from_file));
  folder.write("tokens.csv", "1,0\n1,1\n");
  const RunRecord record = read_run_record(first.path);
  const Study study = study_of(record.config, {.output = record.output});
  const std::string text = message_of<core::FileError>([&] { require_same_inputs(study, record); });
  BOOST_TEST(contains(text, "tokens.csv"));
  BOOST_TEST(contains(text, "initial.file"));
}

BOOST_AUTO_TEST_CASE(a_run_that_moved_with_its_inputs_finds_them) {
  const ScratchFolder folder;
  const std::string old_place = folder.file("old"), new_place = folder.file("new");
  std::filesystem::create_directory(old_place);
  folder.write("old/tokens.csv", "1,0\n0,1\n");
  folder.write("old/study.toml", study_from_file);
  const CaseResult first = run_of(study_of(load_config(old_place + "/study.toml")));
  std::filesystem::rename(old_place, new_place);
  const RunRecord record = read_run_record(new_place + "/run.h5");
  BOOST_TEST(record.output == new_place + "/run-repeat.h5");
  const Study study = study_of(record.config, {.output = record.output});
  require_same_inputs(study, record);
  BOOST_TEST(study.initial.n_tokens == 2u);
  BOOST_TEST(run_of(study).run_id == first.run_id);
}

BOOST_AUTO_TEST_CASE(what_is_no_run_file_is_refused) {
  const ScratchFolder folder;
  const std::string path = folder.write("plain.h5", "no run");
  BOOST_TEST(contains(message_of<core::FileError>([&] { (void)read_run_record(path); }), "plain.h5"));
}

BOOST_AUTO_TEST_SUITE_END()
