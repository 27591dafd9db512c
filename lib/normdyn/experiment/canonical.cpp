#include "normdyn/experiment/canonical.hpp"

#include "normdyn/files/matrix_file.hpp"
#include "normdyn/files/sha256.hpp"

#include <algorithm>
#include <filesystem>

namespace normdyn::experiment {
namespace {

using core::Value;

// toml_text of a one-entry table knows how to quote a key: "{ key = value }" without its braces.
std::string entry_text(const std::string& key, const Value& value) {
  const std::string braced = core::toml_text(Value(Value::Table{{key, value}}));
  return braced.substr(2, braced.size() - 4);
}

bool is_list_of_tables(const Value& value) {
  return value.is_array() && !value.array().empty() &&
         std::all_of(value.array().begin(), value.array().end(), [](const Value& item) { return item.is_table(); });
}

std::string section_text(const std::string& header, const Value& table) {
  std::string text = "\n" + header + "\n";
  for (const auto& [key, value] : table.table())
    text += entry_text(key, value) + "\n";
  return text;
}

void sort_keys(Value& value) {
  if (value.is_table()) {
    std::sort(value.table().begin(), value.table().end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [key, item] : value.table())
      sort_keys(item);
  } else if (auto* array = std::get_if<Value::Array>(&value.data)) {
    for (Value& item : *array)
      sort_keys(item);
  }
}

void remove(Value& root, std::string_view section, std::string_view key) {
  Value* table = section.empty() ? &root : root.find(section);
  if (table && table->is_table())
    std::erase_if(table->table(), [&](const auto& entry) { return entry.first == key; });
}

// "../words.h5:/x" becomes "sha256:3f..:/x": the bytes count, not where they lie.
void name_inputs_by_content(Value& value, const std::vector<storage::RunInput>& inputs) {
  if (value.is_table()) {
    for (auto& [key, item] : value.table())
      name_inputs_by_content(item, inputs);
  } else if (auto* array = std::get_if<Value::Array>(&value.data)) {
    for (Value& item : *array)
      name_inputs_by_content(item, inputs);
  } else if (auto* text = std::get_if<std::string>(&value.data)) {
    const files::FileSpec spec = files::split_spec(*text);
    const auto is_same = [](const std::string& a, const std::string& b) {
      return std::filesystem::path(a).lexically_normal() == std::filesystem::path(b).lexically_normal();
    };
    for (const storage::RunInput& input : inputs)
      if (is_same(spec.path, files::split_spec(input.path).path)) {
        *text = "sha256:" + input.sha256 + ":" + spec.dataset;
        return;
      }
  }
}

} // namespace

std::string config_text(const Value& resolved) {
  std::string text;
  for (const auto& [key, value] : resolved.table())
    if (!value.is_table() && !is_list_of_tables(value))
      text += entry_text(key, value) + "\n";
  for (const auto& [key, value] : resolved.table()) {
    if (value.is_table())
      text += section_text("[" + key + "]", value);
    else if (is_list_of_tables(value))
      for (const Value& item : value.array())
        text += section_text("[[" + key + "]]", item);
  }
  return text;
}

std::string run_id(const Value& changed, std::uint64_t seed, const std::vector<storage::RunInput>& inputs) {
  Value hashed = changed;
  remove(hashed, "", "title");
  remove(hashed, "", "seed");
  remove(hashed, "scheme", "label");
  for (const char* key : {"file", "deflate", "flush_seconds", "host"})
    remove(hashed, "output", key);
  std::erase_if(hashed.table(),
                [](const auto& entry) { return entry.second.is_table() && entry.second.table().empty(); });
  name_inputs_by_content(hashed, inputs);
  sort_keys(hashed);
  const std::string text = "seed = " + std::to_string(seed) + "\n" + core::toml_text(hashed);
  return files::sha256_of_text(text).substr(0, 16);
}

} // namespace normdyn::experiment
