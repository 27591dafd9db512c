#include "initial_test_support.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace normdyn;
using namespace normdyn::initial;
using namespace normdyn::initial::test;

namespace {

const std::string glove = std::string(NORMDYN_DATA_DIR) + "/glove-1024x100.h5";

/// A folder for the files of one case, removed at its end.
class Folder final {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("normdyn_initial_" + std::to_string(counter_++) + "_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

 private:
  static inline int counter_ = 0;
  std::filesystem::path path_;
};

std::string refusal_in(const Folder& folder, Options options) {
  try {
    core::Settings settings = config(options);
    (void)read_initial(settings, {.folder = folder.path()});
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(initial)

BOOST_AUTO_TEST_CASE(words_are_read_selected_and_centered) {
  const InitialState raw =
      made({{"kind", "file"}, {"file", glove + ":/x"}, {"labels", glove + ":/word"}, {"rows", "0:256"}});
  check_state(raw);
  BOOST_TEST(raw.n_tokens == 256U);
  BOOST_TEST(raw.dim == 100U);
  BOOST_TEST(raw.labels.front() == "the");
  BOOST_TEST(raw.labels.size() == 256U);
  BOOST_TEST_REQUIRE(raw.inputs.size() == 2U);
  BOOST_TEST(raw.inputs[0].path == glove);
  BOOST_TEST(raw.inputs[0].key == "initial.file");
  BOOST_TEST(raw.inputs[1].key == "initial.labels");

  const InitialState centered = made(
      {{"kind", "file"}, {"file", glove + ":/x"}, {"labels", glove + ":/word"}, {"rows", "0:256"}, {"center", true}});
  for (std::size_t c = 0; c < 100; ++c) {
    double mean = 0.0;
    for (std::size_t j = 0; j < 256; ++j)
      mean += raw.radius[j] * token(raw, j)[c] / 256.0;
    double centered_mean = 0.0;
    for (std::size_t j = 0; j < 256; ++j) {
      const double x = raw.radius[j] * token(raw, j)[c], y = centered.radius[j] * token(centered, j)[c];
      BOOST_TEST(std::abs(x - mean - y) < 1e-14);
      centered_mean += y / 256.0;
    }
    BOOST_TEST(std::abs(centered_mean) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(rows_are_chosen_by_range_step_or_list) {
  const Folder folder;
  folder.write("x.csv", "a,b\n1,0\n0,2\n3,0\n0,-4\n5,0\n");
  folder.write("names.txt", "one\ntwo\nthree\nfour\nfive\n");
  const auto radii = [&](core::Value rows) {
    core::Settings settings =
        config({{"kind", "file"}, {"file", "x.csv"}, {"labels", "names.txt"}, {"rows", std::move(rows)}});
    const InitialState state = read_initial(settings, {.folder = folder.path()});
    std::string text;
    for (std::size_t j = 0; j < state.n_tokens; ++j)
      text += std::to_string(static_cast<int>(state.radius[j])) + " " + state.labels[j] + " ";
    return text;
  };
  BOOST_TEST(radii("0:2") == "1 one 2 two ");
  BOOST_TEST(radii("3:") == "4 four 5 five ");
  BOOST_TEST(radii(":1") == "1 one ");
  BOOST_TEST(radii("0:5:2") == "1 one 3 three 5 five ");
  BOOST_TEST(radii(list({std::int64_t{4}, std::int64_t{0}})) == "5 five 1 one ");
}

BOOST_AUTO_TEST_CASE(norms_of_a_file_are_kept_replaced_or_set) {
  const Folder folder;
  folder.write("x.csv", "3,4\n0,2\n");
  const auto radius = [&](core::Value norms) {
    core::Settings settings = config({{"kind", "file"}, {"file", "x.csv"}, {"norms", std::move(norms)}});
    return read_initial(settings, {.folder = folder.path()}).radius[0];
  };
  BOOST_TEST(radius("keep") == 5.0);
  BOOST_TEST(radius("unit") == 1.0);
  BOOST_TEST(radius(2.5) == 2.5);
  BOOST_TEST(radius("sqrt(d)*n") == 2.0 * std::sqrt(2.0));
}

BOOST_AUTO_TEST_CASE(files_that_make_no_tokens_are_refused_with_the_place) {
  const Folder folder;
  folder.write("x.csv", "1,0\n0,0\n3,0\n");
  folder.write("names.txt", "one\ntwo\n");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"labels", list({"the", "of", "and"})}}) ==
             "study.toml: initial.file: row 1 ('of') is zero and has no direction; leave it out, or change it");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", "1:3"}}) ==
             "study.toml: initial.file: row 1 is zero and has no direction; leave it out, or change it");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"labels", "names.txt"}}) ==
             "study.toml: initial.labels: 2 labels for 3 rows, of which 3 are taken; give a label for each row of the "
             "file, or for each row taken");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", "0:4"}}) ==
             "study.toml: initial.rows: '0:4' ends beyond the 3 rows there are");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", "2:2"}})
                 .starts_with("study.toml: initial.rows: '2:2' selects no rows"));
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", "0-2"}})
                 .starts_with("study.toml: initial.rows: '0-2' is no range of rows"));
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", "0:x"}})
                 .starts_with("study.toml: initial.rows: '0:x': 'x' is no row number"));
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", "0:2:0"}})
                 .starts_with("study.toml: initial.rows: '0:2:0' has step 0"));
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", list({std::int64_t{7}})}}) ==
             "study.toml: initial.rows: there is no row 7; rows run from 0 to 2");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"rows", "0:1"}, {"tokens", std::int64_t{4}}}) ==
             "study.toml: initial.tokens: 4 is given, but the tokens have n = 1; leave this key out");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}}) == "study.toml: initial.file: is missing; a text is needed here");
}

BOOST_AUTO_TEST_CASE(centering_equal_rows_leaves_none_and_says_so) {
  const Folder folder;
  folder.write("x.csv", "1,2\n1,2\n");
  BOOST_TEST(refusal_in(folder, {{"kind", "file"}, {"file", "x.csv"}, {"center", true}}) ==
             "study.toml: initial.file: row 0 is zero and has no direction; leave it out, or change it");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_a_file_error) {
  core::Settings settings = config({{"kind", "file"}, {"file", glove + ":/y"}});
  BOOST_CHECK_THROW((void)read_initial(settings, {}), core::FileError);
  core::Settings other = config({{"kind", "file"}, {"file", "no-such-file.csv"}});
  BOOST_CHECK_THROW((void)read_initial(other, {}), core::FileError);
}

BOOST_AUTO_TEST_SUITE_END()
