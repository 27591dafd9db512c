#include "normdyn/experiment/repeat.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/files/matrix_file.hpp"
#include "normdyn/storage/run_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace normdyn::experiment {
namespace {

namespace fs = std::filesystem;

std::string text_fact(const std::vector<storage::Fact>& facts, std::string_view name) {
  for (const auto& [key, value] : facts)
    if (const auto* text = std::get_if<std::string>(&value); key == name && text)
      return *text;
  return "";
}

bool holds_all(const fs::path& folder, const std::vector<storage::RunInput>& inputs) {
  std::error_code ignored;
  return std::all_of(inputs.begin(), inputs.end(), [&](const storage::RunInput& input) {
    return fs::exists(folder / files::split_spec(input.path).path, ignored);
  });
}

std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path)
    out += std::string(c == '{' || c == '}' ? 2 : 1, c);
  return out;
}

} // namespace

RunRecord read_run_record(const std::string& path) {
  const storage::RunReader reader(path);
  const storage::RunHeader& header = reader.header();
  const fs::path own = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  const std::string way = text_fact(reader.facts(), "config_folder");
  fs::path folder = way.empty() ? own : (own / way).lexically_normal();
  for (const fs::path& other : {own, fs::path(".")})
    if (!holds_all(folder, header.inputs) && holds_all(other, header.inputs))
      folder = other;

  RunRecord record{.config = parse_config(header.config, path, folder.empty() ? "." : folder.string()),
                   .inputs = header.inputs,
                   .output = escaped((own / fs::path(path).stem()).lexically_normal().string() + "-repeat.h5")};
  record.config.text = header.config_source; // the new file keeps what the user once wrote
  return record;
}

void apply_sets(Config& config, const std::vector<std::string>& sets) {
  if (sets.empty())
    return;
  // Its own file, which the config names as output, is the input here.
  const auto changed_of = [](const Config& read) {
    return read_study({read.root, {}}, read, {.output = escaped(read.source) + "-repeat"}).changed;
  };
  core::Value changed;
  try {
    changed = changed_of(config);
  } catch (const core::FileError&) { // its inputs stand elsewhere now, as some of `sets` say
    Config with_inputs = config;
    for (const std::string& set : sets)
      if (set.starts_with("initial.") || set.starts_with("weights."))
        apply_set(with_inputs, set);
    changed = changed_of(with_inputs);
  }
  changed.place = config.root.place;
  config.root = std::move(changed);
  for (const std::string& set : sets)
    apply_set(config, set);
}

void require_same_inputs(const Study& study, const RunRecord& record) {
  for (const storage::RunInput& input : study.inputs)
    for (const storage::RunInput& then : record.inputs)
      if (then.key == input.key && then.sha256 != input.sha256)
        throw core::FileError(
            input.path,
            fmt::format("is not the file that the run read as {}: its SHA-256 is {}..., then it was {}...", input.key,
                        input.sha256.substr(0, 12), then.sha256.substr(0, 12)),
            fmt::format("find the old file and give it with --set {}=...", input.key));
}

} // namespace normdyn::experiment
