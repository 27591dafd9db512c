#include "normdyn/core/schedule.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::core {

Schedule Schedule::formula(Formula in_time) {
  Schedule schedule;
  schedule.form_ = std::move(in_time);
  return schedule;
}

Schedule Schedule::power(double scale, double shift, double exponent) {
  Schedule schedule;
  schedule.form_ = Power{scale, shift, exponent};
  return schedule;
}

Schedule Schedule::table(std::vector<double> times, std::vector<double> values, const std::string& place) {
  if (times.empty() || times.size() != values.size())
    throw InputError(place, fmt::format("{} times and {} values", times.size(), values.size()),
                     "a table has one value for each time from which it holds");
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i - 1] < times[i]))
      throw InputError(place, fmt::format("time {} follows time {}", times[i], times[i - 1]), "times must increase");
  Schedule schedule;
  schedule.form_ = Table{std::move(times), std::move(values)};
  return schedule;
}

double Schedule::operator()(double t) const {
  if (const auto* constant = std::get_if<double>(&form_))
    return *constant;
  if (const auto* in_time = std::get_if<Formula>(&form_))
    return (*in_time)({&t, 1});
  if (const auto* power = std::get_if<Power>(&form_))
    return power->scale * std::pow(power->shift + t, power->exponent);
  const Table& table = std::get<Table>(form_);
  const auto next = std::upper_bound(table.times.begin(), table.times.end(), t);
  const auto index = next == table.times.begin() ? 0 : std::distance(table.times.begin(), next) - 1;
  return table.values[static_cast<std::size_t>(index)];
}

std::vector<double> Schedule::breakpoints() const {
  if (const auto* table = std::get_if<Table>(&form_))
    return {table->times.begin() + 1, table->times.end()};
  return {};
}

Schedule Schedule::on(Interval span) const {
  if (std::holds_alternative<Table>(form_))
    return Schedule((*this)(span.middle()));
  return *this;
}

double Schedule::begin() const {
  if (const auto* table = std::get_if<Table>(&form_))
    return table->times.front();
  return -std::numeric_limits<double>::infinity();
}

std::string Schedule::text() const {
  if (const auto* constant = std::get_if<double>(&form_))
    return fmt::format("{}", *constant);
  if (const auto* in_time = std::get_if<Formula>(&form_))
    return in_time->text();
  if (const auto* power = std::get_if<Power>(&form_))
    return fmt::format("{} ({} + t)^{}", power->scale, power->shift, power->exponent);
  return fmt::format("table of {} values", std::get<Table>(form_).values.size());
}

namespace {

// Known variables are substituted as numbers, so that the stored formula depends on t alone.
Formula formula_in_time(Settings& settings, std::string_view key, const std::string& text) {
  std::vector<std::string> names = {"t"};
  for (const auto& [name, value] : settings.variables())
    names.push_back(name);
  const Formula probe(text, names, settings.place(key));
  std::string expression = text;
  for (const auto& [name, value] : settings.variables())
    if (probe.uses(name)) {
      std::string replaced;
      for (std::size_t at = 0; at < expression.size();) {
        const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        const bool whole = expression.compare(at, name.size(), name) == 0 &&
                           (at == 0 || !is_word(expression[at - 1])) &&
                           (at + name.size() == expression.size() || !is_word(expression[at + name.size()]));
        replaced += whole ? "(" + number_text(value) + ")" : std::string(1, expression[at]);
        at += whole ? name.size() : 1;
      }
      expression = std::move(replaced);
    }
  return Formula(expression, {"t"}, settings.place(key));
}

void check(Settings& settings, std::string_view key, double value, const NumberRule& rule, const std::string& of) {
  const bool holds = std::isfinite(value) && (!rule.above || value > *rule.above) &&
                     (!rule.at_least || value >= *rule.at_least) && (!rule.at_most || value <= *rule.at_most);
  if (holds)
    return;
  std::string need = "it must be a finite number";
  if (rule.above)
    need = fmt::format("it must be above {}", *rule.above);
  if (rule.at_least)
    need = fmt::format("it must be at least {}", *rule.at_least);
  settings.refuse(key, fmt::format("{} is {}", of, value), need);
}

} // namespace

Schedule read_schedule(Settings& settings, std::string_view key, const NumberRule& rule, double checked_at) {
  const Value* written = settings.raw(key);
  if (!written || written->is_number())
    return Schedule(settings.number(key, rule));
  if (written->is_text()) {
    Formula in_time = formula_in_time(settings, key, written->text());
    const double start = in_time({&checked_at, 1});
    check(settings, key, start, rule, fmt::format("'{}' at t = {}", written->text(), checked_at));
    if (!in_time.uses("t"))
      return Schedule(settings.number(key, rule));
    return Schedule::formula(std::move(in_time));
  }
  if (!written->is_table())
    settings.refuse(key, toml_text(*written) + " is no schedule",
                    "a number, a formula in t, or { times = [...], values = [...] }");
  Settings section = settings.section(key);
  if (section.has("times") || section.has("values")) {
    const std::vector<double> times = section.numbers("times");
    const std::vector<double> values = section.numbers("values", rule);
    Schedule table = Schedule::table(times, values, settings.place(key));
    if (table.begin() > checked_at)
      settings.refuse(key, fmt::format("the table begins at {} and the run at {}", table.begin(), checked_at),
                      fmt::format("let its first time be {}", checked_at));
    return table;
  }
  const double scale = section.number("scale", {.fallback = 1.0});
  const double shift = section.number("shift", {.fallback = 1.0, .above = -checked_at});
  const double exponent = section.number("exponent");
  Schedule power = Schedule::power(scale, shift, exponent);
  check(settings, key, power(checked_at), rule, fmt::format("{} at t = {}", power.text(), checked_at));
  return power;
}

} // namespace normdyn::core
