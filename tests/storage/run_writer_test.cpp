#include "normdyn/core/error.hpp"
#include "normdyn/storage/run_reader.hpp"
#include "normdyn/storage/run_writer.hpp"
#include "sample_run.hpp"
#include "support/capture.hpp"
#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

#include <boost/test/unit_test.hpp>
#include <hdf5.h>

#include <filesystem>
#include <sys/stat.h>

using namespace normdyn::storage;
using namespace normdyn::test;
using normdyn::core::FileError;
using normdyn::core::InputError;

namespace {

using Frames = std::vector<std::vector<std::vector<double>>>;

/// A three-dimensional dataset through the C library alone, element by element.
Frames read_with_bare_hdf5(const std::string& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  hsize_t size[3] = {};
  BOOST_REQUIRE(H5Sget_simple_extent_ndims(space) == 3);
  H5Sget_simple_extent_dims(space, size, nullptr);
  Frames frames(size[0], std::vector(size[1], std::vector<double>(size[2])));
  const hsize_t one[3] = {1, 1, 1};
  const hid_t single = H5Screate_simple(3, one, nullptr);
  for (hsize_t k = 0; k < size[0]; ++k)
    for (hsize_t j = 0; j < size[1]; ++j)
      for (hsize_t i = 0; i < size[2]; ++i) {
        const hsize_t at[3] = {k, j, i};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, one, nullptr);
        H5Dread(dataset, H5T_NATIVE_DOUBLE, single, space, H5P_DEFAULT, &frames[k][j][i]);
      }
  H5Sclose(single);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return frames;
}

template <class Error>
std::string refusal(const std::string& path, bool overwrite) {
  return message_of<Error>([&] { write_sample(path, SampleOptions{}, overwrite); });
}

std::size_t count_files(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

} // namespace

BOOST_AUTO_TEST_SUITE(storage)

BOOST_AUTO_TEST_CASE(bare_hdf5_sees_time_token_component) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("run.h5");
  write_sample(path, {.n_tokens = 2, .dim = 3, .n_rows = 5});
  const Frames frames = read_with_bare_hdf5(path, "/theta");
  BOOST_REQUIRE(frames.size() == 5);
  BOOST_REQUIRE(frames[0].size() == 2);
  BOOST_REQUIRE(frames[0][0].size() == 3);
  for (std::int64_t k = 0; k < 5; ++k)
    for (std::size_t j = 0; j < 2; ++j) {
      double norm = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double value = frames[std::size_t(k)][j][i];
        BOOST_TEST(value == sample_theta(2, 3, k)[j * 3 + i]);
        norm += value * value;
      }
      BOOST_TEST(std::abs(norm - 1.0) < 1e-15);
    }
}

BOOST_AUTO_TEST_CASE(frames_come_back_for_any_size_and_any_commits) {
  for (const std::size_t n : {1, 3, 33, 70})
    for (const double flush_seconds : {0.0, 1e9}) {
      const ScratchFolder scratch;
      const std::string path = scratch.file("run.h5");
      const SampleOptions options{.n_tokens = n, .dim = 2, .n_rows = 100, .shared_axis = false};
      RunHeader header = sample_header(options);
      header.flush_seconds = flush_seconds;
      RunWriter writer(path, header, false);
      write_rows(writer, options, 0, 100);
      writer.finish(sample_end());
      const RunReader reader(path);
      BOOST_REQUIRE(reader.states().rows == 100);
      BOOST_REQUIRE(reader.observables().rows == 200);
      for (std::int64_t k = 0; k < 100; ++k) {
        BOOST_REQUIRE(reader.theta(k) == sample_theta(n, 2, k));
        BOOST_REQUIRE(reader.radius(k) == sample_radius(n, k));
      }
      BOOST_TEST(reader.theta(-1) == sample_theta(n, 2, 99), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(compressed_and_single_precision_states_come_back) {
  const ScratchFolder scratch;
  const SampleOptions options{.n_tokens = 40, .dim = 3, .n_rows = 70};
  for (const bool is_single : {false, true}) {
    const std::string path = scratch.file(is_single ? "single.h5" : "double.h5");
    RunHeader header = sample_header(options);
    header.deflate = 4;
    header.float32_states = is_single;
    RunWriter writer(path, header, false);
    write_rows(writer, options, 0, 70);
    BOOST_TEST(RunReader(path).states().rows == 64); // whole chunks only, until the end
    writer.finish(sample_end());
    const RunReader reader(path);
    BOOST_REQUIRE(reader.states().rows == 70);
    BOOST_TEST(reader.header().float32_states == is_single);
    for (std::int64_t k = 0; k < 70; ++k) {
      std::vector<double> expected = sample_theta(40, 3, k);
      for (double& value : expected)
        value = is_single ? static_cast<double>(static_cast<float>(value)) : value;
      BOOST_REQUIRE(reader.theta(k) == expected);
      BOOST_REQUIRE(reader.radius(k) == sample_radius(40, k)); // radii keep double precision
    }
  }
}

BOOST_AUTO_TEST_CASE(a_running_file_is_read_while_it_grows) {
  const ScratchFolder scratch;
  const SampleOptions options;
  RunWriter writer(scratch.file("run.h5"), sample_header(options), false);
  BOOST_CHECK(RunReader(scratch.file("run.h5")).status() == Status::running);
  BOOST_TEST(RunReader(scratch.file("run.h5")).states().rows == 0);
  write_rows(writer, options, 0, 2);
  BOOST_TEST(RunReader(scratch.file("run.h5")).states().rows == 2);
  // From another program, which is refused HDF5's lock and reads without it.
  const ChildProcess child([&] {
    const RunReader reader(scratch.file("run.h5"));
    return reader.states().rows == 2 && reader.theta(1) == sample_theta(2, 3, 1) ? 0 : 1;
  });
  BOOST_TEST(child.wait(30.0).text() == "exit code 0, signal 0, stderr: ");
  write_rows(writer, options, 2, 5); // the run does not mind its readers
  writer.finish(sample_end());
  BOOST_TEST(RunReader(scratch.file("run.h5")).states().rows == 5);
}

BOOST_AUTO_TEST_CASE(commits_keep_to_their_interval_unless_forced) {
  const ScratchFolder scratch;
  const SampleOptions options;
  RunHeader header = sample_header(options);
  header.flush_seconds = 3600.0;
  RunWriter writer(scratch.file("run.h5"), header, false);
  write_rows(writer, options, 0, 3);
  BOOST_TEST(RunReader(scratch.file("run.h5")).states().rows == 0);
  writer.commit(true);
  BOOST_TEST(RunReader(scratch.file("run.h5")).states().rows == 3);
}

BOOST_AUTO_TEST_CASE(an_existing_output_is_kept_unless_overwriting_is_asked_for) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("run.h5", "precious");
  BOOST_TEST(refusal<InputError>(path, false) ==
             path + ": exists already; use --overwrite to replace it, or write to another file");
  BOOST_TEST(std::filesystem::file_size(path) == 8u);
  write_sample(path, SampleOptions{}, true);
  BOOST_TEST(RunReader(path).states().rows == 5);
  BOOST_TEST(count_files(scratch.file("")) == 1u); // no temporary file stays
}

BOOST_AUTO_TEST_CASE(a_finished_file_is_read_only_and_can_be_overwritten) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("deep/down/run.h5"); // the folders are made
  write_sample(path, SampleOptions{});
  struct stat info {};
  stat(path.c_str(), &info);
  BOOST_TEST((info.st_mode & 0222u) == 0u);
  write_sample(path, {.n_rows = 2}, true);
  BOOST_TEST(RunReader(path).states().rows == 2);
}

BOOST_AUTO_TEST_CASE(a_second_writer_is_refused_while_the_first_one_runs) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("run.h5");
  const SampleOptions options;
  RunWriter writer(path, sample_header(options), false);
  write_rows(writer, options, 0, 2);
  for (const bool overwrite : {false, true})
    BOOST_TEST(refusal<InputError>(path, overwrite) ==
               path + ": is being written by another run; wait for it, or write to another file");
  const ChildProcess child(
      [&] { return contains(refusal<InputError>(path, true), "is being written by another run") ? 0 : 1; });
  BOOST_TEST(child.wait(30.0).exit_code == 0);
  write_rows(writer, options, 2, 5);
  writer.finish(sample_end());
  BOOST_TEST(RunReader(path).states().rows == 5);
  BOOST_TEST(count_files(scratch.file("")) == 1u);
}

BOOST_AUTO_TEST_CASE(an_interrupted_file_can_be_overwritten) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("run.h5");
  { RunWriter writer(path, sample_header({}), false); }
  BOOST_CHECK(RunReader(path).status() == Status::running);
  write_sample(path, SampleOptions{}, true);
  BOOST_CHECK(RunReader(path).status() == Status::completed);
}

BOOST_AUTO_TEST_CASE(an_input_is_never_the_output) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("words.h5", "the only copy");
  std::filesystem::create_symlink(path, scratch.file("other-name.h5"));
  RunHeader header = sample_header({});
  header.inputs = {{"initial.file", "words.h5:/x", "", path}};
  for (const std::string& output : {path, scratch.file("other-name.h5")})
    BOOST_TEST(message_of<InputError>([&] { RunWriter(output, header, true); }) ==
               output + ": is also the input that initial.file names; write to another file");
  BOOST_TEST(std::filesystem::file_size(path) == 13u);
}

BOOST_AUTO_TEST_CASE(what_is_no_plain_file_is_not_replaced) {
  const ScratchFolder scratch;
  BOOST_TEST(contains(refusal<InputError>(scratch.file(""), true), "is a folder; name a file in it"));
  BOOST_TEST(contains(refusal<InputError>("/dev/null", true), "/dev/null: is no plain file"));
  BOOST_TEST(contains(refusal<InputError>("", true), "output.file: is empty"));
}

BOOST_AUTO_TEST_CASE(two_starts_at_once_cannot_take_the_same_name) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("run.h5");
  for (int round = 0; round < 10; ++round) {
    std::filesystem::remove(path);
    const auto start = [&] { return refusal<InputError>(path, false).empty() ? 0 : 2; };
    const ChildProcess first(start), second(start);
    const int sum = first.wait(30.0).exit_code + second.wait(30.0).exit_code;
    BOOST_REQUIRE(sum == 2); // one of the two wrote, the other was refused
    BOOST_REQUIRE(RunReader(path).states().rows == 5);
  }
}

BOOST_AUTO_TEST_SUITE_END()
