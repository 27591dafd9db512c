#include "rates_text.hpp"

#include "normdyn/analysis/model_choice.hpp"

#include <fmt/format.h>

namespace normdyn::cli {
namespace {

using analysis::Estimate;
using analysis::Model;
using analysis::ModelChoice;
using analysis::Refusal;

std::string line(const std::string& name, const std::string& value) {
  return fmt::format("  {:<14}{}\n", name, value);
}

std::string line(const std::string& name, const Estimate& estimate) {
  return line(name, fmt::format("{:.7g}  [{:.7g}, {:.7g}]", estimate.value, estimate.low, estimate.high));
}

const char* formula_of(Model model) {
  switch (model) {
  case Model::exponential:
    return "exponential, A e^(-k t)";
  case Model::stretched:
    return "stretched, A e^(-k sqrt(1+t))";
  default:
    return "power, A (t + D)^(-p)";
  }
}

std::string parameters_text(const analysis::ExponentialFit& fit) {
  return line("k", fit.rate) + line("log A", fit.log_amplitude);
}

std::string parameters_text(const analysis::PowerFit& fit) {
  return line("p", fit.exponent) + line("D", fit.shift) + line("log A", fit.log_amplitude);
}

// C of the law C/(t + D)^3 that the derivative of a quantity with p = 2 follows.
std::string line_text(const analysis::Decay& decay, const Estimate& exponent) {
  if (!exponent.covers(2.0))
    return "";
  const auto verdict = analysis::fit_power_line(decay, 2.0);
  const auto* fit = std::get_if<analysis::PowerLineFit>(&verdict);
  return fit ? "  with p = 2, where minus the derivative is C/(t + D)^3:\n" + line("C", fit->constant) +
                   line("D", fit->shift)
             : "";
}

std::string title(const analysis::Decay& decay, const std::string& quantity, const std::string& clock) {
  std::string text = "rate of " + quantity + clock;
  if (decay.size() > 0)
    text += fmt::format(" in [{:.6g}, {:.6g}], {} row{}", decay.times.front(), decay.times.back(), decay.size(),
                        decay.size() == 1 ? "" : "s");
  return text;
}

std::string refusal_text(const Refusal& refusal) {
  return ": none\n  " + refusal.text + "\n";
}

} // namespace

std::string rates_text(const analysis::Decay& decay, const std::string& quantity) {
  std::string text = title(decay, quantity, "");
  const auto verdict = analysis::choose_model(decay);
  if (const auto* refusal = std::get_if<Refusal>(&verdict))
    return text + refusal_text(*refusal);
  const auto& choice = std::get<ModelChoice>(verdict);
  text += ", with 95 % intervals\n" + line("law", formula_of(choice.model));
  text += std::visit([](const auto& fit) { return parameters_text(fit); }, choice.fit);
  if (const auto* power = std::get_if<analysis::PowerFit>(&choice.fit))
    text += line_text(decay, power->exponent);
  text += line("u u''/u'^2", choice.curvature);
  std::string residuals;
  for (const Model model : analysis::all_models)
    residuals += fmt::format("{}{:.2g} {}", residuals.empty() ? "" : ", ", choice.residual(model), model_name(model));
  return text + line("log u is off", residuals);
}

std::string clock_rate_text(const analysis::Decay& decay, const std::string& quantity, const std::string& clock) {
  const std::string text = title(decay, quantity, " against " + clock);
  const auto verdict = analysis::fit_exponential(decay);
  if (const auto* refusal = std::get_if<Refusal>(&verdict))
    return text + refusal_text(*refusal);
  const auto& fit = std::get<analysis::ExponentialFit>(verdict);
  return text + ", with 95 % intervals\n" + line("law", fmt::format("A e^(-k c), c = {}", clock)) +
         parameters_text(fit) + line("log u is off", fmt::format("{:.2g}", fit.residual));
}

} // namespace normdyn::cli
