#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5.hpp"
#include "normdyn/storage/run_reader.hpp"
#include "sample_run.hpp"
#include "support/capture.hpp"
#include "support/scratch_folder.hpp"

#include <boost/test/unit_test.hpp>
#include <hdf5.h>

using namespace normdyn::storage;
using namespace normdyn::test;
using normdyn::core::FileError;

namespace {

std::string refusal(const std::string& path) {
  return message_of<FileError>([&] { const RunReader reader(path); });
}

/// A file that says it has this schema, made without normdyn's writer.
std::string foreign(const ScratchFolder& scratch, const std::string& schema) {
  normdyn::files::Hdf5File file = normdyn::files::Hdf5File::create(scratch.file(schema + ".h5"));
  const std::int32_t version[2] = {1, 0};
  file.root().attributes().set("schema_name", schema);
  file.root().attributes().set("schema_version", std::span<const std::int32_t>(version));
  file.close();
  return scratch.file(schema + ".h5");
}

/// Rewrites the schema version of a file.
void set_version(const std::string& path, std::int32_t major, std::int32_t minor) {
  std::filesystem::permissions(path, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "schema_version", H5P_DEFAULT);
  const std::int32_t version[2] = {major, minor};
  BOOST_REQUIRE(H5Awrite(attribute, H5T_NATIVE_INT32, version) >= 0);
  H5Aclose(attribute);
  H5Fclose(file);
}

} // namespace

BOOST_AUTO_TEST_SUITE(storage)

BOOST_AUTO_TEST_CASE(everything_that_was_written_is_read) {
  const ScratchFolder scratch;
  for (const bool shared : {true, false})
    for (const bool in_layers : {true, false})
      for (const bool has_radius : {true, false}) {
        const SampleOptions options{.has_radius = has_radius, .shared_axis = shared, .in_layers = in_layers};
        const RunHeader expected = sample_header(options);
        const std::string path = scratch.file("run.h5");
        write_sample(path, options, true);
        const RunReader reader(path);
        const RunHeader& header = reader.header();
        BOOST_TEST(header.title == expected.title);
        BOOST_TEST(header.run_id == expected.run_id);
        BOOST_TEST(header.history == expected.history);
        BOOST_TEST(header.source == expected.source);
        BOOST_TEST(header.scheme == expected.scheme);
        BOOST_TEST(header.label == expected.label);
        BOOST_TEST(header.beta == 4.5);
        BOOST_TEST(header.seed == expected.seed);
        BOOST_TEST(header.member == 3);
        BOOST_TEST(header.n_tokens == 2u);
        BOOST_TEST(header.dim == 3u);
        BOOST_TEST(header.has_radius == has_radius);
        BOOST_TEST(header.in_layers == in_layers);
        BOOST_TEST(header.with_states);
        BOOST_TEST(header.shared_axis == shared);
        BOOST_TEST(header.theta0 == expected.theta0, boost::test_tools::per_element());
        BOOST_TEST(header.radius0 == expected.radius0, boost::test_tools::per_element());
        BOOST_TEST(header.labels == expected.labels, boost::test_tools::per_element());
        BOOST_TEST(header.generator == "by hand");
        BOOST_TEST(header.initial_note == "");
        BOOST_TEST(header.config == expected.config);
        BOOST_TEST(header.config_source == expected.config_source);
        BOOST_TEST(header.command_line == expected.command_line);
        BOOST_CHECK(reader.status() == Status::completed);
        BOOST_TEST(reader.stop_reason() == "reached the end time");

        BOOST_TEST(reader.states().rows == 5);
        BOOST_TEST(reader.states().last == 0.5);
        BOOST_TEST(reader.state_times() == (std::vector<double>{0, 0.125, 0.25, 0.375, 0.5}),
                   boost::test_tools::per_element());
        BOOST_TEST(reader.radius(1).size() == (has_radius ? 2u : 0u));
        BOOST_TEST(reader.observables().rows == (shared ? 5 : 10));
        BOOST_TEST(reader.series_times().at(1) == (shared ? 0.125 : 0.0625));
        BOOST_TEST(reader.series(in_layers ? "layer" : "step").at(shared ? 1 : 2) == 10.0);
      }
}

BOOST_AUTO_TEST_CASE(series_come_back_with_their_description_and_missing_values) {
  const ScratchFolder scratch;
  write_sample(scratch.file("run.h5"), SampleOptions{});
  const RunReader reader(scratch.file("run.h5"));
  const std::vector<SeriesVariable> expected = sample_variables(true);
  BOOST_REQUIRE(reader.header().series.size() == 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const SeriesVariable& variable = reader.header().series[i];
    BOOST_TEST(variable.name == expected[i].name);
    BOOST_TEST(variable.long_name == expected[i].long_name);
    BOOST_TEST(variable.is_integer == expected[i].is_integer);
    BOOST_TEST((variable.attributes == expected[i].attributes));
    BOOST_TEST(variable.axis == expected[i].axis);
    BOOST_TEST(variable.axis_values == expected[i].axis_values, boost::test_tools::per_element());
    BOOST_TEST(variable.axis_bounds == expected[i].axis_bounds, boost::test_tools::per_element());
  }
  const std::vector<double> cosine = reader.series("mean_cosine");
  BOOST_TEST(cosine.at(1) == 0.5);
  BOOST_TEST(std::isnan(cosine.at(3)));
  BOOST_TEST(reader.series("n_clusters") == (std::vector<double>{2, 3, 4, -1, 6}), boost::test_tools::per_element());
  const std::vector<double> histogram = reader.series("cosine_histogram");
  BOOST_REQUIRE(histogram.size() == 20u);
  BOOST_TEST(histogram[2 * 4 + 3] == 8.0);
  BOOST_TEST(message_of<FileError>([&] { static_cast<void>(reader.series("mean_cosin")); }) ==
             scratch.file("run.h5") + ": has no observable 'mean_cosin'; did you mean 'mean_cosine'?");
}

BOOST_AUTO_TEST_CASE(events_facts_inputs_and_shapes_of_weights_come_back) {
  const ScratchFolder scratch;
  write_sample(scratch.file("run.h5"), SampleOptions{});
  const RunReader reader(scratch.file("run.h5"));
  const std::vector<EventRecord> events = reader.events();
  BOOST_REQUIRE(events.size() == 2u);
  BOOST_TEST(events[0].name == "merge");
  BOOST_TEST(events[0].time == 0.25);
  BOOST_TEST(events[0].value == 2.0);
  BOOST_TEST(events[1].name == "max_angle < 1e-6");
  BOOST_TEST(std::isnan(events[1].value));

  const std::vector<Fact> expected{{"normdyn_version", std::string("0.1.0")},
                                   {"git_dirty", std::int64_t{0}},
                                   {"steps_accepted", std::int64_t{50}},
                                   {"wall_seconds", 0.5},
                                   {"exit_code", std::int64_t{0}}};
  BOOST_TEST((reader.facts() == expected));
  BOOST_REQUIRE(reader.header().inputs.size() == 1u);
  BOOST_TEST(reader.header().inputs[0].key == "initial.file");
  BOOST_TEST(reader.header().inputs[0].path == "words.h5:/x");
  BOOST_TEST(reader.header().inputs[0].sha256 == std::string(64, 'a'));

  BOOST_REQUIRE(reader.header().weights.size() == 2u);
  BOOST_TEST(reader.header().weights[1].from == 0.25);
  BOOST_TEST(reader.header().weights[1].n_heads == 2u);
  BOOST_REQUIRE(reader.header().weights[1].parts.size() == 3u); // the identity is not written
  BOOST_TEST(reader.header().weights[1].parts[0].name == "query");
  BOOST_TEST(reader.header().weights[1].parts[0].rows == 4u);
  BOOST_TEST(reader.header().weights[1].parts[0].columns == 3u);
  BOOST_TEST(reader.header().weights[1].parts[2].name == "output_bias");
  BOOST_TEST(reader.header().weights[1].parts[2].columns == 0u);
}

BOOST_AUTO_TEST_CASE(a_run_of_one_kind_of_output_only_is_readable) {
  const ScratchFolder scratch;
  SampleOptions options{.with_extras = false};
  RunHeader header = sample_header(options);
  header.series.clear();
  {
    RunWriter writer(scratch.file("states.h5"), header, false);
    write_rows(writer, options, 0, 3);
    writer.finish(sample_end());
  }
  const RunReader states(scratch.file("states.h5"));
  BOOST_TEST(states.states().rows == 3);
  BOOST_TEST(states.observables().rows == 0);
  BOOST_TEST(states.events().empty());
  BOOST_TEST(states.header().weights.empty());

  header = sample_header(options);
  header.with_states = false;
  {
    RunWriter writer(scratch.file("series.h5"), header, false);
    for (std::int64_t k = 0; k < 4; ++k)
      writer.series(sample_time(k), k, sample_series(k, false));
    writer.finish(sample_end());
  }
  const RunReader series(scratch.file("series.h5"));
  BOOST_TEST(series.header().has_radius);
  BOOST_TEST(!series.header().with_states);
  BOOST_TEST(series.states().rows == 0);
  BOOST_TEST(series.observables().rows == 4);
  BOOST_TEST(series.series_times().at(3) == 0.375);
  BOOST_TEST(contains(message_of<FileError>([&] { static_cast<void>(series.theta(0)); }), "has 0 valid states"));
}

BOOST_AUTO_TEST_CASE(files_of_others_are_refused_in_one_line_and_silently) {
  const ScratchFolder scratch;
  scratch.write("text.h5", "words");
  normdyn::files::Hdf5File::create(scratch.file("bare.h5")).close();
  const std::string printed = stderr_of([&] {
    BOOST_TEST(refusal(scratch.file("text.h5")) == scratch.file("text.h5") + ": is no HDF5 file");
    BOOST_TEST(refusal(scratch.file("bare.h5")) == scratch.file("bare.h5") + ": is no run file of normdyn");
    BOOST_TEST(contains(refusal(scratch.file("none.h5")), "none.h5: no such file"));
    const std::string other = foreign(scratch, "other");
    BOOST_TEST(refusal(other) == other + ": is no run file: its schema is 'other', not 'normdyn-run'");
    const std::string empty = foreign(scratch, "normdyn-run");
    BOOST_TEST(contains(refusal(empty), empty + ":/: has no attribute 'title'"));
  });
  BOOST_TEST(printed == "");
}

BOOST_AUTO_TEST_CASE(a_newer_minor_version_is_read_and_a_newer_major_one_refused) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("run.h5");
  write_sample(path, SampleOptions{});
  set_version(path, 1, 7);
  BOOST_TEST(RunReader(path).states().rows == 5);
  set_version(path, 2, 0);
  BOOST_TEST(refusal(path) == path + ": was written by a newer normdyn: its schema is 2.0, this program reads 1.x; "
                                     "update normdyn to read it");
}

BOOST_AUTO_TEST_CASE(every_status_has_a_text_that_reads_back) {
  for (const Status status : {Status::running, Status::completed, Status::event, Status::stopped, Status::failed})
    BOOST_CHECK(status_from(status_text(status)) == status);
  BOOST_CHECK(!status_from("done"));
}

BOOST_AUTO_TEST_SUITE_END()
