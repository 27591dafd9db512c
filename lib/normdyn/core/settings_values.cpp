// The readers of single values: each asks for a key, checks what stands there, and records what came of it.
#include "normdyn/core/error.hpp"
#include "normdyn/core/formula.hpp"
#include "normdyn/core/settings_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normdyn::core {

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
    if (std::isnan(real) || (std::isfinite(real) && real != std::floor(real)))
      refuse(key, fmt::format("{} is not an integer", shown(*value)));
    if (!(std::abs(real) < 0x1p53)) // beyond, a double does not say which integer is meant
      refuse(key,
             fmt::format("{} {}", value->is_text() ? value->text() : shown(*value),
                         real >= static_cast<double>(rule.at_most)   ? fmt::format("is above {}", rule.at_most)
                         : real < static_cast<double>(rule.at_least) ? fmt::format("is below {}", rule.at_least)
                                                                     : "is too large for a double to hold exactly"),
             fmt::format("write an integer of decimal digits, at most {}", rule.at_most));
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

} // namespace normdyn::core
