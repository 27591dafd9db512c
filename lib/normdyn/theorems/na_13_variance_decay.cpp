// NA-13: how fast the variance decays in a cone.
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/cone_runs.hpp"
#include "normdyn/theorems/errata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

constexpr double tau = 3.0, infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t n_members = 20;

struct Size {
  std::size_t n_tokens, dim;
  double beta;
};
std::vector<Size> sizes() {
  std::vector<Size> all;
  for (const std::size_t n : {2, 8})
    for (const std::size_t dim : {2, 6})
      for (const double beta : {0.5, 2.0})
        all.push_back({n, dim, beta});
  return all;
}

// int dt/scale with the corrected scale of the theorem: 1, t, 1/alpha, sqrt t.
double corrected_clock(const TableRow& scheme, double t) {
  if (scheme.has_radius())
    return std::log(t);
  return schemes::name_of(scheme.scheme) == "sqrt_scaling" ? 2.0 * std::sqrt(t) : scheme.worth(t);
}

// T_0 = max(1, 2 sum_j r_j(0), 8 (max(tau, 0) + 1)).
double onset(const TableRow& scheme, const Size& size) {
  const double last_switch = schemes::name_of(scheme.scheme) == "mix_ln" ? tau : 0.0;
  return std::max({1.0, 2.0 * static_cast<double>(size.n_tokens), 8.0 * (last_switch + 1.0)});
}

// From T_0 on: linear where the decay is exponential, else in equal ratios. Runs end at Var = 1e-24.
std::vector<double> moments(const TableRow& scheme, const Size& size) {
  const double begin = onset(scheme, size);
  const bool is_power = scheme.has_radius() || scheme.label == "ngpt (alpha = 1/(1+t))";
  if (is_power)
    return integrate::log_grid(begin, 1e4, 61);
  return integrate::linear_grid(begin, schemes::name_of(scheme.scheme) == "sqrt_scaling" ? 400.0 : 60.0, 185);
}

struct Ratios {
  double low = infinity, high = -infinity; ///< from T_0 on
  double last = 0.0;                       ///< of the last interval, by the clock itself for sqrt scaling
};

Ratios ratios_of(const Trial& trial, const TableRow& scheme, const Size& size, std::uint64_t member, double value) {
  const std::vector<double> times = moments(scheme, size);
  const Subject subject = cone_subject(trial, scheme.scheme,
                                       {.n_tokens = size.n_tokens,
                                        .dim = size.dim,
                                        .beta = size.beta,
                                        .delta = admitted_delta(size.n_tokens, size.beta),
                                        .value = value,
                                        .member = member});
  const std::vector<double> log_variance = log_variances(trial, subject, times);
  std::vector<double> clock, sharp;
  for (const double t : times) {
    clock.push_back(corrected_clock(scheme, t));
    sharp.push_back(scheme.has_radius() ? clock.back() : scheme.worth(t));
  }
  const std::vector<double> ratios = decay_ratios(log_variance, clock), exactly = decay_ratios(log_variance, sharp);
  if (ratios.empty())
    return {.low = -infinity, .high = infinity, .last = std::numeric_limits<double>::quiet_NaN()};
  return {*std::min_element(ratios.begin(), ratios.end()), *std::max_element(ratios.begin(), ratios.end()),
          exactly.back()};
}

std::vector<Evidence> judge(const Trial& trial, const std::vector<TableRow>& rows, const std::vector<Size>& all,
                            std::uint64_t members, double value) {
  std::vector<Ratios> found(rows.size() * all.size() * members);
  trial.for_each(found.size(), [&](std::size_t i) {
    found[i] = ratios_of(trial, rows[i / (all.size() * members)], all[i / members % all.size()], i % members, value);
  });
  std::vector<Evidence> evidence;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Ratios worst;
    std::vector<double> last;
    for (std::size_t k = 0; k < all.size() * members; ++k) {
      const Ratios& one = found[row * all.size() * members + k];
      worst.low = std::min(worst.low, one.low);
      worst.high = std::max(worst.high, one.high);
      last.push_back(one.last);
    }
    const std::string text = fmt::format("{}, {} runs", rows[row].label, last.size());
    evidence.push_back(at_least("least -Var'/(Var/scale) after T_0, " + text, worst.low, 1.0 / 9.0));
    evidence.push_back(at_most("largest -Var'/(Var/scale) after T_0, " + text, worst.high, 4.0));
    evidence.push_back(rate("lim -Var'/(Var/s), " + text, 2.0, analysis::mean_estimate(last), 0.01));
  }
  return evidence;
}

report::Figure figure_of(const Trial& trial, const std::vector<TableRow>& rows) {
  using Style = report::Curve::Style;
  const Size size{8, 6, 2.0};
  report::Figure figure{.name = "na-13-variance",
                        .title = fmt::format("-Var'/(Var/scale) of {} tokens in a cone, d = {}, beta = {}, tau = {}, "
                                             "random Q^T K",
                                             size.n_tokens, size.dim, size.beta, tau),
                        .x = {"t", true},
                        .y = {"-Var'/(Var/scale)"},
                        .curves = {}};
  for (const TableRow& scheme : rows) {
    const std::vector<double> times = moments(scheme, size);
    const Subject subject = cone_subject(trial, scheme.scheme,
                                         {.n_tokens = size.n_tokens,
                                          .dim = size.dim,
                                          .beta = size.beta,
                                          .delta = admitted_delta(size.n_tokens, size.beta)});
    std::vector<double> clock;
    for (const double t : times)
      clock.push_back(corrected_clock(scheme, t));
    const std::vector<double> ratios = decay_ratios(log_variances(trial, subject, times), clock);
    figure.curves.push_back({scheme.label,
                             {times.begin() + 1, times.begin() + 1 + static_cast<std::ptrdiff_t>(ratios.size())},
                             ratios,
                             Style::points});
  }
  figure.curves.push_back({"limit 2", {8.0, 1e4}, {2.0, 2.0}, Style::dashes});
  figure.curves.push_back({"bounds 1/9 and 4", {8.0, 1e4}, {1.0 / 9.0, 1.0 / 9.0}, Style::dashes});
  figure.curves.push_back({"", {8.0, 1e4}, {4.0, 4.0}, Style::dashes});
  return figure;
}

Findings check(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows(tau);
  Findings findings{judge(trial, rows, sizes(), n_members, 1.0), {}};
  findings.evidence.push_back(inverted_alpha_erratum(trial, true));
  findings.evidence.push_back(wide_cone_erratum(trial, -1.0));
  findings.figures.push_back(figure_of(trial, rows));
  return findings;
}

// V = 0.05 I: A is as much shorter, and so is the speed of all schemes that do not divide by |A|.
Findings control(const Trial& trial) {
  return {judge(trial, {table_rows(tau).front()}, {{8, 6, 2.0}}, 2, 0.05), {}};
}

} // namespace

Claim variance_decay() {
  return {
      .id = "NA-13",
      .aliases = {"thm4.3", "thm4.3-ii"},
      .title = "Variance decay in a cone",
      .source = "arXiv:2510.22026, Theorem 4.3 (ii); the limit 2 is derived here",
      .statement = "From T_0 = max(1, 2 sum r_j(0), 8 (tau + 1)) on, Var/9 <= -Var' scale <= 4 Var with the scale 1 "
                   "(post_ln), t (pre_ln, mix_ln, peri_ln), 1/alpha (ngpt), sqrt t (sqrt_scaling), whatever Q and K; "
                   "and -Var'/(Var/s) -> 2",
      .hypotheses = "V = I, |Q^T K| <= 1, delta < 1/(100 n^2) min(1, 1/beta^2); here n in {2, 8}, d in {2, 6}, beta "
                    "in {1/2, 2}, r(0) = 1, tau = 3, random Q^T K of norm 1, 20 starts each",
      .citations = {"normalization-attention"},
      .cost_seconds = 2.0,
      .check = check,
      .control_text = "V = I/20, under which tokens approach too slowly",
      .control = control};
}

} // namespace normdyn::theorems
