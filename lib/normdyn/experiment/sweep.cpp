#include "normdyn/experiment/sweep.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/core/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::experiment {
namespace {

using core::Settings;
using core::Value;

constexpr std::size_t most_cases = 1'000'000;

struct Axis {
  std::string path;
  core::Place place;
  std::vector<Value> values;
};

bool is_grid(const Value& value) {
  for (const char* key : {"from", "to", "count", "spacing"})
    if (const Value* item = value.find(key); item && !item->is_table() && !item->is_array())
      return true;
  return false;
}

// As integrate::linear_grid and log_grid, from products and with exact ends; here for any sign and a single value.
std::vector<Value> grid_values(Settings grid) {
  const double from = grid.number("from");
  const double to = grid.number("to");
  const std::int64_t count = grid.integer("count", {.at_least = 1, .at_most = static_cast<std::int64_t>(most_cases)});
  const std::vector<std::string> spacings = {"linear", "log"};
  const bool is_log = grid.choice("spacing", spacings, "linear") == "log";
  grid.refuse_unread();
  if (is_log && !(from > 0.0 && to > 0.0))
    grid.refuse("spacing", fmt::format("a log grid cannot go from {} to {}", from, to), "both ends must be positive");
  std::vector<Value> values;
  for (std::int64_t k = 0; k < count; ++k) {
    const double last = static_cast<double>(count - 1), here = static_cast<double>(k);
    double value = from;
    if (k > 0)
      value = k == count - 1 ? to
              : is_log       ? from * std::pow(to / from, here / last)
                             : (from * (last - here) + to * here) / last;
    values.emplace_back(value);
    values.back().place = {grid.place("from"), 0};
  }
  return values;
}

void collect(Settings section, const std::string& prefix, std::vector<Axis>& axes) {
  for (const std::string& key : section.keys()) {
    const Value& value = *section.raw(key);
    const std::string path = prefix + key;
    if (value.is_array()) {
      axes.push_back({path, value.place, value.array()});
      for (Value& item : axes.back().values)
        if (item.place.source.empty())
          item.place = value.place;
    } else if (value.is_table() && is_grid(value)) {
      axes.push_back({path, value.place, grid_values(section.section(key))});
      for (Value& item : axes.back().values)
        item.place = value.place;
    } else if (value.is_table()) {
      collect(section.section(key), path + ".", axes);
    } else {
      section.refuse(key, core::toml_text(value) + " is one value",
                     "a sweep takes a list [...] or { from, to, count }");
    }
  }
}

bool is_below(const std::string& path, const std::string& above) {
  return path.size() > above.size() && path.starts_with(above) && path[above.size()] == '.';
}

// What was set from outside wins over the sweep: the axis has that one value, which stands in the config already.
void drop_axes_set_outside(std::vector<Axis>& axes, const std::vector<Value>& overrides) {
  for (const Value& set : overrides) {
    for (const Axis& axis : axes)
      if (is_below(set.text(), axis.path))
        throw core::InputError(set.place.text(),
                               fmt::format("'{}' is replaced by each case of the sweep over {} ({})", set.text(),
                                           axis.path, axis.place.text()),
                               fmt::format("set the whole section instead: --set '{} = {{ ... }}'", axis.path));
    std::erase_if(axes, [&](const Axis& axis) { return axis.path == set.text() || is_below(axis.path, set.text()); });
  }
}

std::string short_text(const Value& value, bool with_details) {
  if (value.is_text())
    return value.text();
  if (std::holds_alternative<double>(value.data))
    return fmt::format("{:.12g}", value.number());
  if (!value.is_table())
    return core::toml_text(value);
  std::string text;
  for (const char* key : {"label", "name", "kind"})
    if (const Value* item = value.find(key); item && item->is_text() && text.empty())
      text = item->text();
  if (with_details || text.empty())
    for (const auto& [key, item] : value.table())
      if (!item.is_table() && !item.is_array() && !(item.is_text() && item.text() == text))
        text += (text.empty() ? "" : "-") + key + short_text(item, false);
  return text;
}

std::vector<std::string> texts_of(const Axis& axis) {
  std::vector<std::string> texts;
  for (const bool with_details : {false, true}) {
    texts.clear();
    for (const Value& value : axis.values)
      texts.push_back(short_text(value, with_details));
    std::vector<std::string> sorted = texts;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end())
      return texts;
  }
  for (std::size_t i = 0; i < texts.size(); ++i) // values that differ only in what has no short text
    texts[i] = fmt::format("{}-{}", texts[i], i);
  return texts;
}

void check_values_differ(const Axis& axis) {
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    for (std::size_t j = i + 1; j < axis.values.size() && axis.values.size() <= 1000; ++j)
      if (core::same_data(axis.values[i], axis.values[j]))
        throw core::InputError(axis.place.text() + ": sweep." + axis.path,
                               fmt::format("{} is given twice", core::toml_text(axis.values[i])), "remove one of them");
}

} // namespace

std::vector<Case> expand(const Config& config) {
  Value base = config.root;
  std::erase_if(base.table(), [](const auto& entry) { return entry.first == "sweep"; });
  if (!config.root.find("sweep"))
    return {{std::move(base), {}}};

  std::vector<Axis> axes;
  collect(Settings(config.root, config.source).section("sweep"), "", axes);
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.place.line < b.place.line; });
  drop_axes_set_outside(axes, config.overrides);

  std::vector<Case> cases = {{std::move(base), {}}};
  for (const Axis& axis : axes) {
    check_values_differ(axis);
    if (cases.size() * axis.values.size() > most_cases)
      throw core::InputError(axis.place.text() + ": sweep." + axis.path,
                             fmt::format("makes more than {} cases", most_cases));
    const std::vector<std::string> texts = texts_of(axis);
    std::vector<Case> product;
    for (const Case& one : cases)
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        product.push_back(one);
        product.back().root.set(axis.path, axis.values[i]);
        product.back().varied.push_back({axis.path, axis.path.substr(axis.path.rfind('.') + 1), texts[i]});
      }
    cases = std::move(product);
  }
  return cases;
}

std::string filled(const std::string& pattern, const std::vector<std::pair<std::string, std::string>>& names,
                   const std::string& place) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if ((c == '{' || c == '}') && at + 1 < pattern.size() && pattern[at + 1] == c) {
      out += c;
      ++at;
      continue;
    }
    if (c == '}')
      throw core::InputError(place, fmt::format("'{}' has a }} that closes nothing", pattern));
    if (c != '{') {
      out += c;
      continue;
    }
    const std::size_t close = pattern.find('}', at);
    if (close == std::string::npos)
      throw core::InputError(place, fmt::format("'{}' has a {{ that is not closed", pattern));
    const std::string name = pattern.substr(at + 1, close - at - 1);
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == name; });
    if (found == names.end()) {
      std::vector<std::string> known;
      known.reserve(names.size());
      for (const auto& [word, text] : names)
        known.push_back(word);
      throw core::InputError(place, fmt::format("'{}' has an unknown name {{{}}}", pattern, name),
                             core::suggestion(name, known));
    }
    out += found->second;
    at = close;
  }
  return out;
}

} // namespace normdyn::experiment
