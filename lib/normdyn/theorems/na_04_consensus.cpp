// NA-4: from random directions, tokens of Post-LN, nGPT and sqrt scaling merge into one point.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/endings.hpp"
#include "normdyn/theorems/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

constexpr std::size_t n_seeds = 200;
constexpr std::size_t sizes[] = {4, 16, 32}, dims[] = {2, 3, 8};
constexpr double betas[] = {0.5, 1.0, 2.0, 4.0};
constexpr double budget = 1e4; // of the clock of Post-LN: some e^{2 beta}

struct Case {
  schemes::AnyScheme scheme;
  double end;
  std::size_t dim;
  double beta;
  [[nodiscard]] std::string text() const {
    return fmt::format("{}, d = {}, beta = {}", schemes::name_of(scheme), dim, beta);
  }
};

std::vector<Case> cases() {
  const double root = 1.0 + 0.5 * budget; // 2 (sqrt(1+t) - 1) is the clock of sqrt scaling
  std::vector<Case> all;
  for (const auto& [scheme, end] : {std::pair{schemes::AnyScheme(schemes::PostLn{}), budget},
                                    std::pair{schemes::AnyScheme(schemes::NGpt(1.0)), budget},
                                    std::pair{schemes::AnyScheme(schemes::SqrtScaling{}), root * root - 1.0}})
    for (const std::size_t dim : dims)
      for (const double beta : betas)
        all.push_back({scheme, end, dim, beta});
  return all;
}

// Not an ending in consensus is an exception if the tokens are at rest, or where the dynamics are undefined.
Evidence judge(const std::string& quantity, const std::vector<Ending>& endings) {
  const std::int64_t n_exceptions = count(endings, Ending::Kind::at_rest) + count(endings, Ending::Kind::troubled);
  Evidence evidence = almost_surely(quantity, static_cast<std::int64_t>(endings.size()), n_exceptions,
                                    count(endings, Ending::Kind::moving));
  double gap = 0.0;
  for (const Ending& one : endings)
    if (one.kind == Ending::Kind::at_rest)
      gap = std::max(gap, one.energy_gap);
  if (gap > 0.0)
    evidence.text += fmt::format("; at rest {:.2g} n^2 e^beta above the least energy", gap);
  return evidence;
}

// The share of runs that are not yet in consensus, against the clock.
report::Curve survival(const std::string& name, const std::vector<Ending>& endings) {
  std::vector<double> clocks;
  for (const Ending& one : endings)
    if (one.kind == Ending::Kind::consensus)
      clocks.push_back(one.clock);
  std::sort(clocks.begin(), clocks.end());
  report::Curve curve{.name = name, .x = {}, .y = {}};
  for (std::size_t i = 0; i < clocks.size(); i += std::max<std::size_t>(1, clocks.size() / 100)) {
    curve.x.push_back(clocks[i]);
    curve.y.push_back(1.0 - static_cast<double>(i + 1) / static_cast<double>(endings.size()));
  }
  return curve;
}

Findings check(const Trial& trial) {
  const std::vector<Case> all = cases();
  constexpr std::size_t n_runs = std::size(sizes) * n_seeds;
  std::vector<std::vector<Ending>> endings(all.size(), std::vector<Ending>(n_runs));
  trial.for_each(all.size() * n_runs, [&](std::size_t i) {
    const std::size_t run = i / all.size(), which = i % all.size(); // costs differ by case: mix them
    const Case& one = all[which];
    const Subject subject = trial.laboratory().prepare({.scheme = one.scheme, .beta = one.beta},
                                                       uniform_cloud(sizes[run / n_seeds], one.dim, trial.seed(), run));
    endings[which][run] = run_to_end(subject, one.beta, one.end, trial.options(1e-8));
  });

  Findings findings;
  report::Figure figure{.name = "na-04-consensus",
                        .title = "Runs of post_ln not yet in consensus, n = 4, 16 and 32",
                        .x = {.label = "time", .is_logarithmic = true},
                        .y = {.label = "share of runs", .is_logarithmic = true},
                        .curves = {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    findings.evidence.push_back(
        judge(fmt::format("{}, n = 4, 16, 32: runs at rest before consensus", all[i].text()), endings[i]));
    if (schemes::name_of(all[i].scheme) == "post_ln" && all[i].dim != 3)
      figure.curves.push_back(survival(fmt::format("d = {}, beta = {}", all[i].dim, all[i].beta), endings[i]));
  }
  findings.figures.push_back(std::move(figure));
  return findings;
}

// What the theorem leaves out, or should: d = 1, a start of measure zero, an integrable alpha.
Findings control(const Trial& trial) {
  const auto runs = [&](const std::string& quantity, const schemes::AnyScheme& scheme, double end, auto start) {
    std::vector<Ending> endings(40);
    trial.for_each(endings.size(), [&](std::size_t i) {
      const Subject subject = trial.laboratory().prepare({.scheme = scheme}, start(i));
      endings[i] = run_to_end(subject, 1.0, end, trial.options(1e-8));
    });
    return judge(quantity, endings);
  };
  const auto uniform = [&](std::size_t dim) {
    return [&trial, dim](std::size_t i) { return uniform_cloud(4, dim, trial.seed(), i); };
  };
  const double pair[] = {1.0, 0.0, -1.0, 0.0};
  return {{runs("post_ln, d = 1, n = 4", schemes::PostLn{}, 100.0, uniform(1)),
           runs("post_ln, an antipodal pair", schemes::PostLn{}, 100.0,
                [&pair](std::size_t) { return cloud_of_rows(2, pair); }),
           runs("ngpt, alpha = e^-t, d = 3, n = 4",
                schemes::NGpt(core::Schedule::formula(core::Formula("exp(-t)", {"t"}, "claim"))), 60.0, uniform(3))},
          {}};
}

} // namespace

Claim consensus() {
  return {.id = "NA-4",
          .aliases = {"thm3.1", "thm:convergence"},
          .title = "Consensus from random directions",
          .source = "arXiv:2510.22026, Theorem 3.1",
          .statement = "From independent uniform directions all tokens converge to one point with probability 1 under "
                       "post_ln, ngpt and sqrt_scaling",
          .hypotheses = "Q = K = V = I, d >= 2, beta > 0; for ngpt the integral of alpha must be infinite (the last "
                        "three are implicit in print)",
          .citations = {"normalization-attention"},
          .cost_seconds = 60.0,
          .check = check,
          .control_text = "d = 1; an exact antipodal pair; ngpt with alpha = e^-t",
          .control = control};
}

} // namespace normdyn::theorems
