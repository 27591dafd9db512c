#include "normdyn/core/settings.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/core/settings_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::core {

Settings::Settings(Value root, std::string source)
    : shared_(std::make_shared<Shared>(Shared{std::move(root), std::move(source), {}})),
      node_(std::make_shared<Node>(Node{.written = &shared_->root, .path = "", .place = {shared_->source, 0}})) {}

Settings::Settings(std::shared_ptr<Shared> shared, std::shared_ptr<Node> node)
    : shared_(std::move(shared)), node_(std::move(node)) {}

const Value* Settings::ask(std::string_view key) {
  if (std::find(node_->asked.begin(), node_->asked.end(), key) == node_->asked.end())
    node_->asked.emplace_back(key);
  return node_->written ? node_->written->find(key) : nullptr;
}

bool Settings::has(std::string_view key) const {
  if (std::find(node_->mentioned.begin(), node_->mentioned.end(), key) == node_->mentioned.end())
    node_->mentioned.emplace_back(key);
  return node_->written && node_->written->find(key) != nullptr;
}

std::string Settings::path(std::string_view key) const {
  return node_->path.empty() ? std::string(key) : node_->path + "." + std::string(key);
}

std::string Settings::place(std::string_view key) const {
  const Value* value = node_->written ? node_->written->find(key) : nullptr;
  Place where = value && !value->place.source.empty() ? value->place : node_->place;
  if (where.source.empty())
    where.source = shared_->source;
  return where.text() + ": " + path(key);
}

void Settings::refuse(std::string_view key, const std::string& problem, const std::string& remedy) const {
  throw InputError(place(key), problem, remedy);
}

// A required key that is missing may stand there misspelt: among the keys that nobody has asked for, the nearest is
// named.
void Settings::refuse_missing(std::string_view key, const std::string& need) const {
  std::vector<std::string> unread;
  for (const std::string& written : keys())
    if (std::find(node_->asked.begin(), node_->asked.end(), written) == node_->asked.end())
      unread.push_back(written);
  const std::string near = key.size() > 2 ? nearest(key, unread) : "";
  refuse(key, "is missing", near.empty() ? need : fmt::format("did you mean it by '{}'? {}", near, need));
}

void Settings::record(std::string_view key, Value value, bool is_default) {
  ask(key);
  Node::Entry& entry = node_->entry(key);
  entry.value = std::move(value);
  entry.is_default = is_default;
}

void Settings::define(const std::string& variable, double value) {
  for (auto& [name, old] : shared_->variables)
    if (name == variable) {
      old = value;
      return;
    }
  shared_->variables.emplace_back(variable, value);
}

const std::vector<std::pair<std::string, double>>& Settings::variables() const {
  return shared_->variables;
}

void Settings::foreign(std::string key, std::string why) {
  node_->foreign.insert_or_assign(std::move(key), std::move(why));
}

Settings Settings::section(std::string_view key) {
  const Value* value = ask(key);
  if (value && !value->is_table())
    refuse(key, fmt::format("{} is {}", shown(*value), kind_of(*value)),
           fmt::format("a section [{}] is needed here", path(key)));
  Node::Entry& entry = node_->entry(key);
  if (entry.children.empty())
    entry.children.push_back(std::make_shared<Node>(
        Node{.written = value, .path = path(key), .place = value && value->place.line ? value->place : node_->place}));
  return {shared_, entry.children.front()};
}

std::vector<Settings> Settings::sections(std::string_view key) {
  const Value* value = ask(key);
  if (!value)
    return {};
  if (value->is_table())
    return {section(key)};
  if (!value->is_array())
    refuse(key, fmt::format("{} is {}", shown(*value), kind_of(*value)),
           "a section or a list of sections is needed here");
  Node::Entry& entry = node_->entry(key);
  entry.is_list = true;
  if (entry.children.empty())
    for (const Value& item : value->array()) {
      const std::string item_path = fmt::format("{}[{}]", path(key), entry.children.size());
      if (!item.is_table())
        refuse(key, fmt::format("{} is {}", shown(item), kind_of(item)), "each item of this list is a section { ... }");
      entry.children.push_back(std::make_shared<Node>(
          Node{.written = &item, .path = item_path, .place = item.place.line ? item.place : value->place}));
    }
  std::vector<Settings> sections;
  for (const auto& child : entry.children)
    sections.push_back(Settings(shared_, child));
  return sections;
}

const Value* Settings::raw(std::string_view key) {
  const Value* value = ask(key);
  if (value)
    record(key, *value, false);
  return value;
}

std::vector<std::string> Settings::keys() const {
  std::vector<std::string> keys;
  if (node_->written)
    for (const auto& [key, value] : node_->written->table())
      keys.push_back(key);
  return keys;
}

void Settings::refuse_unread() const {
  if (node_->written)
    for (const auto& [key, value] : node_->written->table()) {
      if (std::find(node_->asked.begin(), node_->asked.end(), key) != node_->asked.end())
        continue;
      if (const auto why = node_->foreign.find(key); why != node_->foreign.end())
        refuse(key, why->second);
      std::vector<std::string> known = node_->asked;
      for (const std::string& name : node_->mentioned)
        if (std::find(known.begin(), known.end(), name) == known.end())
          known.push_back(name);
      refuse(key, "unknown key", suggestion(key, known));
    }
  for (const Node::Entry& entry : node_->entries)
    for (const auto& child : entry.children)
      Settings(shared_, child).refuse_unread();
}

Value Settings::resolved(bool only_changed) const {
  return node_->resolved(only_changed);
}

} // namespace normdyn::core
