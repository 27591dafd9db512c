#include "reduced_file.hpp"

#include "verb.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/experiment/build_facts.hpp"
#include "normdyn/experiment/canonical.hpp"
#include "normdyn/files/hdf5.hpp"
#include "normdyn/integrate/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace normdyn::cli {
namespace {

using files::Group;

constexpr char schema_name[] = "normdyn-reduced";
constexpr std::int32_t schema_version[2] = {1, 0};
constexpr char references[] =
    "Karagodin, Ge, Polyanskiy, Rigollet: Normalization in Attention Dynamics, arXiv:2510.22026";
constexpr char coordinates[] = "scheme label beta n_tokens initial_cosine initial_radius";

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void write_attributes(Group& root, const ReducedTable& table, const experiment::Study& study) {
  files::Attributes attributes = root.attributes();
  attributes.set("Conventions", "CF-1.10");
  attributes.set("schema_name", schema_name);
  attributes.set("schema_version", std::span<const std::int32_t>(schema_version));
  attributes.set("title", study.title);
  attributes.set("source", "normdyn " + experiment::version());
  attributes.set("references", references);
  attributes.set("history", experiment::utc_now() + " " + command_line());
  attributes.set("run_id", experiment::run_id(study.changed, study.seed, study.inputs));
  attributes.set("mode", study.time.in_layers ? "layers" : "flow");
  attributes.set("status", integrate::outcome_name(table.outcome.kind));
  attributes.set("stop_reason", table.outcome.text);
}

void write_scalars(Group& root, const ReducedCase& one, const experiment::Study& study) {
  root.write_text("scheme", study.scheme).attributes().set("long_name", "normalization scheme");
  root.write_text("label", study.label).attributes().set("long_name", "name of the case");
  const auto scalar = [&](const char* name, auto value, const char* long_name) {
    files::Dataset made = root.write_scalar(name, value);
    made.attributes().set("long_name", long_name);
    made.attributes().set("units", "1");
  };
  scalar("beta", one.model.beta(one.begin), "inverse temperature at the start");
  scalar("n_tokens", static_cast<std::int64_t>(one.model.n_tokens), "number of tokens");
  scalar("initial_cosine", one.cosine, "cosine of each pair of tokens at the start");
  scalar("initial_radius", one.radius, "norm of each token at the start");
}

files::Dataset write_column(Group& root, const ReducedColumn& column) {
  const files::Shape shape{column.values.size()};
  files::Dataset made = [&] {
    if (column.name != "layer")
      return root.write<double>(column.name, shape, column.values);
    std::vector<std::int64_t> layers;
    for (const double value : column.values)
      layers.push_back(std::lround(value));
    return root.write<std::int64_t>(column.name, shape, layers);
  }();
  made.attributes().set("long_name", column.long_name);
  made.attributes().set("units", "1");
  return made;
}

void write_provenance(Group& root, const experiment::Study& study) {
  Group group = root.create_group("provenance");
  group.write_text("config", experiment::config_text(study.resolved))
      .attributes()
      .set("long_name", "resolved configuration, TOML");
  group.write_text("config_source", study.source_text).attributes().set("long_name", "configuration as it was written");
  group.write_text("command_line", command_line()).attributes().set("long_name", "command line");
  std::vector<storage::Fact> facts = experiment::build_facts();
  for (storage::Fact& fact : experiment::machine_facts(study.output.with_host))
    facts.push_back(std::move(fact));
  for (const storage::Fact& fact : facts)
    std::visit([&](const auto& value) { group.attributes().set(fact.first, value); }, fact.second);
}

} // namespace

std::string csv_text(const std::vector<std::string>& labels, const std::vector<ReducedTable>& tables) {
  std::vector<std::string> names;
  for (const ReducedTable& table : tables)
    for (const ReducedColumn& column : table.columns)
      if (std::find(names.begin(), names.end(), column.name) == names.end())
        names.push_back(column.name);
  std::string text = fmt::format("case,{}\n", fmt::join(names, ","));
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (std::size_t row = 0; row < tables[i].n_rows(); ++row) {
      text += cell(labels[i]);
      for (const std::string& name : names) {
        const auto found = std::find_if(tables[i].columns.begin(), tables[i].columns.end(),
                                        [&](const ReducedColumn& column) { return column.name == name; });
        text += "," + (found == tables[i].columns.end() ? "" : found->texts[row]);
      }
      text += "\n";
    }
  return text;
}

void write_text_file(storage::OutputPath& output, const std::string& text) {
  std::ofstream file(output.temporary(), std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw core::FileError(output.path(), "cannot be written", "is the folder writable, and the disk not full?");
  output.publish();
}

void write_reduced_file(const std::string& path, const ReducedCase& one, const ReducedTable& table,
                        const experiment::Study& study, bool overwrite) {
  storage::OutputPath output(path, overwrite, study.inputs);
  files::Hdf5File file = files::Hdf5File::create(output.temporary());
  file.rename(path);
  Group root = file.root();
  write_attributes(root, table, study);
  write_scalars(root, one, study);
  const ReducedColumn& times = table.columns.front();
  files::Dataset time = write_column(root, times);
  time.make_scale();
  time.attributes().set("axis", "T");
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    files::Dataset made = write_column(root, table.columns[i]);
    made.attach_scale(0, time);
    made.attributes().set("coordinates", study.time.in_layers && table.columns[i].name != "layer"
                                             ? std::string("layer ") + coordinates
                                             : std::string(coordinates));
  }
  write_provenance(root, study);
  file.close();
  output.publish();
}

} // namespace normdyn::cli
