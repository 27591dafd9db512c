#include "normdyn/integrate/event.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/core/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

namespace normdyn::integrate {

namespace {

constexpr const char* grammar = "write \"max_angle < 1e-6\", \"mean_cosine > 0.9\" or \"n_clusters changes\"";

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

/// A number, or a formula in the variables of the config.
double read_level(const core::Settings& event, std::string_view text) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, value] : event.variables()) {
    names.push_back(name);
    values.push_back(value);
  }
  const double level = core::Formula(std::string(text), std::move(names), event.place("when"))(values);
  if (!std::isfinite(level))
    event.refuse("when", fmt::format("'{}' is not a finite number", text), "an event needs a finite level");
  return level;
}

/// name, then "changes" or a comparison with a level. Fills kind and level; returns the name.
std::string parse_condition(const core::Settings& settings, Event& event) {
  const std::string_view text = trimmed(event.condition);
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_name);
  const std::string name(text.begin(), end);
  std::string_view rest = trimmed(text.substr(name.size()));
  if (name.empty())
    settings.refuse("when", fmt::format("'{}' does not begin with an observable", event.condition), grammar);
  const std::vector<std::string> known = observables::observable_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    settings.refuse("when", fmt::format("there is no observable '{}' in '{}'", name, event.condition),
                    core::suggestion(name, known));
  if (rest == "changes") {
    event.kind = Event::Kind::changes;
    return name;
  }
  if (rest.empty() || (rest.front() != '<' && rest.front() != '>'))
    settings.refuse("when", fmt::format("'{}' does not say what '{}' must do", event.condition, name), grammar);
  const bool is_below = rest.front() == '<';
  rest.remove_prefix(1);
  const bool is_weak = !rest.empty() && rest.front() == '=';
  rest = trimmed(rest.substr(is_weak ? 1 : 0));
  if (rest.empty())
    settings.refuse("when", fmt::format("'{}' has no level", event.condition), grammar);
  event.kind = is_below ? Event::Kind::falls_below : Event::Kind::rises_above;
  event.level = read_level(settings, rest);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_weak) // v <= L is v < the next number after L
    event.level = std::nextafter(event.level, is_below ? infinity : -infinity);
  return name;
}

void attach_observable(const core::Settings& settings, const std::string& name, core::Settings& output,
                       const observables::ObservableContext& context, Event& event) {
  std::vector<std::unique_ptr<observables::Observable>> made;
  try {
    made = observables::make_observables({name}, output, context, false);
  } catch (const core::InputError& error) {
    if (error.place() != output.place("record"))
      throw;
    settings.refuse("when", error.problem(), "watch another observable");
  }
  event.observable = std::move(made.front());
  const std::vector<observables::Variable>& variables = event.observable->variables();
  std::vector<std::string> names;
  std::size_t offset = 0;
  for (const observables::Variable& variable : variables) {
    if ((variable.name == name || variables.size() == 1) && variable.width() == 1) {
      event.component = offset;
      if (event.kind == Event::Kind::changes && !variable.is_integer)
        settings.refuse("when", fmt::format("'{}' is not a count, it changes all the time", name),
                        fmt::format("give it a level: \"{} < 0.1\"", name));
      return;
    }
    names.push_back(variable.name);
    offset += variable.width();
  }
  settings.refuse("when", fmt::format("'{}' has several values", name),
                  variables.size() > 1 ? "name one of them: " + core::listed(names) : "an event needs a single number");
}

} // namespace

std::vector<Event> read_events(core::Settings& section, std::string_view key, core::Settings& output,
                               const observables::ObservableContext& context, bool terminal) {
  std::vector<Event> events;
  for (core::Settings settings : section.sections(key)) {
    Event event{.name = {}, .condition = settings.text("when"), .observable = nullptr, .is_terminal = terminal};
    const std::string name = parse_condition(settings, event);
    event.name = settings.text("name", event.condition);
    attach_observable(settings, name, output, context, event);
    events.push_back(std::move(event));
  }
  return events;
}

} // namespace normdyn::integrate
