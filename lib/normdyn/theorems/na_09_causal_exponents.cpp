// NA-9c: under a causal mask the terminal exponents are half.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/reduced/quadrature.hpp"
#include "normdyn/reduced/two_tokens.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/terminal_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

using attention::Mask;
using reduced::TwoTokenCurve;

constexpr std::size_t n_tokens = 6, dim = 4;
constexpr double beta = 1.0, tau = 3.0;

// Tokens 1 and 2, which no later token moves, at times when their gap has given values.
struct PairRun {
  std::vector<double> times, due, gap, radius, variance; ///< radius of token 2; variance of all tokens
};

// Tokens in a cone, the second turned so that its gap from the first is 0.2.
Cloud start_of(const Trial& trial) {
  Cloud cloud = cone_cloud(n_tokens, dim, 0.8, trial.seed(), 0, 1.5);
  const std::span<double> second = std::span(cloud.theta).subspan(dim, dim);
  geometry::State tangent(dim);
  geometry::project_tangent(cloud.token(0), cloud.token(1), tangent);
  geometry::normalize(tangent);
  for (std::size_t i = 0; i < dim; ++i)
    second[i] = 0.8 * cloud.theta[i] + 0.6 * tangent[i];
  geometry::normalize(second);
  return cloud;
}

PairRun pair_run(const Trial& trial, const TableRow& scheme, Mask mask) {
  const Cloud cloud = start_of(trial);
  const reduced::Equiangular<double> family(2, beta);
  const double start = gap(cloud.theta, dim, 0, 1);
  const reduced::Quadrature motion(
      TwoTokenCurve<double>(beta, family.log_ratio_of_gap(start), {1.5, 1.5}, reduced::TwoTokenMask::causal),
      scheme.pace);
  PairRun run;
  constexpr double first = 2e-3;
  for (const double u : falling_gaps(first, scheme.has_radius() ? 1e-5 * first : 1e-7 * first, 121)) {
    run.times.push_back(motion.time(family.log_ratio_of_gap(u)));
    run.due.push_back(u);
  }
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme.scheme, .attention = {.mask = mask}, .beta = beta}, cloud);
  integrate::SolveOptions options = trial.options(1e-9, integrate::ErrorScale::spread);
  options.max_steps = 50'000; // wrong dynamics may be stiff
  follow(subject, {0.0, run.times.back()}, options, {.times = run.times}, [&](const observables::Frame& frame) {
    run.gap.push_back(gap(frame.theta, dim, 0, 1));
    run.radius.push_back(frame.radius.empty() ? 1.0 : frame.radius[1]);
    run.variance.push_back(variance(frame.theta, dim));
    return false;
  });
  return run;
}

double deviation(const PairRun& run) {
  if (run.gap.size() != run.due.size())
    return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (std::size_t k = 0; k < run.due.size(); ++k)
    worst = std::max(worst, std::abs(run.gap[k] / run.due[k] - 1.0));
  return worst;
}

// The variable in which the law is e^{-x}, twice as slow as under full attention.
std::vector<double> law_variable(const TableRow& scheme, const PairRun& run) {
  std::vector<double> x;
  for (std::size_t k = 0; k < run.gap.size(); ++k)
    x.push_back(scheme.has_radius() ? std::log(run.radius[k]) : scheme.worth(run.times[k]));
  return x;
}

const char* variable_name(const TableRow& scheme) {
  return scheme.has_radius() ? "log r" : "int of 1/s's part in t";
}

std::vector<Evidence> judge_pair(const TableRow& scheme, const PairRun& run) {
  std::vector<Evidence> found{vanishing(
      fmt::format("gap of tokens 1, 2 over that of two causal tokens - 1, {}", scheme.label), deviation(run), 1e-6)};
  if (run.gap.empty())
    return found;
  const std::vector<double> x = law_variable(scheme, run);
  const analysis::Decay pair = analysis::decay_of(std::span(run.times).first(run.gap.size()), run.gap);
  found.push_back(
      fitted_rate(fmt::format("-d log u/dx of tokens 1, 2, x = {}, {}", variable_name(scheme), scheme.label), 1.0,
                  analysis::fit_exponential(analysis::against(pair, x)), &analysis::ExponentialFit::rate, 0.01));
  if (scheme.has_radius())
    found.push_back(fitted_rate(fmt::format("exponent of u of tokens 1, 2 in t, {}", scheme.label), 1.0,
                                analysis::fit_power(pair), &analysis::PowerFit::exponent, 0.01));
  return found;
}

// Tokens 1 ... j-1 at one point, token j apart: only token j moves, and near the others u' = -2 (1 - 1/j) u/s, a row of
// the triangular system.
Evidence row_rate(const Trial& trial, const TableRow& scheme, std::size_t j, Mask mask) {
  const Cloud two = cone_cloud(2, dim, 1e-3, trial.seed(), j);
  std::vector<double> rows;
  for (std::size_t k = 0; k + 1 < j; ++k)
    rows.insert(rows.end(), two.token(0).begin(), two.token(0).end());
  rows.insert(rows.end(), two.token(1).begin(), two.token(1).end());
  const Cloud cloud = cloud_of_rows(dim, rows);
  const std::vector<double> times = integrate::linear_grid(0.0, 9.0, 37);
  std::vector<double> gaps, x;
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme.scheme, .attention = {.mask = mask}, .beta = beta}, cloud);
  follow(subject, {0.0, times.back()}, trial.options(1e-9, integrate::ErrorScale::spread), {.times = times},
         [&](const observables::Frame& frame) {
           gaps.push_back(gap(frame.theta, dim, 0, j - 1));
           x.push_back(scheme.worth(frame.time));
           return false;
         });
  return fitted_rate(fmt::format("-d log u/d({}) of token {} against the {} before it, {}",
                                 schemes::name_of(scheme.scheme) == "post_ln" ? "t" : "int alpha", j, j - 1,
                                 scheme.label),
                     2.0 * (1.0 - 1.0 / static_cast<double>(j)), analysis::fit_exponential(analysis::decay_of(x, gaps)),
                     &analysis::ExponentialFit::rate, 1e-3);
}

report::Figure figure_of(const std::vector<TableRow>& rows, const std::vector<PairRun>& runs) {
  using Style = report::Curve::Style;
  report::Figure figure{.name = "na-09c-causal",
                        .title = fmt::format("Gap of tokens 1 and 2 of {} under a causal mask, d = {}, beta = {}: runs "
                                             "(points), e^(-x) (dashes)",
                                             n_tokens, dim, beta),
                        .x = {"x = t, int alpha, 2 (sqrt(1+t) - 1), log r"},
                        .y = {"u", true},
                        .curves = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> x = law_variable(rows[i], runs[i]);
    std::vector<double> law; // through the last point
    for (const double value : x)
      law.push_back(runs[i].gap.back() * std::exp(x.back() - value));
    figure.curves.push_back({rows[i].label, x, runs[i].gap, Style::points});
    figure.curves.push_back({"", x, law, Style::dashes});
  }
  return figure;
}

Findings findings_under(const Trial& trial, Mask mask) {
  const std::vector<TableRow> rows = table_rows(tau);
  const std::vector<TableRow> steady{rows[0], rows[4]}; // s tends to a constant
  constexpr std::size_t last_row = 6;
  std::vector<PairRun> runs(rows.size());
  std::vector<Evidence> row_rates(steady.size() * (last_row - 1));
  trial.for_each(
      rows.size(), [&](std::size_t i) { runs[i] = pair_run(trial, rows[i], mask); }, 0.0, 0.7);
  trial.for_each(
      row_rates.size(),
      [&](std::size_t i) { row_rates[i] = row_rate(trial, steady[i / (last_row - 1)], 2 + i % (last_row - 1), mask); },
      0.7, 1.0);
  Findings findings;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Evidence& one : judge_pair(rows[i], runs[i]))
      findings.evidence.push_back(one);
  findings.evidence.insert(findings.evidence.end(), row_rates.begin(), row_rates.end());
  findings.figures.push_back(figure_of(rows, runs));
  return findings;
}

Findings check(const Trial& trial) {
  return findings_under(trial, Mask::causal);
}
Findings control(const Trial& trial) {
  return findings_under(trial, Mask::full);
}

} // namespace

Claim causal_exponents() {
  return {.id = "NA-9c",
          .aliases = {"causal-exponents"},
          .title = "Terminal exponents under a causal mask",
          .source = "derived here",
          .statement =
              "Near consensus a causal mask gives theta_j' = (mean of the first j - theta_j)/s_j, a triangular "
              "system with rates (1 - 1/j)/s; the slowest is token 2 against token 1, so that the exponents of "
              "Theorem 4.1 are half: u ~ e^{-t}, e^{-int alpha}, e^{-2 sqrt(1+t)}, 1/t",
          .hypotheses = "Q = K = V = I, causal mask, n = 6, d = 4, beta = 1, r(0) = 1.5, tau = 3, a start in a cone",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .is_of_paper = true,
          .cost_seconds = 0.6,
          .check = check,
          .control_text = "full attention, under which the exponents are those of Theorem 4.1",
          .control = control};
}

} // namespace normdyn::theorems
