// NA-9: how fast orthogonal tokens come together in the end, and the constants in front.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/reduced_landmarks.hpp"
#include "normdyn/theorems/terminal_runs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

namespace normdyn::theorems {
namespace {

constexpr double tau = 3.0;

std::vector<double> gaps_of(const TableRow& scheme) {
  return falling_gaps(1e-3, scheme.has_radius() ? 1e-8 : 1e-10, 61);
}

// u e^{2 x} -> constant, in the variable x of the law: int of 1/s's part in t, or log r where the radius moves.
std::vector<double> law_variable(const TableRow& scheme, const TerminalRun& run) {
  std::vector<double> x;
  for (std::size_t k = 0; k < run.gap.size(); ++k)
    x.push_back(scheme.has_radius() ? std::log(run.radius[k]) : scheme.worth(run.times[k]));
  return x;
}

const char* variable_name(const TableRow& scheme) {
  if (scheme.has_radius())
    return "log r";
  if (schemes::name_of(scheme.scheme) == "ngpt")
    return "int alpha";
  return schemes::name_of(scheme.scheme) == "post_ln" ? "t" : "2 sqrt(1+t) - 2";
}

// Rate, constant, and where the radius moves the exponent in t and the time shift.
std::vector<Evidence> judge_law(const TableRow& scheme, const OrthogonalStart& start, const TerminalRun& run,
                                const std::string& text) {
  const std::vector<double> x = law_variable(scheme, run);
  const std::span<const double> seen_times = std::span(run.times).first(run.gap.size());
  const analysis::Decay decay = analysis::decay_of(seen_times, run.gap);
  std::vector<Evidence> found{
      fitted_rate(fmt::format("-d log u/dx, x = {}, {}", variable_name(scheme), text), 2.0,
                  analysis::fit_exponential(analysis::against(decay, x)), &analysis::ExponentialFit::rate, 0.01),
      exact(fmt::format("lim u e^(2x), x = {}, {}", variable_name(scheme), text), terminal_constant(scheme, start, tau),
            run.gap.back() * std::exp(2.0 * x.back()), 1e-4)};
  if (!scheme.has_radius())
    return found;
  found.push_back(fitted_rate("exponent of u in t, free of the time shift, " + text, 2.0, analysis::fit_power(decay),
                              &analysis::PowerFit::exponent, 0.01));
  if (const std::optional<double> shift = time_shift(scheme, start)) {
    const std::size_t middle = run.gap.size() / 2; // late enough for the law, early enough for the digits of r - t
    found.push_back(exact("lim r - t, " + text, *shift,
                          run.radius[middle] - run.times[middle] - radius_excess(scheme, start, run.times[middle]),
                          1e-4));
  }
  return found;
}

// r^2 (1 + (n-1) gamma) e^{-2 int dt/s} is conserved where the radius moves all the way.
double conservation_error(const OrthogonalStart& start, const TerminalRun& run) {
  const double n = static_cast<double>(start.n_tokens);
  double worst = run.gap.size() == run.times.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < run.gap.size(); ++k) {
    const double grown = run.radius[k] / start.radius * std::exp(-run.clock[k]);
    worst = std::max(worst, std::abs(grown * grown * (n - (n - 1.0) * run.gap[k]) - 1.0));
  }
  return worst;
}

std::string start_text(const OrthogonalStart& start) {
  return fmt::format("n = {}, beta = {}, r0 = {}", start.n_tokens, start.beta, start.radius);
}

Findings judge_runs(const OrthogonalStart& start, const std::vector<TableRow>& rows,
                    const std::vector<TerminalRun>& runs) {
  Findings findings;
  std::optional<double> pre, peri;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string text = fmt::format("{}, {}", rows[i].label, start_text(start));
    const std::string_view name = schemes::name_of(rows[i].scheme);
    findings.evidence.push_back(
        vanishing("u(t) over that of the reduction - 1, down to the last u, " + text, runs[i].deviation(), 1e-6));
    if (runs[i].gap.empty())
      continue;
    for (const Evidence& one : judge_law(rows[i], start, runs[i], text))
      findings.evidence.push_back(one);
    const double power_constant = runs[i].gap.back() * runs[i].radius.back() * runs[i].radius.back();
    if (name == "pre_ln")
      pre = power_constant;
    if (name == "peri_ln")
      peri = power_constant;
    if (name == "pre_ln" || name == "peri_ln")
      findings.evidence.push_back(
          vanishing("r^2 (1 + (n-1) gamma) e^(-2 int dt/s), " + text, conservation_error(start, runs[i]), 1e-6));
  }
  if (pre && peri)
    findings.evidence.push_back(
        exact("C of gamma' ~ C/t^3, pre_ln against peri_ln, " + start_text(start), 2.0 * *pre, 2.0 * *peri, 1e-6));
  return findings;
}

report::Figure law_figure(const OrthogonalStart& start, const std::vector<TableRow>& rows,
                          const std::vector<TerminalRun>& runs, bool with_radius) {
  using Style = report::Curve::Style;
  report::Figure figure{.name = with_radius ? "na-09-power" : "na-09-exponential",
                        .title = fmt::format("Gap of orthogonal tokens, {}, tau = {}: runs (points), law (dashes)",
                                             start_text(start), tau),
                        .x = {with_radius ? "r" : "t, int alpha, 2 (sqrt(1+t) - 1)", with_radius},
                        .y = {"u = 1 - gamma", true},
                        .curves = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].has_radius() != with_radius)
      continue;
    std::vector<double> x = law_variable(rows[i], runs[i]), law;
    for (double& value : x) {
      law.push_back(terminal_constant(rows[i], start, tau) * std::exp(-2.0 * value));
      value = with_radius ? std::exp(value) : value;
    }
    figure.curves.push_back({rows[i].label, x, runs[i].gap, Style::points});
    figure.curves.push_back({"", x, law, Style::dashes});
  }
  return figure;
}

void append(Findings& to, Findings&& more) {
  to.evidence.insert(to.evidence.end(), more.evidence.begin(), more.evidence.end());
  to.figures.insert(to.figures.end(), more.figures.begin(), more.figures.end());
}

std::vector<TerminalRun> runs_from(const Trial& trial, const OrthogonalStart& start, const std::vector<TableRow>& rows,
                                   attention::Mask mask, double from, double to) {
  std::vector<TerminalRun> runs(rows.size());
  trial.for_each(
      rows.size(), [&](std::size_t i) { runs[i] = terminal_run(trial, rows[i], start, gaps_of(rows[i]), mask); }, from,
      to);
  return runs;
}

Findings check(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows(tau);
  const OrthogonalStart small{.n_tokens = 8, .beta = 1.0, .radius = 1.5};
  const OrthogonalStart sharp{.n_tokens = 16, .beta = 3.0, .radius = 1.0};
  const OrthogonalStart of_figure{.n_tokens = 256, .beta = 5.0, .radius = 1.0};
  Findings findings;
  const std::vector<TerminalRun> runs = runs_from(trial, small, rows, attention::Mask::full, 0.0, 0.1);
  append(findings, judge_runs(small, rows, runs));
  append(findings, judge_runs(sharp, rows, runs_from(trial, sharp, rows, attention::Mask::full, 0.1, 0.2)));
  append(findings, judge_runs(of_figure, rows, runs_from(trial, of_figure, rows, attention::Mask::full, 0.2, 1.0)));
  for (const TableRow& scheme : rows)
    append(findings, {landmarks(scheme, of_figure, tau), {}});
  for (const bool with_radius : {false, true})
    findings.figures.push_back(law_figure(small, rows, runs, with_radius));
  return findings;
}

Findings control(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows(tau);
  const OrthogonalStart small{.n_tokens = 8, .beta = 1.0, .radius = 1.5};
  return judge_runs(small, rows, runs_from(trial, small, rows, attention::Mask::causal, 0.0, 1.0));
}

} // namespace

Claim terminal_laws() {
  return {.id = "NA-9",
          .aliases = {"thm4.1", "thm4.1-terminal"},
          .title = "Terminal velocity of orthogonal tokens, with all constants",
          .source = "arXiv:2510.22026, Theorem 4.1; the constants are derived here",
          .statement =
              "gamma' ~ C e^{-2t} under post_ln, C alpha e^{-2 int alpha} under ngpt, C e^{-4 sqrt t}/sqrt t "
              "under sqrt_scaling, C/t^3 under pre_ln, mix_ln and peri_ln; u = 1 - gamma has u r^2 -> R2 r0^2 "
              "and r - t -> D, C = 2 R2 r0^2 for pre_ln and peri_ln alike, and r^2 (1 + (n-1) gamma) e^{-2 int "
              "dt/s} is conserved under both",
          .hypotheses = "Q = K = V = I, full attention, orthonormal directions, equal radii r0, tau = 3",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .cost_seconds = 12.0,
          .check = check,
          .control_text = "a causal mask, under which the exponents are half",
          .control = control};
}

} // namespace normdyn::theorems
