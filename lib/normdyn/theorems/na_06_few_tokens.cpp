// NA-6b: at most e^beta tokens of Pre- and Peri-LN merge, without the alternative of NA-5.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/endings.hpp"
#include "normdyn/theorems/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

constexpr std::size_t n_seeds = 100;
constexpr std::size_t dims[] = {2, 3, 8}, n_dims = std::size(dims);
constexpr double betas[] = {2.0, 3.0, 4.0};
constexpr double end_time = 1e200; // clocks to some 460

struct Case {
  schemes::AnyScheme scheme;
  std::size_t dim;
  double beta;
  [[nodiscard]] std::size_t n_tokens() const { return static_cast<std::size_t>(std::floor(std::exp(beta))); }
  [[nodiscard]] std::string text() const {
    return fmt::format("{}, n = {}, d = {}, beta = {}", schemes::name_of(scheme), n_tokens(), dim, beta);
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const schemes::AnyScheme& scheme : {schemes::AnyScheme(schemes::PreLn{}), schemes::AnyScheme(schemes::PeriLn{})})
    for (const double beta : betas)
      for (const std::size_t dim : dims)
        all.push_back({scheme, dim, beta});
  return all;
}

// Radii grow throughout, so polar variables do.
Ending run(const Trial& trial, const Case& one, const Cloud& start) {
  return run_to_end(trial.laboratory().prepare({.scheme = one.scheme, .beta = one.beta}, start), one.beta, end_time,
                    trial.options(1e-8));
}

Evidence judge(const std::string& quantity, const std::vector<Ending>& endings) {
  return almost_surely(quantity, static_cast<std::int64_t>(endings.size()),
                       count(endings, Ending::Kind::at_rest) + count(endings, Ending::Kind::troubled),
                       count(endings, Ending::Kind::moving));
}

// The printed lower bound of r' along the runs: the least mean over any step of the last half of a run.
Evidence growth(const Case& one, const std::vector<Ending>& endings) {
  const double n = static_cast<double>(one.n_tokens()), e_beta = std::exp(one.beta);
  double least = 1e300;
  for (const Ending& some : endings)
    least = std::min(least, some.least_radial_rate);
  return at_least("least r' in the last half of a run, " + one.text(), least, (e_beta - (n - 1.0)) / (n * e_beta));
}

Findings check(const Trial& trial) {
  const std::vector<Case> all = cases();
  std::vector<std::vector<Ending>> endings(all.size(), std::vector<Ending>(n_seeds));
  trial.for_each(all.size() * n_seeds, [&](std::size_t i) {
    const std::size_t one = i / all.size(), which = i % all.size();
    endings[which][one] =
        run(trial, all[which], gaussian_cloud(all[which].n_tokens(), all[which].dim, trial.seed(), one));
  });
  Findings findings;
  report::Figure figure{.name = "na-06-few-tokens",
                        .title = "Runs with n = floor(e^beta) Gaussian tokens, pre_ln, d = 2",
                        .x = {.label = "clock at consensus"},
                        .y = {.label = "share of runs in consensus"},
                        .curves = {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    findings.evidence.push_back(growth(all[i], endings[i]));
    if (schemes::name_of(all[i].scheme) != "pre_ln" || all[i].dim != 2)
      continue;
    std::vector<double> clocks;
    for (const Ending& one : endings[i])
      if (one.kind == Ending::Kind::consensus)
        clocks.push_back(one.clock);
    std::sort(clocks.begin(), clocks.end());
    report::Curve curve{.name = fmt::format("beta = {}, n = {}", all[i].beta, all[i].n_tokens()), .x = clocks, .y = {}};
    for (std::size_t k = 0; k < clocks.size(); ++k)
      curve.y.push_back(static_cast<double>(k + 1) / static_cast<double>(n_seeds));
    figure.curves.push_back(std::move(curve));
  }
  // All dimensions together: on the circle large beta has plateaus beyond any clock that a double can count to.
  for (std::size_t i = 0; i < all.size(); i += n_dims) {
    std::vector<Ending> together;
    for (std::size_t k = i; k < i + n_dims; ++k)
      together.insert(together.end(), endings[k].begin(), endings[k].end());
    findings.evidence.push_back(judge(fmt::format("{}, n = {}, beta = {}, d = 2, 3, 8: runs that end apart",
                                                  schemes::name_of(all[i].scheme), all[i].n_tokens(), all[i].beta),
                                      together));
  }
  findings.figures.push_back(std::move(figure));
  return findings;
}

Findings control(const Trial& trial) {
  const double pair[] = {1.0, 0.0, -1.0, 0.0};
  Findings findings;
  for (const schemes::AnyScheme& scheme : {schemes::AnyScheme(schemes::PreLn{}), schemes::AnyScheme(schemes::PeriLn{})})
    findings.evidence.push_back(judge(fmt::format("an antipodal pair, {}, beta = 1", schemes::name_of(scheme)),
                                      {run(trial, {scheme, 2, 1.0}, cloud_of_rows(2, pair))}));
  return findings;
}

} // namespace

Claim consensus_of_few_tokens() {
  return {.id = "NA-6b",
          .aliases = {"NA-6", "corollary-3"},
          .title = "Consensus of at most e^beta tokens",
          .source = "arXiv:2510.22026, corollary to Theorem 3.1",
          .statement =
              "With n <= e^beta tokens of a standard normal X(0), all tokens of pre_ln and peri_ln converge to "
              "one point with probability 1",
          .hypotheses = "Q = K = V = I, d >= 2",
          .citations = {"normalization-attention"},
          .cost_seconds = 30.0,
          .check = check,
          .control_text = "an exact antipodal pair",
          .control = control};
}

} // namespace normdyn::theorems
