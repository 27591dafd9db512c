#pragma once
// What a Settings remembers. Internal to settings.cpp and settings_values.cpp.

#include "normdyn/core/settings.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace normdyn::core {

/// What all tables of a config have in common.
struct Settings::Shared {
  Value root;
  std::string source;
  std::vector<std::pair<std::string, double>> variables;
};

/// What was asked of one table, and what came of it.
struct Settings::Node {
  const Value* written = nullptr; ///< null when the table is absent
  std::string path;               ///< dotted, empty for the root
  Place place;
  std::vector<std::string> asked{};
  std::vector<std::string> mentioned{}; ///< looked for, and not read where they were absent: known, for suggestions
  std::map<std::string, std::string> foreign{};
  struct Entry {
    std::string key;
    Value value{};
    bool is_default = false;
    std::vector<std::shared_ptr<Node>> children{};
    bool is_list = false;
  };
  std::vector<Entry> entries{};

  Entry& entry(std::string_view key) {
    for (Entry& e : entries)
      if (e.key == key)
        return e;
    entries.push_back({.key = std::string(key)});
    return entries.back();
  }

  [[nodiscard]] Value resolved(bool only_changed) const {
    Value::Table table;
    for (const Entry& e : entries) {
      if (e.children.empty()) {
        if (!(only_changed && e.is_default))
          table.emplace_back(e.key, e.value);
        continue;
      }
      Value::Array items;
      for (const auto& child : e.children)
        items.push_back(child->resolved(only_changed));
      if (e.is_list)
        table.emplace_back(e.key, Value(std::move(items)));
      else if (const Value& item = items.front();
               !item.table().empty() || (!only_changed && e.children.front()->written))
        table.emplace_back(e.key, item);
    }
    return Value(std::move(table));
  }
};

/// "an integer", for messages.
[[nodiscard]] inline const char* kind_of(const Value& value) {
  constexpr const char* kinds[] = {"true or false", "an integer", "a number", "a text", "a list", "a section"};
  return kinds[value.data.index()];
}

/// The value as it stands, for messages.
[[nodiscard]] inline std::string shown(const Value& value) {
  return value.is_table() ? "{ ... }" : toml_text(value);
}

} // namespace normdyn::core
