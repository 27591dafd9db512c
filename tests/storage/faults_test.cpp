// Full disks, unwritable folders, kills: what stays is true, and nothing looks complete that is not.
#include "normdyn/core/error.hpp"
#include "normdyn/storage/run_reader.hpp"
#include "sample_run.hpp"
#include "support/capture.hpp"
#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <sys/resource.h>

using namespace normdyn::storage;
using namespace normdyn::test;
using normdyn::core::FileError;

namespace {

/// The rows that the file counts as valid are what was written. Returns their number.
std::int64_t require_valid_rows(const std::string& path, const SampleOptions& options) {
  const RunReader reader(path);
  const std::vector<double> times = reader.state_times(), series = reader.series("mean_cosine");
  const auto n_rows = static_cast<std::int64_t>(times.size());
  for (std::int64_t k = 0; k < n_rows; ++k) {
    BOOST_REQUIRE(times[std::size_t(k)] == sample_time(k));
    BOOST_REQUIRE(reader.theta(k) == sample_theta(options.n_tokens, options.dim, k));
    if (options.has_radius)
      BOOST_REQUIRE(reader.radius(k) == sample_radius(options.n_tokens, k));
    BOOST_REQUIRE(k == 3 || series.at(std::size_t(k)) == sample_series(k, false)[0]);
  }
  return n_rows;
}

/// Writes until the disk (a limit of the file's size) is full; exits 0 if everything went as promised.
int fill_the_disk(const std::string& path, std::size_t limit, int deflate) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit size{limit, limit};
  setrlimit(RLIMIT_FSIZE, &size);
  const SampleOptions options{.n_tokens = 40, .dim = 7, .n_rows = 100'000, .with_extras = false};
  RunHeader header = sample_header(options);
  header.deflate = deflate;
  try {
    RunWriter writer(path, header, false);
    const std::string first = message_of<FileError>([&] { write_rows(writer, options, 0, options.n_rows); });
    if (!contains(first, path + ": cannot be") || !contains(first, "File too large") || contains(first, "\n"))
      return 3;
    const std::string later = message_of<FileError>([&] { writer.finish(sample_end()); });
    if (!contains(later, "could not be written before"))
      return 4;
  } catch (const FileError& error) { // even the header did not fit
    return contains(error.what(), path + ": cannot be") && contains(error.what(), "File too large") ? 0 : 5;
  }
  return 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(storage)

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error_and_leaves_a_file_that_says_running) {
  const SampleOptions options{.n_tokens = 40, .dim = 7, .with_extras = false};
  for (const int deflate : {0, 4}) {
    std::int64_t most_rows = 0;
    for (std::size_t limit = 150'000; limit < 1'000'000; limit += 101'003) {
      const ScratchFolder scratch;
      const std::string path = scratch.file("run.h5");
      const ChildProcess child([&] { return fill_the_disk(path, limit, deflate); });
      const ChildProcess::End end = child.wait(60.0);
      BOOST_REQUIRE_MESSAGE(end.exit_code == 0, "limit " << limit << ", deflate " << deflate << ": " << end.text());
      BOOST_REQUIRE(end.errors == "");
      BOOST_REQUIRE(std::filesystem::exists(path));
      BOOST_REQUIRE(RunReader(path).status() == Status::running);
      most_rows = std::max(most_rows, require_valid_rows(path, options));
    }
    BOOST_TEST(most_rows > 100);
  }
}

BOOST_AUTO_TEST_CASE(a_disk_too_full_for_the_header_leaves_nothing) {
  const ScratchFolder scratch;
  const ChildProcess child([&] { return fill_the_disk(scratch.file("run.h5"), 20'000, 0); });
  BOOST_TEST(child.wait(60.0).exit_code == 0);
  BOOST_TEST(std::filesystem::is_empty(scratch.file("")));
}

BOOST_AUTO_TEST_CASE(a_killed_run_keeps_the_rows_it_counted) {
  const SampleOptions options{.n_tokens = 6, .dim = 4, .n_rows = 1000, .shared_axis = true};
  for (const int deflate : {0, 1}) {
    std::int64_t n_seen = 0;
    for (int moment = 0; moment < 20; ++moment) {
      const ScratchFolder scratch;
      const std::string path = scratch.file("run.h5");
      ChildProcess child([&] {
        RunHeader header = sample_header(options);
        header.deflate = deflate;
        RunWriter writer(path, header, false);
        write_rows(writer, options, 0, options.n_rows);
        std::this_thread::sleep_for(std::chrono::minutes(1)); // alive when the signal comes
        return 0;
      });
      for (int i = 0; i < 10'000 && !std::filesystem::exists(path); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      child.kill_after(0.0007 * moment * moment); // up to a quarter of a second: early moments and late ones
      BOOST_REQUIRE(RunReader(path).status() == Status::running);
      n_seen = std::max(n_seen, require_valid_rows(path, options));
    }
    BOOST_TEST(n_seen > 100);
  }
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_is_named) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("file", "x");
  const std::string text = message_of<FileError>([&] { write_sample(file + "/out/run.h5", SampleOptions{}); });
  BOOST_TEST(text == file + "/out/run.h5: its folder '" + file + "/out' cannot be made (Not a directory)");
  const std::string long_name = scratch.file(std::string(300, 'n'));
  BOOST_TEST(message_of<FileError>([&] { write_sample(long_name, SampleOptions{}); }) ==
             long_name + ": cannot be created (File name too long)");
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_early_keeps_what_it_had_and_says_running) {
  const ScratchFolder scratch;
  const SampleOptions options;
  {
    RunHeader header = sample_header(options);
    header.flush_seconds = 1e9;
    RunWriter writer(scratch.file("run.h5"), header, false);
    write_rows(writer, options, 0, 3);
  }
  BOOST_TEST(require_valid_rows(scratch.file("run.h5"), options) == 3);
  BOOST_CHECK(RunReader(scratch.file("run.h5")).status() == Status::running);
}

BOOST_AUTO_TEST_SUITE_END()
