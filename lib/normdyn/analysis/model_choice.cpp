#include "normdyn/analysis/model_choice.hpp"

#include "normdyn/analysis/line.hpp"
#include "normdyn/analysis/power_level.hpp"

#include <boost/math/tools/minima.hpp>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace normdyn::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double clearly = 0.5; ///< of the next best residual
/// Of the residual of the best power law, which has one parameter more. The squares then differ by a factor 2.25, as
/// noise in 40 samples makes them differ once in a hundred windows.
constexpr double against_power = 2.0 / 3.0;

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

// The least residual of a power law over its shift: for each shift a line through log u against log(t + D). That of
// u/u' may be farther off, since differences enlarge noise. The first sample is (t + D) = window * e^s from the
// pole.
double least_residual_of_power(const Decay& decay) {
  const double begin = decay.times.front(), length = decay.times.back() - begin;
  std::vector<double> clock(decay.size());
  const auto residual = [&](double s) {
    for (std::size_t i = 0; i < clock.size(); ++i)
      clock[i] = std::log((decay.times[i] - begin) / length + std::exp(s));
    const Line line = fit_line(clock, decay.log_values);
    return line.slope.value < 0.0 ? line.residual : infinity;
  };
  constexpr double nearest = -12.0, farthest = 9.0, step = 0.25; // farther than e^9 it is an exponential
  double best = nearest, least = infinity;
  for (double s = nearest; s <= farthest; s += step)
    if (const double r = residual(s); r < least) {
      least = r;
      best = s;
    }
  const auto found = boost::math::tools::brent_find_minima(residual, best - step, best + step, 40);
  return std::fmin(least, found.second);
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

// Another law that the data allow as well as the chosen one, which is exponential or stretched, and its residual. An
// exponential is a power law of infinite exponent and needs no such proof against it: a finite exponent shows in the
// rate, which then is not settled.
std::optional<std::pair<Model, double>> rival_of(const Decay& decay, const ModelChoice& choice) {
  const double best = choice.residual(choice.model);
  const bool is_stretched = choice.model == Model::stretched;
  const Model other = is_stretched ? Model::exponential : Model::stretched;
  if (const double off = choice.residual(other); best > clearly * off)
    return std::pair(other, off);
  if (!is_stretched)
    return std::nullopt;
  const double off = std::fmin(choice.residual(Model::power), least_residual_of_power(decay));
  return best > against_power * off ? std::optional(std::pair(Model::power, off)) : std::nullopt;
}

Refusal undecided(const Decay& decay, const ModelChoice& choice, const std::pair<Model, double>& rival) {
  const bool is_power = rival.first == Model::power;
  const double exponential = choice.residual(Model::exponential), stretched = choice.residual(Model::stretched);
  return {
      Refusal::Reason::too_short,
      fmt::format("window too short to tell {} law: log u is off them by {:.2g} and {:.2g} in [{:.6g}, {:.6g}]; take "
                  "a longer window{}",
                  is_power ? "a stretched from a power" : "an exponential from a stretched",
                  is_power ? stretched : exponential, is_power ? rival.second : stretched, decay.times.front(),
                  decay.times.back(), is_power ? ", ending ten times as late" : "")};
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
  if (std::holds_alternative<ModelChoice>(verdict))
    if (const auto rival = rival_of(decay, choice))
      return undecided(decay, choice, *rival);
  return verdict;
}

} // namespace normdyn::analysis
