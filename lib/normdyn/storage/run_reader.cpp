#include "normdyn/storage/run_reader.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5.hpp"
#include "normdyn/storage/run_header_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::storage {
namespace {

using files::Group;

void require_schema(const Group& root, const std::string& path) {
  const files::Attributes attributes = root.attributes();
  if (!attributes.has("schema_name") || !attributes.has("schema_version"))
    throw core::FileError(path, "is no run file of normdyn",
                          attributes.has("of_controls") ? "it holds the numbers of a report of 'normdyn reproduce'"
                                                        : "");
  if (const std::string name = attributes.text("schema_name"); name != schema_name)
    throw core::FileError(path, fmt::format("is no run file: its schema is '{}', not '{}'", name, schema_name),
                          name == "normdyn-reduced" ? "it is a table of 'normdyn reduced', which gives rates by --rates"
                                                    : "");
  const std::vector<std::int64_t> version = attributes.integers("schema_version");
  if (version.size() != 2)
    throw core::FileError(path, "has a damaged schema_version");
  if (version[0] > schema_version[0])
    throw core::FileError(path,
                          fmt::format("was written by a newer normdyn: its schema is {}.{}, this program reads {}.x",
                                      version[0], version[1], schema_version[0]),
                          "update normdyn to read it");
}

Fact fact_of(const files::Attributes& attributes, const std::string& name) {
  switch (attributes.kind(name)) {
  case files::Kind::integer:
    return {name, attributes.integer(name)};
  case files::Kind::real:
    return {name, attributes.number(name)};
  default:
    return {name, attributes.text(name)};
  }
}

} // namespace

struct RunReader::File {
  explicit File(const std::string& path)
      : hdf5(files::Hdf5File::open(path)), root((require_schema(hdf5.root(), path), hdf5.root())),
        header(read_header(root)), stop_reason(root.attributes().text("stop_reason")) {
    const std::string text = root.attributes().text("status");
    const std::optional<Status> known = status_from(text);
    if (!known)
      throw core::FileError(path, fmt::format("has the unknown status '{}'", text));
    status = *known;
    n_frames = header.with_states ? valid("frames_valid", "time") : 0;
    n_series = header.series.empty() ? 0 : valid("series_valid", series_axis());
    const files::Attributes provenance = root.group("provenance").attributes();
    for (const std::string& name : provenance.names())
      facts.push_back(fact_of(provenance, name));
  }

  [[nodiscard]] std::string series_axis() const { return header.shared_axis ? "time" : "observable_time"; }

  /// Rows known good; never more than there are.
  [[nodiscard]] std::int64_t valid(const char* attribute, const std::string& axis) const {
    const auto rows = static_cast<std::int64_t>(root.dataset(axis).shape().at(0));
    const std::int64_t counted = root.attributes().integer(attribute);
    if (counted < 0 || counted > rows)
      throw core::FileError(hdf5.path(),
                            fmt::format("is damaged: {} is {}, but `{}` has {} rows", attribute, counted, axis, rows));
    return counted;
  }

  [[nodiscard]] std::vector<double> times(const std::string& axis, std::int64_t rows) const {
    return root.dataset(axis).read_rows<double>(0, static_cast<std::size_t>(rows));
  }

  [[nodiscard]] AxisInfo info(const std::string& axis, std::int64_t rows) const {
    if (rows == 0)
      return {};
    const std::vector<double> all = times(axis, rows);
    return {rows, all.front(), all.back()};
  }

  [[nodiscard]] std::vector<double> frame(const char* name, std::int64_t row) const {
    const std::int64_t place = row < 0 ? n_frames + row : row;
    if (place < 0 || place >= n_frames)
      throw core::FileError(hdf5.path(), fmt::format("has {} valid states, so there is no row {}", n_frames, row));
    return root.dataset(name).read_rows<double>(static_cast<std::size_t>(place), 1);
  }

  files::Hdf5File hdf5;
  files::Group root;
  RunHeader header;
  std::string stop_reason;
  Status status = Status::running;
  std::int64_t n_frames = 0, n_series = 0;
  std::vector<Fact> facts;
};

RunReader::RunReader(const std::string& path) : file_(std::make_unique<File>(path)) {}
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

const RunHeader& RunReader::header() const {
  return file_->header;
}
Status RunReader::status() const {
  return file_->status;
}
const std::string& RunReader::stop_reason() const {
  return file_->stop_reason;
}
const std::vector<Fact>& RunReader::facts() const {
  return file_->facts;
}
AxisInfo RunReader::states() const {
  return file_->info("time", file_->n_frames);
}
AxisInfo RunReader::observables() const {
  return file_->info(file_->series_axis(), file_->n_series);
}

std::vector<EventRecord> RunReader::events() const {
  const Group group = file_->root.group("events");
  const std::vector<double> times = group.dataset("t").read<double>(), values = group.dataset("value").read<double>();
  const std::vector<std::string> names = group.dataset("name").read_texts();
  std::vector<EventRecord> events;
  for (std::size_t i = 0; i < std::min({times.size(), values.size(), names.size()}); ++i)
    events.push_back({names[i], times[i], values[i]});
  return events;
}

std::vector<double> RunReader::state_times() const {
  return file_->times("time", file_->n_frames);
}
std::vector<double> RunReader::series_times() const {
  return file_->times(file_->series_axis(), file_->n_series);
}
std::vector<double> RunReader::theta(std::int64_t row) const {
  return file_->frame("theta", row);
}

std::vector<double> RunReader::radius(std::int64_t row) const {
  return file_->header.has_radius ? file_->frame("radius", row) : std::vector<double>();
}

std::vector<double> RunReader::series(const std::string& name) const {
  const std::string prefix = file_->header.shared_axis ? "" : "observable_";
  std::vector<std::string> known;
  for (const SeriesVariable& variable : file_->header.series)
    known.push_back(variable.name);
  const std::string step = file_->header.in_layers ? "layer" : "step";
  known.push_back(step);
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw core::FileError(file_->hdf5.path(), fmt::format("has no observable '{}'", name),
                          core::suggestion(name, known));
  return file_->root.dataset(name == step ? prefix + step : name)
      .read_rows<double>(0, static_cast<std::size_t>(file_->n_series));
}

} // namespace normdyn::storage
