#include "normdyn/files/hdf5.hpp"
#include "normdyn/files/matrix_file.hpp"
#include "support/capture.hpp"
#include "support/scratch_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn::files;
using namespace normdyn::test;
using normdyn::core::FileError;
using Values = std::vector<double>;
using Texts = std::vector<std::string>;

namespace {

template <class Read>
std::string complaint(Read read) {
  return message_of<FileError>([&] { static_cast<void>(read()); });
}

/// A file with one of everything that can be read, and a few things that cannot.
std::string sample(const ScratchFolder& scratch) {
  const std::string path = scratch.file("sample.h5");
  Hdf5File file = Hdf5File::create(path);
  Group root = file.root();
  const std::vector<float> x{1, 2, 3, 4, 5, 0.1f};
  const std::vector<std::int32_t> whole{1, 2, 3};
  const Values bad{1, 2, 3, NAN}, q{1, 2, 3, 4, 5, 6}, bias{0.5, 0.25};
  root.write<float>("x", {2, 3}, x);
  root.write<std::int32_t>("whole", {3}, whole);
  root.write<double>("bad", {2, 2}, bad);
  root.write_texts("word", Texts{"the", "", "\u00fcber"});
  Group attention = root.create_group("attention");
  attention.attributes().set("heads", std::int64_t{2});
  attention.write<double>("query", {2, 3}, q);
  attention.write<double>("query_bias", {2}, bias);
  attention.write<double>("temperature", {2}, bias);
  Group odd = root.create_group("odd");
  odd.write<double>("key", {6}, q);
  file.close();
  return path;
}

} // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(a_spec_is_a_path_and_perhaps_a_dataset) {
  BOOST_TEST(split_spec("a/b.h5:/g/x").path == "a/b.h5");
  BOOST_TEST(split_spec("a/b.h5:/g/x").dataset == "/g/x");
  BOOST_TEST(split_spec("a.csv").path == "a.csv");
  BOOST_TEST(split_spec("a.csv").dataset == "");
  BOOST_TEST(resolved_spec("../a.h5:/x", "studies/one") == "studies/a.h5:/x");
  BOOST_TEST(resolved_spec("/data/a.csv", "studies") == "/data/a.csv");
  BOOST_TEST(resolved_spec("a.csv", ".") == "a.csv");
}

BOOST_AUTO_TEST_CASE(a_dataset_of_any_number_type_is_a_matrix_of_doubles) {
  const ScratchFolder scratch;
  const std::string path = sample(scratch);
  const MatrixData m = read_matrix(path + ":/x");
  BOOST_TEST(m.rows == 2u);
  BOOST_TEST(m.columns == 3u);
  BOOST_TEST(m.values == (Values{1, 2, 3, 4, 5, double(0.1f)}), boost::test_tools::per_element());
  BOOST_TEST(read_vector(path + ":/whole") == (Values{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_no_matrix_is_refused_with_the_reason) {
  const ScratchFolder scratch;
  const std::string path = sample(scratch);
  BOOST_TEST(complaint([&] { return read_matrix(path + ":/whole"); }) ==
             path + ":/whole: has shape 3, where a matrix (rows x columns) is expected");
  BOOST_TEST(complaint([&] { return read_vector(path + ":/x"); }) ==
             path + ":/x: has shape 2 x 3, where a vector is expected");
  BOOST_TEST(complaint([&] { return read_matrix(path + ":/word"); }) == path + ":/word: holds text, not numbers");
  BOOST_TEST(complaint([&] { return read_matrix(path + ":/bad"); }) ==
             path + ":/bad: row 1, column 1 (counted from 0) is nan, which is not finite");
  BOOST_TEST(complaint([&] { return read_matrix(path + ":/y"); }) ==
             path + ":/: has no dataset 'y'; did you mean 'x'?");
  BOOST_TEST(contains(complaint([&] { return read_matrix(path); }), "write \"" + path + ":/name\"; in the file: x"));
  BOOST_TEST(contains(complaint([&] { return read_matrix(scratch.write("a.txt", "1")); }),
                      "has the unknown extension '.txt'"));
  BOOST_TEST(contains(complaint([&] { return read_matrix(scratch.file("none.csv")); }), "none.csv: no such file"));
  BOOST_TEST(contains(complaint([&] { return read_matrix(scratch.file("none.txt")); }), "none.txt: no such file"));
}

BOOST_AUTO_TEST_CASE(csv_files_are_matrices_and_vectors) {
  const ScratchFolder scratch;
  BOOST_TEST(read_matrix(scratch.write("a.csv", "x,y\n1,2\n3,4\n")).values == (Values{1, 2, 3, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(read_vector(scratch.write("b.csv", "1\n2\n")) == (Values{1, 2}), boost::test_tools::per_element());
  BOOST_TEST(read_vector(scratch.write("c.csv", "1,2\n")) == (Values{1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(labels_come_from_a_dataset_or_from_lines) {
  const ScratchFolder scratch;
  const std::string path = sample(scratch);
  BOOST_TEST(read_strings(path + ":/word") == (Texts{"the", "", "\u00fcber"}), boost::test_tools::per_element());
  BOOST_TEST(read_strings(scratch.write("words.txt", "the\r\n\nlast one")) == (Texts{"the", "", "last one"}),
             boost::test_tools::per_element());
  BOOST_TEST(read_strings(scratch.write("none.txt", "")).empty());
  BOOST_TEST(complaint([&] { return read_strings(path + ":/x"); }) ==
             path + ":/x: has shape 2 x 3, where a list is expected");
  BOOST_TEST(complaint([&] { return read_strings(path + ":/whole"); }) == path + ":/whole: holds no text");
}

BOOST_AUTO_TEST_CASE(a_group_of_weights_gives_its_known_members) {
  const ScratchFolder scratch;
  const std::string path = sample(scratch);
  const WeightsGroup weights = read_weights_group(path + ":/attention");
  BOOST_TEST(weights.n_heads == 2u);
  BOOST_TEST(weights.parts.size() == 2u);
  BOOST_REQUIRE(weights.find("query") != nullptr);
  BOOST_TEST(weights.find("query")->columns == 3u);
  BOOST_TEST(weights.find("query")->values == (Values{1, 2, 3, 4, 5, 6}), boost::test_tools::per_element());
  BOOST_REQUIRE(weights.find("query_bias") != nullptr);
  BOOST_TEST(weights.find("query_bias")->rows == 2u);
  BOOST_TEST(weights.find("query_bias")->columns == 0u);
  BOOST_TEST(weights.find("value") == nullptr);
  BOOST_TEST(complaint([&] { return read_weights_group(path + ":/odd"); }) ==
             path + ":/odd/key: has shape 6, where a matrix is expected");
  BOOST_TEST(contains(complaint([&] { return read_weights_group(path); }),
                      "has none of the matrices query, key, value, output; in the group: x, whole"));
  BOOST_TEST(complaint([&] { return read_weights_group(path + ":/atention"); }) ==
             path + ":/: has no group '/atention'; did you mean 'attention'?");
}

BOOST_AUTO_TEST_SUITE_END()
