// NA-5: from a Gaussian start, tokens of Pre-, Mix- and Peri-LN merge, unless some radius stops growing.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/endings.hpp"
#include "normdyn/theorems/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

constexpr std::size_t n_seeds = 200;
constexpr std::size_t sizes[] = {8, 32}, dims[] = {2, 3, 8};
constexpr double betas[] = {0.5, 1.0, 2.0, 3.0};
constexpr double end_time = 1e120; // radii grow like t, so that the clock reaches some log(end_time) = 276
constexpr double stalled = 1e-3;   // r' below it counts as vanishing

struct Case {
  schemes::AnyScheme scheme;
  std::size_t dim;
  double beta;
  [[nodiscard]] std::string text() const {
    return fmt::format("{}, d = {}, beta = {}", schemes::name_of(scheme), dim, beta);
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const schemes::AnyScheme& scheme :
       {schemes::AnyScheme(schemes::PreLn{}), schemes::AnyScheme(schemes::MixLn(3.0)),
        schemes::AnyScheme(schemes::PeriLn{})})
    for (const std::size_t dim : dims)
      for (const double beta : betas)
        all.push_back({scheme, dim, beta});
  return all;
}

// Cartesian: a token opposite to the rest may pass close to the origin, where polar variables are stiff.
Ending run(const Trial& trial, const Case& one, const Cloud& start) {
  const Subject subject = trial.laboratory().prepare(
      {.scheme = one.scheme, .beta = one.beta, .variables = dynamics::Variables::cartesian}, start);
  return run_to_end(subject, one.beta, end_time, trial.options(1e-8));
}

bool is_stalled(const Ending& one) {
  return one.kind != Ending::Kind::consensus && one.least_radial_rate <= stalled;
}

// Either consensus or a vanishing r'. An exception is at rest elsewhere while all radii grow.
Evidence judge(const std::string& quantity, const std::vector<Ending>& endings) {
  std::int64_t n_exceptions = 0, n_unfinished = 0;
  for (const Ending& one : endings) {
    if (one.kind == Ending::Kind::consensus || is_stalled(one))
      continue;
    ++(one.kind == Ending::Kind::at_rest ? n_exceptions : n_unfinished);
  }
  return almost_surely(quantity, static_cast<std::int64_t>(endings.size()), n_exceptions, n_unfinished);
}

struct Tally {
  std::int64_t n_stalled = 0, n_shrinking = 0;
  double least_radius = 1.0;
  void add(const Ending& one) {
    n_stalled += is_stalled(one) ? 1 : 0;
    n_shrinking += one.least_radius < 1.0 ? 1 : 0;
    least_radius = std::min(least_radius, one.least_radius);
  }
};

report::Curve radii(const std::string& name, const std::vector<Ending>& endings) {
  std::vector<double> least;
  for (const Ending& one : endings)
    least.push_back(one.least_radius);
  std::sort(least.begin(), least.end());
  report::Curve curve{.name = name, .x = {}, .y = {}};
  for (std::size_t i = 0; i < least.size(); i += 4) {
    curve.x.push_back(least[i]);
    curve.y.push_back(static_cast<double>(i + 1) / static_cast<double>(least.size()));
  }
  return curve;
}

Findings check(const Trial& trial) {
  const std::vector<Case> all = cases();
  constexpr std::size_t n_runs = std::size(sizes) * n_seeds;
  std::vector<std::vector<Ending>> endings(all.size(), std::vector<Ending>(n_runs));
  trial.for_each(all.size() * n_runs, [&](std::size_t i) {
    const std::size_t one = i / all.size(), which = i % all.size(); // costs differ by case: mix them
    endings[which][one] =
        run(trial, all[which], gaussian_cloud(sizes[one / n_seeds], all[which].dim, trial.seed(), one));
  });

  Findings findings;
  Tally tally;
  report::Figure figure{.name = "na-05-shrinking-radii",
                        .title = "How far the most opposed token of a run shrinks, n = 8 and 32, beta = 1",
                        .x = {.label = "least r_j(t)/r_j(0) of a run", .is_logarithmic = true},
                        .y = {.label = "share of runs with less"},
                        .curves = {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    findings.evidence.push_back(judge(all[i].text() + ", n = 8, 32: neither consensus nor a vanishing r'", endings[i]));
    for (const Ending& one : endings[i])
      tally.add(one);
    if (all[i].beta == 1.0 && schemes::name_of(all[i].scheme) != "mix_ln")
      figure.curves.push_back(
          radii(fmt::format("{}, d = {}", schemes::name_of(all[i].scheme), all[i].dim), endings[i]));
  }
  const double n_all = static_cast<double>(all.size() * n_runs);
  findings.evidence.push_back(recorded(
      "runs in which r' vanished instead", static_cast<double>(tally.n_stalled),
      fmt::format("{} of {:.0f} runs were not in consensus and had min r_j' <= {} in the last half of their time",
                  tally.n_stalled, n_all, stalled)));
  findings.evidence.push_back(recorded("runs in which some radius shrank for a while",
                                       static_cast<double>(tally.n_shrinking),
                                       fmt::format("{} of {:.0f} runs; at the least to {:.2g} of r_j(0)",
                                                   tally.n_shrinking, n_all, tally.least_radius)));
  findings.figures.push_back(std::move(figure));
  return findings;
}

// A start of measure zero: an antipodal pair stays, and its radii grow at the rate tanh(beta).
Findings control(const Trial& trial) {
  const double pair[] = {1.0, 0.0, -1.0, 0.0};
  Findings findings;
  for (const schemes::AnyScheme& scheme :
       {schemes::AnyScheme(schemes::PreLn{}), schemes::AnyScheme(schemes::PeriLn{})}) {
    const Case one{scheme, 2, 1.0};
    findings.evidence.push_back(judge("an antipodal pair, " + one.text(), {run(trial, one, cloud_of_rows(2, pair))}));
  }
  return findings;
}

} // namespace

Claim consensus_with_radii() {
  return {.id = "NA-5",
          .aliases = {"thm3.1", "thm:convergence"},
          .title = "Consensus, or a radius that stops growing",
          .source = "arXiv:2510.22026, Theorem 3.1",
          .statement = "From a standard normal X(0), with probability 1 all tokens of pre_ln, mix_ln and peri_ln "
                       "converge to one point, or min_j liminf r_j' = 0",
          .hypotheses = "Q = K = V = I, d >= 2, beta > 0 (the last two are implicit in print); a limit at infinity "
                        "cannot be measured: r' counts as vanishing below 0.001 in the last half of the time",
          .citations = {"normalization-attention"},
          .cost_seconds = 60.0,
          .check = check,
          .control_text = "an exact antipodal pair",
          .control = control};
}

} // namespace normdyn::theorems
