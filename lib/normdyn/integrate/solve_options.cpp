#include "normdyn/integrate/solve.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace normdyn::integrate {

namespace {

constexpr std::array<const char*, 10> names = {
    "dopri5", "dop853", "cash_karp54",  "fehlberg78", "bulirsch_stoer", "adams_bashforth_moulton",
    "rk4",    "euler",  "author_euler", "layers"};

/// "10 min", "2 h", "90 s", "1.5 d", or seconds as a number.
double read_duration(core::Settings& settings, std::string_view key) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const core::Value* value = settings.raw(key);
  if (!value || value->is_number())
    return settings.number(key, {.fallback = unlimited, .above = 0.0, .may_be_infinite = true});
  const char* remedy = "write seconds as a number, or \"90 s\", \"10 min\", \"2 h\", \"1 d\"";
  if (!value->is_text())
    settings.refuse(key, fmt::format("{} is no duration", core::toml_text(*value)), remedy);
  const std::string& text = value->text();
  char* rest = nullptr;
  const double amount = std::strtod(text.c_str(), &rest);
  std::string unit = rest;
  unit.erase(0, unit.find_first_not_of(' '));
  constexpr std::array<std::pair<const char*, double>, 5> units = {
      {{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}, {"ms", 1e-3}}};
  for (const auto& [name, seconds] : units)
    if (unit == name && rest != text.c_str() && amount > 0.0 && std::isfinite(amount)) {
      settings.record(key, *value, false);
      return amount * seconds;
    }
  settings.refuse(key, fmt::format("'{}' is no duration", text), remedy);
}

void read_step_control(core::Settings& solver, SolveOptions& options) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  dynamics::Tolerance& tolerance = options.tolerance;
  tolerance.rtol = solver.number("rtol", {.fallback = 1e-8, .above = 0.0, .below = 1.0});
  tolerance.atol = solver.number("atol", {.fallback = 1e-10, .at_least = 0.0});
  tolerance.radius_rtol = solver.number("radius_rtol", {.fallback = tolerance.rtol, .above = 0.0, .below = 1.0});
  tolerance.radius_atol = solver.number("radius_atol", {.fallback = tolerance.atol, .at_least = 0.0});
  const std::vector<std::string> scales = {"radian", "spread"};
  if (solver.choice("error_scale", scales, "radian") == "spread")
    options.error_scale = ErrorScale::spread;
  if (solver.has("first_step"))
    options.first_step = solver.number("first_step", {.above = 0.0});
  options.largest_step = solver.number("largest_step", {.fallback = infinity, .above = 0.0, .may_be_infinite = true});
  options.smallest_step = solver.number("smallest_step", {.fallback = 0.0, .at_least = 0.0});
  if (options.smallest_step > options.largest_step)
    solver.refuse("smallest_step",
                  fmt::format("{} is above largest_step = {}", options.smallest_step, options.largest_step));
}

} // namespace

std::vector<std::string> method_names() {
  return {names.begin(), names.end() - 1};
}

const char* method_name(Method method) {
  return names.at(static_cast<std::size_t>(method));
}

bool has_fixed_step(Method method) {
  switch (method) {
  case Method::dopri5:
  case Method::dop853:
  case Method::cash_karp54:
  case Method::fehlberg78:
  case Method::bulirsch_stoer:
    return false;
  default:
    return true;
  }
}

Method default_method(double rtol) {
  return rtol < high_order_below ? Method::dop853 : Method::dopri5;
}

SolveOptions read_solve_options(core::Settings& solver, core::Interval span) {
  if (!(span.begin <= span.end) || !std::isfinite(span.begin) || !std::isfinite(span.end))
    throw core::InputError("time.end", fmt::format("{} does not come after the begin at {}", span.end, span.begin),
                           "runs go forward in time over a finite span");
  SolveOptions options;
  const std::vector<std::string> choices = method_names();
  const bool is_chosen = solver.has("method");
  const std::string name = solver.choice("method", choices, method_name(Method::dopri5));
  options.method = Method::dopri5;
  while (name != method_name(options.method))
    options.method = static_cast<Method>(static_cast<int>(options.method) + 1);

  const bool may_fix_step = options.method != Method::bulirsch_stoer;
  if (has_fixed_step(options.method) || (may_fix_step && solver.has("step"))) {
    const bool has_default = options.method == Method::author_euler; // the step of published scripts
    options.step = solver.number("step", {.fallback = has_default ? std::optional(0.1) : std::nullopt, .above = 0.0});
    if (options.step < 1e-15 * std::max(std::abs(span.begin), std::abs(span.end)))
      solver.refuse("step", fmt::format("{} is too small to change times near {}", options.step, span.end));
    for (const char* key :
         {"rtol", "atol", "radius_rtol", "radius_atol", "error_scale", "first_step", "largest_step", "smallest_step"})
      solver.foreign(key, fmt::format("an option of step control, and {} has a fixed step here", name));
  } else {
    solver.foreign("step", fmt::format("an option of methods with a fixed step; {} chooses its own", name));
    read_step_control(solver, options);
    const Method usual = default_method(options.tolerance.rtol);
    if (!is_chosen)
      options.method = usual;
    solver.record("method", core::Value(method_name(options.method)), options.method == usual);
  }
  options.max_steps = solver.integer("max_steps", {.fallback = 10'000'000, .at_least = 1});
  options.max_wall_seconds = read_duration(solver, "max_wall");
  return options;
}

std::string SolveSummary::brief_report() const {

  return fmt::format("{}: {}; {} steps ({} rejected), {} evaluations, {:.3g} s", outcome_name(outcome.kind),
                     outcome.text, steps_accepted, steps_rejected, evaluations, wall_seconds);
}

} // namespace normdyn::integrate
