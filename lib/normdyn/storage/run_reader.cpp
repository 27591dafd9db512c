#include "normdyn/storage/run_reader.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/files/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::storage {
namespace {

using files::Dataset;
using files::Group;

void require_schema(const Group& root, const std::string& path) {
  const files::Attributes attributes = root.attributes();
  if (!attributes.has("schema_name") || !attributes.has("schema_version"))
    throw core::FileError(path, "is no run file of normdyn");
  if (attributes.text("schema_name") != schema_name)
    throw core::FileError(
        path, fmt::format("is no run file: its schema is '{}', not '{}'", attributes.text("schema_name"), schema_name));
  const std::vector<std::int64_t> version = attributes.integers("schema_version");
  if (version.size() != 2)
    throw core::FileError(path, "has a damaged schema_version");
  if (version[0] > schema_version[0])
    throw core::FileError(path,
                          fmt::format("was written by a newer normdyn: its schema is {}.{}, this program reads {}.x",
                                      version[0], version[1], schema_version[0]),
                          "update normdyn to read it");
}

std::string text_of(const Group& group, const std::string& name) {
  return group.dataset(name).read_texts().at(0);
}

template <files::Number T>
T scalar_of(const Group& group, const std::string& name) {
  return group.dataset(name).read<T>().at(0);
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

bool is_standard_attribute(const std::string& name) {
  static const std::vector<std::string> standard{"long_name",      "units", "coordinates", "_FillValue",
                                                 "DIMENSION_LIST", "CLASS", "NAME",        "REFERENCE_LIST"};
  return std::find(standard.begin(), standard.end(), name) != standard.end();
}

SeriesVariable variable_of(const Group& root, const std::string& name) {
  const Dataset dataset = root.dataset(name);
  const files::Attributes attributes = dataset.attributes();
  SeriesVariable variable;
  variable.name = name;
  variable.long_name = attributes.text("long_name");
  variable.is_integer = dataset.kind() == files::Kind::integer;
  for (const std::string& key : attributes.names()) {
    if (is_standard_attribute(key) && !(key == "units" && attributes.text(key) != "1"))
      continue;
    if (attributes.kind(key) == files::Kind::text)
      variable.attributes.emplace_back(key, attributes.text(key));
    else
      variable.attributes.emplace_back(key, attributes.number(key));
  }
  const std::vector<std::string> dimensions = dataset.dimensions();
  if (dimensions.size() < 2)
    return variable;
  variable.axis = dimensions[1];
  variable.axis_values = root.dataset(variable.axis).read<double>();
  if (root.has(variable.axis + "_bounds")) {
    const std::vector<double> pairs = root.dataset(variable.axis + "_bounds").read<double>();
    for (std::size_t i = 0; i < pairs.size(); i += 2)
      variable.axis_bounds.push_back(pairs[i]);
    variable.axis_bounds.push_back(pairs.back());
  }
  return variable;
}

std::vector<SeriesVariable> read_series(const Group& root, const std::string& axis) {
  static const std::vector<std::string> others{"theta",           "radius",           "step",     "layer",
                                               "observable_step", "observable_layer", "wall_time"};
  std::vector<SeriesVariable> found;
  for (const std::string& name : root.names()) {
    if (std::find(others.begin(), others.end(), name) != others.end())
      continue;
    if (!root.is_dataset(name) || root.dataset(name).is_scale())
      continue;
    const std::vector<std::string> dimensions = root.dataset(name).dimensions();
    if (!dimensions.empty() && dimensions[0] == axis)
      found.push_back(variable_of(root, name));
  }
  return found;
}

std::vector<RunInput> read_inputs(const Group& root) {
  const Group group = root.group("inputs");
  const std::vector<std::string> keys = group.dataset("key").read_texts(), paths = group.dataset("path").read_texts(),
                                 hashes = group.dataset("sha256").read_texts();
  std::vector<RunInput> inputs;
  for (std::size_t i = 0; i < std::min({keys.size(), paths.size(), hashes.size()}); ++i)
    inputs.push_back({keys[i], paths[i], hashes[i]});
  return inputs;
}

std::vector<WeightRecord> read_weights(const Group& root) {
  const Group group = root.group("parameters");
  std::vector<WeightRecord> pieces;
  for (std::size_t i = 0; i < group.dataset("from").shape().at(0); ++i) {
    const Group member = group.group(fmt::format("piece_{}", i));
    WeightRecord piece;
    piece.from = member.attributes().number("from");
    piece.n_heads = static_cast<std::size_t>(member.attributes().integer("n_heads"));
    for (const std::string& name : member.names()) {
      const Dataset dataset = member.dataset(name);
      if (dataset.is_scale())
        continue;
      const files::Shape shape = dataset.shape();
      piece.parts.push_back({name, shape.at(0), shape.size() > 1 ? shape[1] : 0, {}});
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

RunHeader read_header(const Group& root) {
  const files::Attributes attributes = root.attributes();
  RunHeader header;
  header.title = attributes.text("title");
  header.run_id = attributes.text("run_id");
  header.history = attributes.text("history");
  header.source = attributes.text("source");
  header.in_layers = attributes.text("mode") == "layers";
  header.scheme = text_of(root, "scheme");
  header.label = text_of(root, "label");
  header.beta = scalar_of<double>(root, "beta");
  header.seed = scalar_of<std::uint64_t>(root, "seed");
  header.member = scalar_of<std::int64_t>(root, "member");
  header.n_tokens = static_cast<std::size_t>(scalar_of<std::int64_t>(root, "n_tokens"));
  header.dim = static_cast<std::size_t>(scalar_of<std::int64_t>(root, "dim"));
  header.with_states = root.has("theta");
  header.shared_axis = !root.has("observable_time");
  header.series = read_series(root, header.shared_axis ? "time" : "observable_time");
  if (root.has("token_label"))
    header.labels = root.dataset("token_label").read_texts();

  const Group initial = root.group("initial");
  header.theta0 = initial.dataset("theta0").read<double>();
  header.radius0 = initial.dataset("radius0").read<double>();
  header.has_radius = initial.dataset("radius0").attributes().integer("carried") != 0;
  header.generator = initial.attributes().text("generator");
  header.initial_note = initial.attributes().text("note");

  const Group provenance = root.group("provenance");
  header.config = text_of(provenance, "config");
  header.config_source = text_of(provenance, "config_source");
  header.command_line = text_of(provenance, "command_line");
  header.inputs = read_inputs(root);
  header.weights = read_weights(root);
  if (header.with_states)
    header.float32_states = root.dataset("theta").is_float32();
  return header;
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
