#include "normdyn/storage/run_header.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>

namespace normdyn::storage {
namespace {

using files::Dataset;
using files::Group;

constexpr char references[] =
    "Karagodin, Ge, Polyanskiy, Rigollet: Normalization in Attention Dynamics, arXiv:2510.22026";

/// Storage of a list that may be empty: netCDF knows length 0 for unlimited dimensions only.
files::Storage list_storage() {
  return {.grows = true, .chunk = {64}};
}

void write_scalars(Group& root, const RunHeader& header) {
  root.write_text("scheme", header.scheme).attributes().set("long_name", "normalization scheme");
  root.write_text("label", header.label).attributes().set("long_name", "name of the case");
  const auto describe = [](Dataset dataset, const char* long_name) {
    dataset.attributes().set("long_name", long_name);
    dataset.attributes().set("units", "1");
  };
  describe(root.write_scalar("beta", header.beta), "inverse temperature at the start");
  describe(root.write_scalar("n_tokens", static_cast<std::int64_t>(header.n_tokens)), "number of tokens");
  describe(root.write_scalar("dim", static_cast<std::int64_t>(header.dim)), "dimension of the space of tokens");
  describe(root.write_scalar("member", header.member), "member of the ensemble");
  describe(root.write_scalar("seed", header.seed), "seed of all random numbers");
}

void write_initial(Group& root, const RunHeader& header) {
  Group group = root.create_group("initial");
  group.attributes().set("generator", header.generator);
  group.attributes().set("note", header.initial_note);
  group.link("token", root, "token");
  group.link("component", root, "component");
  const Dataset token = group.dataset("token"), component = group.dataset("component");
  Dataset theta = group.write<double>("theta0", {header.n_tokens, header.dim}, header.theta0);
  theta.attach_scale(0, token);
  theta.attach_scale(1, component);
  theta.attributes().set("long_name", "direction of token at the start");
  theta.attributes().set("units", "1");
  Dataset radius = group.write<double>("radius0", {header.n_tokens}, header.radius0);
  radius.attach_scale(0, token);
  radius.attributes().set("long_name", "norm of token at the start");
  radius.attributes().set("units", "1");
  const std::int8_t flags[2] = {0, 1};
  radius.attributes().set("carried", static_cast<std::int8_t>(header.has_radius));
  radius.attributes().set("flag_values", std::span<const std::int8_t>(flags));
  radius.attributes().set("flag_meanings", "scheme_has_no_radius scheme_carries_radius");
}

/// The scale for an axis of this length in a group of weights. The first length gets the plain name: query(row,
/// column).
Dataset scale_for(Group& group, const std::string& name, std::size_t length,
                  std::map<std::string, std::size_t>& lengths) {
  const auto [known, is_new] = lengths.try_emplace(name, length);
  const std::string full = known->second == length ? name : fmt::format("{}_{}", name, length);
  if (is_new || !group.has(full))
    return write_index(group, full, length);
  return group.dataset(full);
}

void write_piece(Group group, const WeightRecord& piece) {
  group.attributes().set("from", piece.from);
  group.attributes().set("n_heads", static_cast<std::int64_t>(piece.n_heads));
  std::map<std::string, std::size_t> lengths;
  for (const WeightRecord::Part& part : piece.parts) {
    if (part.data.empty())
      continue;
    const bool is_bias = part.columns == 0;
    const files::Shape shape = is_bias ? files::Shape{part.rows} : files::Shape{part.rows, part.columns};
    const Dataset rows = scale_for(group, "row", part.rows, lengths);
    Dataset made = group.write<double>(part.name, shape, part.data);
    made.attach_scale(0, rows);
    if (!is_bias)
      made.attach_scale(1, scale_for(group, "column", part.columns, lengths));
    made.attributes().set("long_name", is_bias ? "bias" : "matrix that acts on column vectors");
    made.attributes().set("units", "1");
  }
}

void write_parameters(Group& root, const RunHeader& header) {
  Group group = root.create_group("parameters");
  group.attributes().set("note", "matrices that are not here are the identity; biases that are not here are zero");
  const Dataset piece = write_index(group, "piece", header.weights.size());
  std::vector<double> from;
  for (const WeightRecord& record : header.weights)
    from.push_back(record.from);
  Dataset start = group.write<double>("from", {from.size()}, from, list_storage());
  start.attach_scale(0, piece);
  start.attributes().set("long_name", "time from which a piece of the weights holds");
  start.attributes().set("units", "1");
  for (std::size_t i = 0; i < header.weights.size(); ++i)
    write_piece(group.create_group(fmt::format("piece_{}", i)), header.weights[i]);
}

void write_inputs(Group& root, const RunHeader& header) {
  Group group = root.create_group("inputs");
  const Dataset scale = write_index(group, "input", header.inputs.size());
  const auto write = [&](const std::string& name, const char* long_name, std::string RunInput::*field) {
    std::vector<std::string> texts;
    for (const RunInput& input : header.inputs)
      texts.push_back(input.*field);
    Dataset made = group.write_texts(name, texts, list_storage());
    made.attach_scale(0, scale);
    made.attributes().set("long_name", long_name);
  };
  write("key", "config key that names the file", &RunInput::key);
  write("path", "path as written in the config", &RunInput::path);
  write("sha256", "SHA-256 of the bytes of the file", &RunInput::sha256);
}

void write_provenance(Group& root, const RunHeader& header) {
  Group group = root.create_group("provenance");
  group.write_text("config", header.config).attributes().set("long_name", "resolved configuration, TOML");
  group.write_text("config_source", header.config_source)
      .attributes()
      .set("long_name", "configuration as it was written");
  group.write_text("command_line", header.command_line).attributes().set("long_name", "command line");
  for (const Fact& fact : header.provenance)
    std::visit([&](const auto& value) { group.attributes().set(fact.first, value); }, fact.second);
}

} // namespace

files::Dataset write_index(files::Group& group, const std::string& name, std::size_t length) {
  std::vector<std::int64_t> numbers(length);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  const files::Storage storage = length == 0 ? list_storage() : files::Storage{};
  Dataset made = group.write<std::int64_t>(name, {length}, numbers, storage);
  made.make_scale();
  return made;
}

void write_root(files::Group& root, const RunHeader& header) {
  files::Attributes attributes = root.attributes();
  const std::int32_t version[2] = {schema_version[0], schema_version[1]};
  attributes.set("Conventions", "CF-1.10");
  attributes.set("schema_name", schema_name);
  attributes.set("schema_version", std::span<const std::int32_t>(version));
  attributes.set("title", header.title);
  attributes.set("source", header.source);
  attributes.set("references", references);
  attributes.set("history", header.history);
  attributes.set("run_id", header.run_id);
  attributes.set("mode", header.in_layers ? "layers" : "flow");
  attributes.set_fixed("status", status_text(Status::running), 16);
  attributes.set("stop_reason", "");
  attributes.set("frames_valid", std::int64_t{0});
  attributes.set("series_valid", std::int64_t{0});
  const Dataset token = write_index(root, "token", header.n_tokens);
  token.attributes().set("long_name", "token, counted from 0");
  write_index(root, "component", header.dim).attributes().set("long_name", "component of a token, counted from 0");
  if (!header.labels.empty()) {
    Dataset labels = root.write_texts("token_label", header.labels);
    labels.attach_scale(0, token);
    labels.attributes().set("long_name", "name of token");
  }
  write_scalars(root, header);
}

void write_groups(files::Group& root, const RunHeader& header) {
  write_initial(root, header);
  write_parameters(root, header);
  write_inputs(root, header);
  write_provenance(root, header);
}

} // namespace normdyn::storage
