#include "normdyn/experiment/config.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace normdyn::experiment {
namespace {

using core::InputError;
using core::Value;

Value converted(const toml::node& node, const std::string& source, const std::string& path);

Value converted(const toml::table& table, const std::string& source, const std::string& path) {
  // toml++ sorts keys by name; the order of writing is restored from where they stood.
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, node] : table)
    entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const auto &left = a.first->source().begin, &right = b.first->source().begin;
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
  Value::Table out;
  for (const auto& [key, node] : entries) {
    const std::string name(key->str());
    Value value = converted(*node, source, path.empty() ? name : fmt::format("{}.{}", path, name));
    value.place = {source, static_cast<int>(key->source().begin.line)};
    out.emplace_back(name, std::move(value));
  }
  return Value(std::move(out));
}

Value converted(const toml::array& array, const std::string& source, const std::string& path) {
  Value::Array out;
  for (const toml::node& node : array)
    out.push_back(converted(node, source, path));
  return Value(std::move(out));
}

std::string text_of(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

Value converted(const toml::node& node, const std::string& source, const std::string& path) {
  const int line = static_cast<int>(node.source().begin.line);
  Value value;
  if (const auto* table = node.as_table())
    value = converted(*table, source, path);
  else if (const auto* array = node.as_array())
    value = converted(*array, source, path);
  else if (const auto* text = node.as_string())
    value = Value(text->get());
  else if (const auto* integer = node.as_integer())
    value = Value(static_cast<std::int64_t>(integer->get()));
  else if (const auto* number = node.as_floating_point())
    value = Value(number->get());
  else if (const auto* flag = node.as_boolean())
    value = Value(flag->get());
  else
    throw InputError(core::Place{source, line}.text() + ": " + path,
                     fmt::format("{} is a date or time, which no option takes", text_of(node)),
                     "write a number, or a text in quotes");
  value.place = {source, line};
  return value;
}

std::string line_of(const std::string& text, std::size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::size_t i = 0; i < number && std::getline(lines, line); ++i) {
  }
  line.erase(line.begin(), std::find_if(line.begin(), line.end(), [](unsigned char c) { return !std::isspace(c); }));
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())))
    line.pop_back();
  return line.size() > 120 ? line.substr(0, 117) + "..." : line;
}

void set_from_outside(Config& config, const std::string& path, Value value) {
  const bool has_empty_part =
      path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos;
  if (has_empty_part)
    throw InputError(value.place.text(), fmt::format("'{}' names no key", path), "write section.key=value");
  Value record(path);
  record.place = value.place;
  config.root.set(path, std::move(value));
  config.overrides.push_back(std::move(record));
}

// NORMDYN_SEED and NORMDYN_ATTENTION_BETA look like ours and would set nothing.
void refuse_single_underscore(const std::string& name) {
  const std::string rest = name.substr(8);
  std::string meant;
  for (const char* key : {"SEED", "TITLE"})
    if (rest == key)
      meant = fmt::format("NORMDYN__{}", key);
  for (const char* section : {"INITIAL", "ATTENTION", "WEIGHTS", "SCHEME", "TIME", "SOLVER", "OUTPUT", "SWEEP"})
    if (const std::string prefix = fmt::format("{}_", section); rest.starts_with(prefix) && rest.size() > prefix.size())
      meant = fmt::format("NORMDYN_{}_{}", prefix, rest.substr(prefix.size()));
  if (!meant.empty())
    throw InputError(fmt::format("environment {}", name), "sets no key", fmt::format("write {}, or unset it", meant));
}

void place_all(Value& value, const core::Place& place) {
  value.place = place;
  if (value.is_table())
    for (auto& [key, item] : value.table())
      place_all(item, place);
  else if (auto* array = std::get_if<Value::Array>(&value.data))
    for (Value& item : *array)
      place_all(item, place);
}

} // namespace

Config parse_config(std::string text, std::string source, std::string folder) {
  Config config{.root = {}, .source = std::move(source), .text = std::move(text), .folder = std::move(folder)};
  try {
    config.root = converted(toml::parse(std::string_view(config.text)), config.source, "");
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    throw InputError(core::Place{config.source, static_cast<int>(line)}.text(),
                     fmt::format("'{}' is no TOML: {}", line_of(config.text, line), error.description()));
  }
  config.root.place = {config.source, 0};
  return config;
}

Config load_config(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    throw core::FileError(path, "is a folder", "name a study, e.g. study.toml");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw core::FileError(path, fmt::format("cannot be read: {}", std::strerror(errno)),
                          "'normdyn template post_ln > study.toml' writes a study to begin with");
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad())
    throw core::FileError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (text.view().starts_with("\x89HDF\r\n\x1a\n"))
    throw InputError(path, "is an HDF5 file, no config",
                     fmt::format("to take the config of a run file: --from {}", path));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return parse_config(std::move(text).str(), path, folder.empty() ? "." : folder);
}

Value parse_value(std::string_view text, const core::Place& place) {
  const std::string document = fmt::format("value = {}\n", text);
  try {
    const toml::table table = toml::parse(std::string_view(document));
    if (table.size() == 1) {
      Value value = converted(*table.get("value"), place.source, "value");
      place_all(value, place);
      return value;
    }
  } catch (const toml::parse_error& error) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin != std::string_view::npos && std::strchr("[{\"'", text[begin]) != nullptr)
      throw InputError(place.text(), fmt::format("'{}' is no TOML value: {}", text, error.description()));
  }
  Value value{std::string(text)};
  value.place = place;
  return value;
}

void apply_set(Config& config, std::string_view assignment) {
  const core::Place place{fmt::format("--set {}", assignment), 0};
  const std::size_t equal = assignment.find('=');
  if (equal == std::string_view::npos)
    throw InputError(place.text(), "has no '='", "write --set section.key=value");
  std::string path(assignment.substr(0, equal));
  while (!path.empty() && path.back() == ' ')
    path.pop_back();
  set_from_outside(config, path, parse_value(assignment.substr(equal + 1), place));
}

void apply_environment(Config& config, std::vector<std::string> environment) {
  std::sort(environment.begin(), environment.end());
  for (const std::string& entry : environment) {
    const std::string name = entry.substr(0, entry.find('='));
    if (!name.starts_with("NORMDYN_") || name.size() == entry.size())
      continue;
    if (name.find("__") == std::string::npos) {
      refuse_single_underscore(name);
      continue;
    }
    std::string path;
    const std::string rest = name.starts_with("NORMDYN__") ? name.substr(9) : name.substr(8);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const bool separator = rest.compare(i, 2, "__") == 0;
      path += separator ? '.' : static_cast<char>(std::tolower(static_cast<unsigned char>(rest[i])));
      i += separator ? 1 : 0;
    }
    set_from_outside(
        config, path,
        parse_value(std::string_view(entry).substr(name.size() + 1), {fmt::format("environment {}", name), 0}));
  }
}

} // namespace normdyn::experiment
