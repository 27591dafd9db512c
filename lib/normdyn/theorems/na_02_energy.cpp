// NA-2: every scheme goes down the gradient of one energy.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/errata.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/gauss_panels.hpp"
#include "normdyn/theorems/plain_attention.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

constexpr std::size_t n_tokens = 32;
constexpr double end_time = 20.0, tau = 3.0, tolerance = 1e-10;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Weights B = Q^T K as K, and V = B or I.
struct Setting {
  TableRow scheme;
  std::size_t dim;
  double beta;
  std::optional<attention::Matrix> score{};
  bool value_is_score = true;

  [[nodiscard]] const attention::Matrix* score_matrix() const { return score ? &*score : nullptr; }
  [[nodiscard]] Subject subject(const Trial& trial) const {
    dynamics::TokenModel model{.scheme = scheme.scheme, .beta = beta};
    if (score) {
      attention::Weights weights;
      weights.key.matrix = score;
      if (value_is_score)
        weights.value.matrix = score;
      model.weights = fixed_weights(std::move(weights));
    }
    return trial.laboratory().prepare(model, uniform_cloud(n_tokens, dim, trial.seed()));
  }
};

// E at every accepted step, and times to cut the integral at: every sixth step, tau, and the end.
struct Descent {
  std::vector<double> times, energy, edges;
  bool is_complete = false;
};

Descent descent(const Trial& trial, const Setting& setting) {
  Descent seen;
  const auto end = follow(
      setting.subject(trial), {0.0, end_time}, trial.options(tolerance), {}, [&](const observables::Frame& frame) {
        seen.times.push_back(frame.time);
        seen.energy.push_back(scaled_energy(frame.theta, setting.dim, setting.beta, setting.score_matrix()));
        return false;
      });
  seen.is_complete = !end.outcome.is_failure();
  const auto is_edge = [&](std::size_t k) { return k % 6 == 0 || seen.times[k] == tau || k + 1 == seen.times.size(); };
  for (std::size_t k = 0; k < seen.times.size(); ++k)
    if (is_edge(k))
      seen.edges.push_back(seen.times[k]);
  return seen;
}

// dE/dt = -2 beta sum_j s_j Z_j |theta_j'|^2 in the units of scaled_energy, with s_j from Table 2 and A_j, Z_j by their
// definition.
double dissipation(const Setting& setting, const observables::Frame& frame) {
  const attention::Matrix* score = setting.score_matrix();
  const PlainAttention plain = plain_attention(frame.theta, setting.dim, setting.beta,
                                               {.score = score, .value = setting.value_is_score ? score : nullptr});
  std::vector<double> tangent(setting.dim);
  double total = 0.0;
  for (std::size_t j = 0; j < n_tokens; ++j) {
    const std::span<const double> drift = plain.of(j, setting.dim);
    geometry::project_tangent(frame.token(j), drift, tangent);
    const double radius = setting.scheme.has_radius() ? frame.radius[j] : 1.0;
    const double s = setting.scheme.scale(radius, geometry::norm(drift), frame.time);
    total += std::exp(plain.log_partition[j] - setting.beta) * geometry::dot(tangent, tangent) / s;
  }
  return -2.0 * setting.beta * total / static_cast<double>(n_tokens * n_tokens);
}

struct Balance {
  double residual = infinity; ///< of E(t) - E(0) against the integral, over the whole fall of E
  double increase = infinity; ///< the largest between two steps, over |E|
  std::vector<double> times, energy, predicted_times, predicted;
};

Balance balance(const Trial& trial, const Setting& setting) {
  const Descent seen = descent(trial, setting);
  Balance result{.times = seen.times, .energy = seen.energy, .predicted_times = seen.edges, .predicted = {}};
  if (!seen.is_complete)
    return result;
  std::vector<double> rates;
  follow(setting.subject(trial), {0.0, end_time}, trial.options(tolerance), {.times = gauss_nodes(seen.edges)},
         [&](const observables::Frame& frame) {
           rates.push_back(dissipation(setting, frame));
           return false;
         });
  result.predicted = gauss_integrals(seen.edges, rates);
  double residual = 0.0, increase = -infinity;
  std::size_t edge = 0;
  const double fall = std::abs(seen.energy.back() - seen.energy.front());
  for (std::size_t k = 0; k < seen.times.size(); ++k) {
    if (k > 0)
      increase = std::max(increase, (seen.energy[k] - seen.energy[k - 1]) / std::abs(seen.energy[k]));
    if (seen.times[k] != seen.edges.at(edge))
      continue;
    result.predicted[edge] += seen.energy.front();
    residual = std::max(residual, std::abs(seen.energy[k] - result.predicted[edge]) / fall);
    edge = std::min(edge + 1, seen.edges.size() - 1);
  }
  result.residual = residual;
  result.increase = increase;
  return result;
}

std::vector<Evidence> judge(const std::string& text, double residual, double increase) {
  return {vanishing("E(t) - E(0) + 2 beta int sum s Z |theta'|^2, " + text, residual, 1e-7),
          at_most("largest increase of E in a step, over |E|, " + text, increase, 0.0, 1e-13)};
}

attention::Matrix random_score(std::size_t dim, std::uint64_t seed, bool is_symmetric) {
  const attention::Matrix drawn = random_matrix(dim, 1.0, core::Purpose::key_weights, seed);
  return is_symmetric ? attention::Matrix(0.5 * (drawn + drawn.transpose())) : drawn;
}

struct Sphere {
  std::size_t dim;
  double beta;
};
constexpr std::array<Sphere, 5> spheres{{{2, 0.5}, {2, 8.0}, {3, 2.0}, {16, 0.5}, {16, 8.0}}};
constexpr std::size_t drawn_sphere = 2;

report::Figure figure_of(const std::vector<TableRow>& rows, const std::vector<Balance>& balances) {
  using Style = report::Curve::Style;
  report::Figure figure{.name = "na-02-energy",
                        .title =
                            fmt::format("Energy of {} uniform tokens, d = {}, beta = {}, tau = {}: measured, and by "
                                        "the integral of its dissipation (dashes)",
                                        n_tokens, spheres[drawn_sphere].dim, spheres[drawn_sphere].beta, tau),
                        .x = {"t"},
                        .y = {"E e^{-beta}/n^2"},
                        .curves = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Balance& one = balances[i * spheres.size() + drawn_sphere];
    figure.curves.push_back({rows[i].label, one.times, one.energy, Style::line});
    figure.curves.push_back({"", one.predicted_times, one.predicted, Style::dashes});
  }
  return figure;
}

// Schemes without radii, since a radius may vanish if B is indefinite.
std::vector<Setting> symmetric_settings(std::uint64_t seed) {
  std::vector<Setting> settings;
  for (const TableRow& row : table_rows(tau))
    if (!row.has_radius())
      settings.push_back({.scheme = row, .dim = 3, .beta = 2.0, .score = random_score(3, seed, true)});
  return settings;
}

Setting without_symmetry(const TableRow& scheme, std::uint64_t seed) {
  return {.scheme = scheme, .dim = 3, .beta = 2.0, .score = random_score(3, seed, false), .value_is_score = false};
}

Findings check(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows(tau);
  std::vector<Setting> settings;
  for (const TableRow& row : rows)
    for (const Sphere& sphere : spheres)
      settings.push_back({.scheme = row, .dim = sphere.dim, .beta = sphere.beta});
  for (const Setting& one : symmetric_settings(trial.seed()))
    settings.push_back(one);
  settings.push_back(without_symmetry(rows.front(), trial.seed()));
  std::vector<Balance> balances(settings.size());
  trial.for_each(settings.size(), [&](std::size_t i) { balances[i] = balance(trial, settings[i]); });

  Findings findings;
  const auto add = [&](const std::vector<Evidence>& more) {
    findings.evidence.insert(findings.evidence.end(), more.begin(), more.end());
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double residual = 0.0, increase = -infinity;
    for (std::size_t k = 0; k < spheres.size(); ++k) {
      residual = std::max(residual, balances[i * spheres.size() + k].residual);
      increase = std::max(increase, balances[i * spheres.size() + k].increase);
    }
    add(judge(fmt::format("{}, worst of {} (d, beta)", rows[i].label, spheres.size()), residual, increase));
  }
  for (std::size_t i = rows.size() * spheres.size(); i + 1 < settings.size(); ++i)
    add(judge(settings[i].scheme.label + ", V = Q^T K symmetric", balances[i].residual, balances[i].increase));
  findings.evidence.push_back(energy_factor_erratum(trial, 2.0));
  findings.evidence.push_back(
      recorded("largest increase of E in a step, over |E|, where Q^T K is not symmetric and V = I, post_ln",
               balances.back().increase));
  findings.figures.push_back(figure_of(rows, balances));
  return findings;
}

Findings control(const Trial& trial) {
  Findings findings;
  for (const TableRow& row : table_rows(tau))
    if (!row.has_radius()) {
      const Balance one = balance(trial, without_symmetry(row, trial.seed()));
      for (const Evidence& evidence : judge(row.label + ", Q^T K not symmetric", one.residual, one.increase))
        findings.evidence.push_back(evidence);
    }
  return findings;
}

} // namespace

Claim energy_descent() {
  return {.id = "NA-2",
          .aliases = {"energy", "sec3-energy"},
          .title = "Energy identity and monotonicity",
          .source = "arXiv:2510.22026, Section 3",
          .statement =
              "With E = -sum_{j,k} exp(beta <theta_j, theta_k>), theta_j' = -P grad_j E/(2 beta s_j Z_j) under "
              "every scheme, so that dE/dt = -2 beta sum_j s_j Z_j |theta_j'|^2 <= 0; the same for V = Q^T K = "
              "K^T Q with E = -sum exp(beta <Q theta_j, K theta_k>)",
          .hypotheses = "n = 32 uniform tokens, to t = 20; E is printed over e^beta n^2",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .cost_seconds = 3.0,
          .check = check,
          .control_text = "Q^T K that is not symmetric, with V = I",
          .control = control};
}

} // namespace normdyn::theorems
