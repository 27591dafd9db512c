// NA-12: radii grow at least like (1 - delta) t in a cone.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/cone_runs.hpp"
#include "normdyn/theorems/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

constexpr double end_time = 20.0, tau = 1.0, infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t n_members = 20;

struct Growth {
  double slowest = infinity;        ///< of (r_k(t) - r_k(0))/(t - t_0) over tokens and steps
  double widening = -infinity;      ///< the largest relative increase of the largest gap in a step
  std::vector<double> times, grown; ///< the least r_k(t) - r_k(0)
};

// Radii begin to grow at `begin`: 0, or tau under Mix-LN.
Growth growth(const Trial& trial, const schemes::AnyScheme& scheme, const ConeStart& start, double begin) {
  Growth seen;
  double widest = infinity;
  const Subject subject = cone_subject(trial, scheme, start);
  const auto end = follow(subject, {0.0, end_time}, trial.options(1e-9, integrate::ErrorScale::spread), {},
                          [&](const observables::Frame& frame) {
                            const double now = largest_gap(frame.theta, frame.dim);
                            if (std::isfinite(widest))
                              seen.widening = std::max(seen.widening, now / widest - 1.0);
                            widest = now;
                            const double least = *std::min_element(frame.radius.begin(), frame.radius.end());
                            seen.times.push_back(frame.time);
                            seen.grown.push_back(least - start.radius);
                            if (frame.time > begin)
                              seen.slowest = std::min(seen.slowest, seen.grown.back() / (frame.time - begin));
                            return false;
                          });
  if (end.outcome.is_failure())
    return {.slowest = -infinity, .widening = infinity, .times = {}, .grown = {}};
  return seen;
}

struct Setting {
  schemes::AnyScheme scheme;
  double begin, delta;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const double delta : {admitted_delta(8, 2.0), 0.01, 0.1, 0.5}) {
    all.push_back({schemes::PreLn{}, 0.0, delta});
    all.push_back({schemes::PeriLn{}, 0.0, delta});
    all.push_back({schemes::MixLn(tau), tau, delta});
  }
  return all;
}

Growth worst_growth(const Trial& trial, const Setting& setting, double value, std::uint64_t members) {
  Growth worst;
  for (std::uint64_t member = 0; member < members; ++member) {
    const Growth one =
        growth(trial, setting.scheme, {.delta = setting.delta, .value = value, .member = member}, setting.begin);
    worst.slowest = std::min(worst.slowest, one.slowest);
    worst.widening = std::max(worst.widening, one.widening);
    if (member == 0)
      worst.times = one.times, worst.grown = one.grown;
  }
  return worst;
}

std::vector<Evidence> judge(const Setting& setting, const Growth& worst) {
  const std::string text = fmt::format("{}, delta = {:.3g}", schemes::name_of(setting.scheme), setting.delta);
  return {at_least(fmt::format("least (r_k(t) - r_k(0))/{}, {}", setting.begin > 0.0 ? "(t - tau)" : "t", text),
                   worst.slowest, 1.0 - setting.delta, 1e-8),
          at_most("largest relative increase of the largest gap in a step, " + text, worst.widening, 0.0, 1e-9)};
}

report::Figure figure_of(const Setting& setting, const Growth& one) {
  using Style = report::Curve::Style;
  std::vector<double> low, high;
  for (const double t : one.times) {
    low.push_back((1.0 - setting.delta) * std::max(0.0, t - setting.begin));
    high.push_back(std::max(0.0, t - setting.begin));
  }
  return {.name = fmt::format("na-12-{}", schemes::name_of(setting.scheme)),
          .title = fmt::format("Smallest radius of 8 tokens in a cone, {}, delta = {}, beta = 2",
                               schemes::name_of(setting.scheme), setting.delta),
          .x = {"t"},
          .y = {"r - r(0)"},
          .curves = {{"measured", one.times, one.grown, Style::line},
                     {"(1 - delta) t", one.times, low, Style::dashes},
                     {"t", one.times, high, Style::dashes}}};
}

Findings check(const Trial& trial) {
  const std::vector<Setting> all = settings();
  std::vector<Growth> worst(all.size());
  trial.for_each(all.size(), [&](std::size_t i) { worst[i] = worst_growth(trial, all[i], 1.0, n_members); });
  Findings findings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Evidence& one : judge(all[i], worst[i]))
      findings.evidence.push_back(one);
    findings.evidence.push_back(recorded(
        fmt::format("(1 - least growth)/delta, {}, delta = {:.3g}", schemes::name_of(all[i].scheme), all[i].delta),
        (1.0 - worst[i].slowest) / all[i].delta));
    if (all[i].delta == 0.5)
      findings.figures.push_back(figure_of(all[i], worst[i]));
  }
  return findings;
}

Findings control(const Trial& trial) {
  Findings findings;
  for (const Setting& setting : settings())
    for (const Evidence& one : judge(setting, worst_growth(trial, setting, 0.4, 1)))
      findings.evidence.push_back(one);
  return findings;
}

} // namespace

Claim radial_growth() {
  return {.id = "NA-12",
          .aliases = {"thm4.3", "thm4.3-i", "thm:preln-slow"},
          .title = "Radial growth in a cone",
          .source = "arXiv:2510.22026, Theorem 4.3 (i)",
          .statement = "If all cosines are at least 1 - delta at the start, they stay so, and r_k(t) >= (1 - delta) t "
                       "under pre_ln and peri_ln, and (1 - delta) (t - tau) under mix_ln",
          .hypotheses =
              "V = I, |Q^T K| <= 1; here n = 8, d = 6, beta = 2, random Q^T K of norm 1, 20 starts, to t = 20, "
              "delta as the theorem has it and up to 1/2",
          .citations = {"normalization-attention"},
          .cost_seconds = 0.5,
          .check = check,
          .control_text = "V = 2/5 I, under which radii grow too slowly",
          .control = control};
}

} // namespace normdyn::theorems
