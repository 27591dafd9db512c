#include "normdyn/analysis/model_choice.hpp"

#include "normdyn/analysis/line.hpp"
#include "normdyn/analysis/power_level.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace normdyn::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double clearly = 0.5; ///< of the next best residual

double residual_of_line(std::span<const double> clock, const Decay& decay) {
  return fit_line(clock, decay.log_values).residual;
}

// The residual of the shift-free power law, whose exponent and shift come from u/u'.
double residual_of_power(const Decay& decay, const Line& line) {
  const double exponent = -1.0 / line.slope.value, shift = -line.root.value;
  if (!(exponent > 0.0) || !(decay.times.front() + shift > 0.0))
    return infinity;
  return power_level(decay, exponent, shift).residual;
}

Estimate curvature_of(const Decay& decay, const std::vector<double>& inverse) {
  const std::size_t middle = decay.size() / 2;
  const auto slope = [&](std::size_t first, std::size_t count) {
    return fit_line(std::span(decay.times).subspan(first, count), std::span(inverse).subspan(first, count)).slope;
  };
  const Estimate whole = slope(0, decay.size());
  const Estimate curvature =
      covering_halves({1.0 - whole.value, 1.0 - whole.high, 1.0 - whole.low}, 1.0 - slope(0, middle + 1).value,
                      1.0 - slope(middle, decay.size() - middle).value);
  if (!decay.log_derivatives.empty())
    return curvature;
  return covering_coarser(curvature, 1.0 - fit_line(decay.times, inverse_slopes(decay, 3)).slope.value);
}

Model choose(const ModelChoice& choice) {
  const double exponential = choice.residual(Model::exponential), stretched = choice.residual(Model::stretched);
  if (choice.residual(Model::power) < clearly * std::fmin(exponential, stretched) && choice.curvature.low > 1.0)
    return Model::power;
  return exponential <= stretched ? Model::exponential : Model::stretched;
}

} // namespace

const char* model_name(Model model) {
  switch (model) {
  case Model::exponential:
    return "exponential";
  case Model::stretched:
    return "stretched";
  case Model::power:
    return "power";
  }
  return "";
}

Verdict<ModelChoice> choose_model(const Decay& decay, const FitOptions& options) {
  if (const auto refusal = refuse_window(decay, options))
    return *refusal;
  const std::vector<double> inverse = inverse_slopes(decay);
  ModelChoice choice;
  choice.curvature = curvature_of(decay, inverse);
  choice.residuals = {residual_of_line(decay.times, decay), residual_of_line(against_root_time(decay).times, decay),
                      residual_of_power(decay, fit_line(decay.times, inverse))};
  choice.model = choose(choice);

  const auto with_fit = [&](auto&& verdict) -> Verdict<ModelChoice> {
    if (const auto* refusal = std::get_if<Refusal>(&verdict))
      return Refusal{refusal->reason,
                     fmt::format("{} is the nearest law; {}", model_name(choice.model), refusal->text)};
    choice.fit = std::get<0>(verdict);
    return choice;
  };
  if (choice.model == Model::power)
    return with_fit(fit_power(decay, options));
  auto verdict =
      with_fit(choice.model == Model::exponential ? fit_exponential(decay, options) : fit_stretched(decay, options));
  const double exponential = choice.residual(Model::exponential), stretched = choice.residual(Model::stretched);
  if (std::holds_alternative<ModelChoice>(verdict) &&
      std::fmin(exponential, stretched) > clearly * std::fmax(exponential, stretched))
    return Refusal{Refusal::Reason::too_short,
                   fmt::format("window too short to tell an exponential from a stretched law: log u is off them by "
                               "{:.2g} and {:.2g} in [{:.6g}, {:.6g}]; take a longer window",
                               exponential, stretched, decay.times.front(), decay.times.back())};
  return verdict;
}

} // namespace normdyn::analysis
