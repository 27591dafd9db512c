#include "normdyn/storage/run_header_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::storage {
namespace {

using files::Dataset;
using files::Group;

std::string text_of(const Group& group, const std::string& name) {
  return group.dataset(name).read_texts().at(0);
}

template <files::Number T>
T scalar_of(const Group& group, const std::string& name) {
  return group.dataset(name).read<T>().at(0);
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

} // namespace

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

} // namespace normdyn::storage
