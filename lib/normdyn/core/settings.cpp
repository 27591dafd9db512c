#include "normdyn/core/settings.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/core/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace normdyn::core {

struct Settings::Shared {
  Value root;
  std::string source;
  std::vector<std::pair<std::string, double>> variables;
};

// What was asked of one table, and what came of it.
struct Settings::Node {
  const Value* written = nullptr; ///< null when the table is absent
  std::string path;               ///< dotted, empty for the root
  Place place;
  std::vector<std::string> asked{};
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

namespace {

std::string join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

const char* kind_of(const Value& value) {
  constexpr const char* kinds[] = {"true or false", "an integer", "a number", "a text", "a list", "a section"};
  return kinds[value.data.index()];
}

std::string shown(const Value& value) {
  return value.is_table() ? "{ ... }" : toml_text(value);
}

} // namespace

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
  return node_->written && node_->written->find(key) != nullptr;
}

std::string Settings::path(std::string_view key) const {
  return join(node_->path, key);
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

double Settings::evaluated(std::string_view key, const Value& value) const {
  if (value.is_number())
    return value.number();
  if (!value.is_text())
    refuse(key, fmt::format("{} is {}, but a number is needed here", shown(value), kind_of(value)));
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, number] : shared_->variables) {
    names.push_back(name);
    values.push_back(number);
  }
  return Formula(value.text(), names, place(key))(values);
}

double Settings::checked(std::string_view key, double value, const NumberRule& rule) const {
  const std::string text = number_text(value);
  if (std::isnan(value) || (std::isinf(value) && !rule.may_be_infinite))
    refuse(key, fmt::format("{} is not a finite number", text));
  if (rule.above && !(value > *rule.above))
    refuse(key, fmt::format("{} is not above {}", text, *rule.above));
  if (rule.at_least && !(value >= *rule.at_least))
    refuse(key, fmt::format("{} is below {}", text, *rule.at_least), fmt::format("the least is {}", *rule.at_least));
  if (rule.below && !(value < *rule.below))
    refuse(key, fmt::format("{} is not below {}", text, *rule.below));
  if (rule.at_most && !(value <= *rule.at_most))
    refuse(key, fmt::format("{} is above {}", text, *rule.at_most), fmt::format("the most is {}", *rule.at_most));
  return value;
}

double Settings::number(std::string_view key, const NumberRule& rule) {
  const Value* value = ask(key);
  if (!value) {
    if (!rule.fallback)
      refuse_missing(key, "a number is needed here");
    record(key, Value(*rule.fallback), true);
    return *rule.fallback;
  }
  const double number = checked(key, evaluated(key, *value), rule);
  record(key, Value(number), rule.fallback && *rule.fallback == number);
  return number;
}

std::int64_t Settings::integer(std::string_view key, const IntegerRule& rule) {
  const Value* value = ask(key);
  if (!value) {
    if (!rule.fallback)
      refuse_missing(key, "an integer is needed here");
    record(key, Value(*rule.fallback), true);
    return *rule.fallback;
  }
  std::int64_t number = 0;
  if (const auto* exact = std::get_if<std::int64_t>(&value->data)) {
    number = *exact;
  } else {
    const double real = evaluated(key, *value);
    if (!(std::abs(real) < 0x1p53) || real != std::floor(real))
      refuse(key, fmt::format("{} is not an integer", shown(*value)));
    number = static_cast<std::int64_t>(real);
  }
  if (number < rule.at_least)
    refuse(key, fmt::format("{} is below {}", number, rule.at_least), fmt::format("the least is {}", rule.at_least));
  if (number > rule.at_most)
    refuse(key, fmt::format("{} is above {}", number, rule.at_most), fmt::format("the most is {}", rule.at_most));
  record(key, Value(number), rule.fallback && *rule.fallback == number);
  return number;
}

bool Settings::flag(std::string_view key, std::optional<bool> fallback) {
  const Value* value = ask(key);
  if (!value) {
    if (!fallback)
      refuse_missing(key, "true or false is needed here");
    record(key, Value(*fallback), true);
    return *fallback;
  }
  const auto* flag = std::get_if<bool>(&value->data);
  if (!flag)
    refuse(key, fmt::format("{} is {}", shown(*value), kind_of(*value)), "write true or false, without quotes");
  record(key, Value(*flag), fallback && *fallback == *flag);
  return *flag;
}

std::string Settings::text(std::string_view key, std::optional<std::string> fallback) {
  const Value* value = ask(key);
  if (!value) {
    if (!fallback)
      refuse_missing(key, "a text is needed here");
    record(key, Value(*fallback), true);
    return *fallback;
  }
  if (!value->is_text())
    refuse(key, fmt::format("{} is {}", shown(*value), kind_of(*value)), "a text in quotes is needed here");
  record(key, Value(value->text()), fallback && *fallback == value->text());
  return value->text();
}

std::string Settings::choice(std::string_view key, std::span<const std::string> choices,
                             std::optional<std::string> fallback) {
  const Value* value = ask(key);
  if (!value && !fallback)
    refuse_missing(key, "one of " + listed(choices) + " is needed here");
  std::string word = text(key, std::move(fallback));
  if (std::find(choices.begin(), choices.end(), word) == choices.end())
    refuse(key, fmt::format("'{}' is not known", word), suggestion(word, choices));
  return word;
}

std::vector<double> Settings::numbers(std::string_view key, const NumberRule& rule) {
  const Value* value = ask(key);
  if (!value)
    refuse_missing(key, "a list of numbers is needed here");
  if (!value->is_array())
    refuse(key, fmt::format("{} is {}", shown(*value), kind_of(*value)), "a list of numbers is needed here");
  std::vector<double> numbers;
  Value::Array recorded;
  for (const Value& item : value->array()) {
    numbers.push_back(checked(key, evaluated(key, item), rule));
    recorded.emplace_back(numbers.back());
  }
  record(key, Value(std::move(recorded)), false);
  return numbers;
}

std::vector<std::vector<double>> Settings::rows(std::string_view key) {
  const Value* value = ask(key);
  if (!value || !value->is_array() || value->array().empty())
    refuse(key, value ? shown(*value) + " is no matrix" : "is missing", "write rows: [[1, 0], [0, 1]]");
  std::vector<std::vector<double>> rows;
  Value::Array recorded;
  for (const Value& row : value->array()) {
    if (!row.is_array())
      refuse(key, shown(row) + " is no row of numbers", "write rows: [[1, 0], [0, 1]]");
    std::vector<double> numbers;
    Value::Array recorded_row;
    for (const Value& item : row.array()) {
      numbers.push_back(checked(key, evaluated(key, item), {}));
      recorded_row.emplace_back(numbers.back());
    }
    if (!rows.empty() && numbers.size() != rows.front().size())
      refuse(key,
             fmt::format("row {} has {} numbers and row 0 has {}", rows.size(), numbers.size(), rows.front().size()));
    rows.push_back(std::move(numbers));
    recorded.emplace_back(std::move(recorded_row));
  }
  record(key, Value(std::move(recorded)), false);
  return rows;
}

double Settings::angle(std::string_view key, std::optional<std::string> fallback) {
  const Value* value = ask(key);
  if (value && value->is_number())
    refuse(key, fmt::format("{} has no unit", shown(*value)),
           "write \"8 deg\", \"0.14 rad\", \"cos 0.99\" or \"chord 0.14\"");
  std::string text = this->text(key, std::move(fallback));
  const auto number = [&](std::string formula) { return evaluated(key, Value(std::move(formula))); };
  double angle = 0.0;
  if (text.ends_with("deg"))
    angle = number(text.substr(0, text.size() - 3)) * std::numbers::pi / 180.0;
  else if (text.ends_with("rad"))
    angle = number(text.substr(0, text.size() - 3));
  else if (text.starts_with("cos "))
    angle = std::acos(number(text.substr(4)));
  else if (text.starts_with("chord "))
    angle = 2.0 * std::asin(0.5 * number(text.substr(6)));
  else
    angle = number(text);
  if (!(angle >= 0.0 && angle <= std::numbers::pi))
    refuse(key, fmt::format("'{}' is no angle between 0 and pi", text), "units: deg, rad, cos and chord");
  return angle;
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
      refuse(key, "unknown key", suggestion(key, node_->asked));
    }
  for (const Node::Entry& entry : node_->entries)
    for (const auto& child : entry.children)
      Settings(shared_, child).refuse_unread();
}

Value Settings::resolved(bool only_changed) const {
  return node_->resolved(only_changed);
}

} // namespace normdyn::core
