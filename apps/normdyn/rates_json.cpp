#include "rates_json.hpp"

#include "normdyn/analysis/model_choice.hpp"

namespace normdyn::cli {
namespace {

using analysis::Estimate;
using analysis::Refusal;
using nlohmann::ordered_json;

ordered_json to_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

ordered_json head(const analysis::Decay& decay, const std::string& quantity) {
  ordered_json out = {{"quantity", quantity}, {"n_rows", decay.size()}};
  if (decay.size() > 0) {
    out["begin"] = decay.times.front();
    out["end"] = decay.times.back();
  }
  return out;
}

const char* reason_of(const Refusal& refusal) {
  switch (refusal.reason) {
  case Refusal::Reason::below_rounding:
    return "below_rounding";
  case Refusal::Reason::too_short:
    return "too_short";
  case Refusal::Reason::plateau:
    return "plateau";
  default:
    return "not_this_law";
  }
}

ordered_json refused(ordered_json out, const Refusal& refusal) {
  out["law"] = nullptr;
  out["reason"] = reason_of(refusal);
  out["refusal"] = refusal.text;
  return out;
}

void add(ordered_json& out, const analysis::ExponentialFit& fit) {
  out["k"] = to_json(fit.rate);
  out["log_A"] = to_json(fit.log_amplitude);
}

void add(ordered_json& out, const analysis::PowerFit& fit) {
  out["p"] = to_json(fit.exponent);
  out["D"] = to_json(fit.shift);
  out["log_A"] = to_json(fit.log_amplitude);
}

} // namespace

ordered_json rates_json(const analysis::Decay& decay, const std::string& quantity) {
  ordered_json out = head(decay, quantity);
  const auto verdict = analysis::choose_model(decay);
  if (const auto* refusal = std::get_if<Refusal>(&verdict))
    return refused(std::move(out), *refusal);
  const auto& choice = std::get<analysis::ModelChoice>(verdict);
  out["law"] = model_name(choice.model);
  std::visit([&](const auto& fit) { add(out, fit); }, choice.fit);
  out["curvature"] = to_json(choice.curvature);
  for (const analysis::Model model : analysis::all_models)
    out["residuals"][model_name(model)] = choice.residual(model);
  return out;
}

ordered_json clock_rate_json(const analysis::Decay& decay, const std::string& quantity, const std::string& clock) {
  ordered_json out = head(decay, quantity);
  out["against"] = clock;
  const auto verdict = analysis::fit_exponential(decay);
  if (const auto* refusal = std::get_if<Refusal>(&verdict))
    return refused(std::move(out), *refusal);
  const auto& fit = std::get<analysis::ExponentialFit>(verdict);
  out["law"] = "exponential";
  add(out, fit);
  out["residual"] = fit.residual;
  return out;
}

} // namespace normdyn::cli
