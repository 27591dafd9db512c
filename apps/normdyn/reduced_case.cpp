#include "reduced_case.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/schemes/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::cli {
namespace {

using core::Value;
using experiment::PlannedCase;
using experiment::Study;

const Value* find(const Value& root, const char* section, const char* key) {
  const Value* table = root.find(section);
  if (!table || !table->is_table() || !*key)
    return table;
  return table->find(key);
}

[[noreturn]] void refuse(const PlannedCase& planned, const Study& study, const char* section, const char* key,
                         const std::string& problem, const std::string& remedy) {
  const Value* value = find(planned.one.root, section, key);
  throw core::InputError(
      fmt::format("{}: {}{}{}", value ? value->place.text() : study.source_name, section, *key ? "." : "", key),
      problem, remedy);
}

// gamma(0) of the laws that have one cosine.
double cosine_of(const PlannedCase& planned, const Study& study) {
  const std::string kind = find(study.resolved, "initial", "kind")->text();
  if (kind == "orthogonal")
    return 0.0;
  if (kind != "equiangular")
    refuse(planned, study, "initial", "kind",
           fmt::format("the tokens of '{}' have more than one cosine, and the reduction is for one", kind),
           "take \"orthogonal\" or \"equiangular\", or run the study: normdyn run");
  return find(study.resolved, "initial", "gamma0")->number();
}

double radius_of(const PlannedCase& planned, const Study& study) {
  const auto& radius = study.initial.radius;
  const auto [low, high] = std::minmax_element(radius.begin(), radius.end());
  if (*low != *high)
    refuse(planned, study, "initial", "norms",
           fmt::format("the norms go from {} to {}, and the reduction is for one radius", *low, *high),
           "give one number for all tokens");
  return *low;
}

void require_plain_attention(const PlannedCase& planned, const Study& study) {
  if (study.model.attention.normalization != attention::Normalization::softmax)
    refuse(planned, study, "attention", "kind", "the reduction is for softmax attention, and this one is unnormalized",
           "write kind = \"softmax\"");
  if (study.model.attention.mask != attention::Mask::full)
    refuse(planned, study, "attention", "mask", "a causal mask tells the tokens apart, and cosines do not stay equal",
           "write mask = \"full\"");
  if (!study.model.weights->is_identity())
    refuse(planned, study, "weights", "",
           fmt::format("the reduction is for Q = K = V = I, and this study has {}", study.model.weights->text()),
           "leave [weights] out");
  if (std::any_of(study.plan.events.begin(), study.plan.events.end(), [](const auto& e) { return e.is_terminal; }))
    refuse(planned, study, "time", "stop", "the reduction has no tokens to watch, and does not end by a condition",
           "leave it out, or run the study: normdyn run");
}

std::vector<double> times_of(const PlannedCase& planned, const Study& study) {
  const integrate::SaveSchedule& schedule = study.plan.states;
  const core::Interval span = study.time.span;
  if (schedule.is_none())
    refuse(planned, study, "output", "states", "'none' gives no times for the rows of the table",
           "e.g. states = { spacing = \"linear\", count = 11 }");
  if (!schedule.times().empty())
    return schedule.times();
  std::vector<double> times{span.begin};
  if (schedule.every_steps() > 0) {
    if (!study.time.in_layers)
      refuse(planned, study, "output", "states", "the rows of the table lie at times, not at steps",
             "e.g. states = { spacing = \"linear\", count = 11 }");
    for (std::int64_t l = schedule.every_steps(); l < study.time.n_layers; l += schedule.every_steps())
      times.push_back(span.begin + static_cast<double>(l) * study.time.step);
  }
  if (span.end > times.back())
    times.push_back(span.end);
  return times;
}

// alpha(t) of nGPT as the config has it, if that is a number or a power law.
reduced::PowerSchedule alpha_of(const PlannedCase& planned, const Study& study) {
  const Value* alpha = find(study.resolved, "scheme", "alpha");
  if (alpha && alpha->is_number())
    return {alpha->number(), 1.0, 0.0};
  if (alpha && alpha->is_table() && alpha->find("exponent"))
    return {alpha->find("scale")->number(), alpha->find("shift")->number(), alpha->find("exponent")->number()};
  refuse(planned, study, "scheme", "alpha",
         fmt::format("{} has no integral in closed form here, which many digits need",
                     alpha ? core::toml_text(*alpha) : "this alpha"),
         "write a number or a power law, e.g. { scale = 1.0, shift = 1.0, exponent = -1.0 } for 1/(1+t)");
}

} // namespace

ReducedCase reduced_case(const PlannedCase& planned, const Study& study) {
  require_plain_attention(planned, study);
  ReducedCase one;
  one.label = planned.label;
  one.cosine = cosine_of(planned, study);
  one.radius = radius_of(planned, study);
  if (study.initial.n_tokens < 2)
    refuse(planned, study, "initial", "tokens", "one token has no cosine", "take at least 2 tokens");
  one.model = {study.model.scheme, study.initial.n_tokens, study.model.beta};
  one.begin = study.time.span.begin;
  one.layer_step = study.time.in_layers ? study.time.step : 0.0;
  one.times = times_of(planned, study);
  return one;
}

reduced::DigitsModel digits_model(const PlannedCase& planned, const Study& study, const ReducedCase& one) {
  if (study.time.in_layers)
    refuse(planned, study, "time", "mode", "layers are computed in double precision", "leave --digits out");
  if (one.begin != 0.0)
    refuse(planned, study, "time", "begin",
           fmt::format("the quadrature counts time from 0, and this study from {}", one.begin),
           "leave --digits out, or begin at 0");
  if (!one.model.beta.is_constant())
    refuse(planned, study, "attention", "beta",
           fmt::format("{} changes with time, and only a constant beta has a quadrature", one.model.beta.text()),
           "leave --digits out, or take a number");
  if (std::isinf(reduced::Equiangular<double>(one.model.n_tokens, 0.0).log_ratio(one.cosine)))
    refuse(planned, study, "initial", "gamma0", "tokens on a simplex do not turn, and have no quadrature",
           "leave --digits out, or start from another cosine");
  const std::string_view name = schemes::name_of(one.model.scheme);
  if (std::holds_alternative<schemes::FormulaScheme>(one.model.scheme))
    refuse(planned, study, "scheme", "name", fmt::format("the scheme '{}' has no quadrature", name),
           "leave --digits out");
  reduced::DigitsModel model;
  if (std::holds_alternative<schemes::NGpt>(one.model.scheme))
    model.alpha = alpha_of(planned, study);
  model.scheme = one.model.scheme;
  model.n_tokens = one.model.n_tokens;
  model.beta = one.model.beta(0.0);
  model.cosine = one.cosine;
  model.radius = one.radius;
  return model;
}

} // namespace normdyn::cli
