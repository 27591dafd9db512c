#include "normdyn/experiment/repeat.hpp"

#include "experiment/small_study.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/storage/run_reader.hpp"
#include "support/capture.hpp"

#include <boost/test/unit_test.hpp>

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
