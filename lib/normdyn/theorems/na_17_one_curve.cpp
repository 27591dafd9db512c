// NA-17: the mean cosine against the clock is nearly one curve for all schemes, and where it is not.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace normdyn::theorems {
namespace {

constexpr double last_clock = 30.0;
constexpr double clock_step = 0.02; // curves are read between samples at most some 0.02 apart: error below 1e-4

struct Setting {
  Cloud start;
  double beta = 4.0;
  attention::Mask mask = attention::Mask::full;
  bool by_layers = false; ///< layers of step 1 instead of the flow
};

struct Track {
  std::string name;
  std::vector<double> clocks{}, cosines{};
  // Linear between samples; the last value beyond them.
  [[nodiscard]] double at(double clock) const {
    const auto after = std::upper_bound(clocks.begin(), clocks.end(), clock);
    if (after == clocks.begin() || after == clocks.end())
      return after == clocks.begin() ? cosines.front() : cosines.back();
    const auto i = static_cast<std::size_t>(after - clocks.begin());
    const double share = (clock - clocks[i - 1]) / (clocks[i] - clocks[i - 1]);
    return cosines[i - 1] + share * (cosines[i] - cosines[i - 1]);
  }
};

// Times at which the clock of a scheme is about i clock_step: t, 2 (sqrt(1+t) - 1) or log(1 + t/r).
std::vector<double> sample_times(const schemes::AnyScheme& scheme, double radius) {
  std::vector<double> times{0.0};
  for (int i = 1; i <= static_cast<int>(2.0 * last_clock / clock_step); ++i) {
    const double clock = i * clock_step, root = 1.0 + 0.5 * clock;
    times.push_back(schemes::has_radius(scheme)                  ? radius * std::expm1(clock)
                    : schemes::name_of(scheme) == "sqrt_scaling" ? root * root - 1.0
                                                                 : clock);
  }
  return times;
}

Track track(const Trial& trial, const Setting& setting, const schemes::AnyScheme& scheme) {
  const Subject subject = trial.laboratory().prepare(
      {.scheme = scheme, .attention = {.mask = setting.mask}, .beta = setting.beta}, setting.start);
  Track track{.name = std::string(schemes::name_of(scheme))};
  const auto see = [&](const observables::Frame& frame) {
    track.clocks.push_back(frame.clock);
    track.cosines.push_back(mean_cosine(frame.theta, frame.dim));
    return frame.clock > last_clock;
  };
  if (setting.by_layers) {
    integrate::SolveOptions options;
    options.method = integrate::Method::layers;
    options.step = 1.0;
    follow(subject, {0.0, 2000.0}, options, {}, see);
  } else {
    const double radius = *std::min_element(setting.start.radius.begin(), setting.start.radius.end());
    const std::vector<double> times = sample_times(scheme, radius);
    follow(subject, {0.0, times.back()}, trial.options(1e-8), {.times = times}, see);
  }
  return track;
}

std::vector<schemes::AnyScheme> without_mix(std::vector<schemes::AnyScheme> all) {
  std::erase_if(all, [](const schemes::AnyScheme& one) { return schemes::name_of(one) == "mix_ln"; });
  return all;
}

std::vector<Track> tracks(const Trial& trial, const Setting& setting, const std::vector<schemes::AnyScheme>& all) {
  std::vector<Track> found(all.size());
  trial.for_each(all.size(), [&](std::size_t i) { found[i] = track(trial, setting, all[i]); });
  return found;
}

// The largest difference of two curves at one clock that all of them reach.
double spread(const std::vector<Track>& all) {
  double end = last_clock, largest = 0.0;
  for (const Track& one : all)
    end = std::min(end, one.clocks.back());
  for (double clock = 0.0; clock <= end; clock += 0.05) {
    double low = 2.0, high = -2.0;
    for (const Track& one : all) {
      low = std::min(low, one.at(clock));
      high = std::max(high, one.at(clock));
    }
    largest = std::max(largest, high - low);
  }
  return largest;
}

report::Figure figure(const std::vector<Track>& all) {
  report::Figure figure{.name = "na-17-one-curve",
                        .title = "Mean cosine against the clock, n = 64, d = 32, beta = 4, r(0) = 1",
                        .x = {.label = "clock, mean_j int dt/s_j"},
                        .y = {.label = "mean cosine"},
                        .curves = {}};
  for (const Track& one : all) {
    report::Curve curve{.name = one.name, .x = {}, .y = {}};
    for (double clock = 0.0; clock <= last_clock; clock += 0.2) {
      curve.x.push_back(clock);
      curve.y.push_back(one.at(clock));
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

// The clock at t = 96, from one radius.
double clock_at_96(const Trial& trial, const Setting& setting, const schemes::AnyScheme& scheme) {
  const Subject subject = trial.laboratory().prepare({.scheme = scheme, .beta = setting.beta}, setting.start);
  return follow(subject, {0.0, 96.0}, trial.options(1e-8), {.times = {96.0}},
                [](const observables::Frame&) { return false; })
      .clock;
}

Cloud with_lognormal_radii(Cloud cloud, std::uint64_t seed) {
  for (std::size_t j = 0; j < cloud.n_tokens; ++j)
    cloud.radius[j] = std::exp(core::RandomStream(seed, core::Purpose::token_norm, 0, j).normal());
  return cloud;
}

const std::vector<schemes::AnyScheme>& schemes_of_norms() {
  static const std::vector<schemes::AnyScheme> three{schemes::PostLn{}, schemes::PreLn{}, schemes::PeriLn{}};
  return three;
}

Evidence equal_radii(const std::vector<Track>& all, const std::string& what) {
  return at_most("spread of the mean cosine at equal clock, " + what, spread(all), 2 * 0.013);
}

Findings check(const Trial& trial) {
  const Setting plain{.start = uniform_cloud(64, 32, trial.seed())};
  const std::vector<schemes::AnyScheme> all = without_mix(table_schemes());
  Findings findings;
  const std::vector<Track> curves = tracks(trial, plain, all);
  findings.evidence.push_back(equal_radii(curves, "equal radii, n = 64, d = 32, beta = 4"));
  findings.figures.push_back(figure(curves));

  Setting unequal = plain;
  unequal.start = with_lognormal_radii(plain.start, trial.seed());
  findings.evidence.push_back(at_most("spread of the mean cosine at equal clock, lognormal radii, three schemes",
                                      spread(tracks(trial, unequal, schemes_of_norms())), 2 * 0.023));

  const Setting orthogonal{.start = orthogonal_cloud(16, 16)};
  findings.evidence.push_back(vanishing("spread of the mean cosine at equal clock, orthogonal tokens",
                                        spread(tracks(trial, orthogonal, all)), 1e-4));

  for (const auto& [scheme, predicted] :
       {std::pair{schemes::AnyScheme(schemes::PostLn{}), 96.0},
        std::pair{schemes::AnyScheme(schemes::SqrtScaling{}), 2.0 * (std::sqrt(97.0) - 1.0)}})
    findings.evidence.push_back(exact(fmt::format("clock at t = 96, {}", schemes::name_of(scheme)), predicted,
                                      clock_at_96(trial, plain, scheme), 1e-6));
  for (const schemes::AnyScheme& scheme : {schemes::AnyScheme(schemes::NGpt(1.0)), schemes::AnyScheme(schemes::PreLn{}),
                                           schemes::AnyScheme(schemes::PeriLn{})})
    findings.evidence.push_back(
        recorded(fmt::format("clock at t = 96, {}", schemes::name_of(scheme)), clock_at_96(trial, plain, scheme)));

  Setting causal = plain, crowded = plain, layers = plain;
  causal.mask = attention::Mask::causal;
  crowded.beta = 1.0;
  layers.by_layers = true;
  findings.evidence.push_back(recorded("spread, causal mask", spread(tracks(trial, causal, all))));
  findings.evidence.push_back(recorded("spread, n > e^beta (beta = 1)", spread(tracks(trial, crowded, all))));
  findings.evidence.push_back(recorded("spread, layers of step 1", spread(tracks(trial, layers, all))));
  return findings;
}

Findings control(const Trial& trial) {
  Setting causal{.start = uniform_cloud(64, 32, trial.seed())};
  causal.mask = attention::Mask::causal;
  return {{equal_radii(tracks(trial, causal, without_mix(table_schemes())), "causal mask")}, {}};
}

} // namespace

Claim one_curve() {
  return {.id = "NA-17",
          .aliases = {"clock"},
          .title = "One curve against the clock",
          .source = "derived here",
          .statement =
              "Against the clock mean_j int dt/s_j the mean cosine of all schemes follows nearly one curve: "
              "within 0.026 from equal radii, within 0.046 from lognormal ones; exactly from orthogonal tokens",
          .hypotheses = "Q = K = V = I, full attention, one random start; the two bounds are twice what was measured "
                        "once, not derived",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .is_of_paper = false,
          .cost_seconds = 2.0,
          .check = check,
          .control_text = "a causal mask",
          .control = control};
}

} // namespace normdyn::theorems
