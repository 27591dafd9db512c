// NA-0: the table of schemes itself. Layers of small step follow the flow; real layers, of step 1, do not.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/reduced/layer_map.hpp"
#include "normdyn/reduced/quadrature.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

constexpr std::size_t n_tokens = 16, dim = 8, n_members = 4;
constexpr double initial_radius = 2.0, tau = 3.0;
constexpr std::array betas{1.0, 4.0};

integrate::SolveOptions layer_options(double step) {
  integrate::SolveOptions options;
  options.method = integrate::Method::layers;
  options.step = step;
  return options;
}

// Steps that fit into a unit of time, in the loose pass too, and the last two of which give the order.
std::vector<double> layer_steps(const Trial& trial) {
  std::vector<double> steps;
  for (int halvings = 1; halvings <= 5; ++halvings)
    steps.push_back(trial.step(std::ldexp(0.1, -halvings)));
  return steps;
}

struct Course {
  std::vector<std::vector<double>> theta, radius; ///< at t = 1, 2, ..., 5
};

Course course(const Trial& trial, const schemes::AnyScheme& scheme, double beta, std::uint64_t member,
              const integrate::SolveOptions& options) {
  Course seen;
  const Subject subject = trial.laboratory().prepare(
      {.scheme = scheme, .beta = beta}, uniform_cloud(n_tokens, dim, trial.seed(), member, initial_radius));
  follow(subject, {0.0, 5.0}, options, {.times = {1.0, 2.0, 3.0, 4.0, 5.0}}, [&](const observables::Frame& frame) {
    seen.theta.emplace_back(frame.theta.begin(), frame.theta.end());
    seen.radius.emplace_back(frame.radius.begin(), frame.radius.end());
    return false;
  });
  return seen;
}

// The largest angle between the runs' tokens, and difference of their radii relative to the flow's.
double difference(const Course& layers, const Course& flow) {
  if (layers.theta.size() != 5 || flow.theta.size() != 5)
    return std::numeric_limits<double>::quiet_NaN();
  double worst = 0.0;
  for (std::size_t k = 0; k < 5; ++k) {
    for (std::size_t j = 0; j < n_tokens; ++j)
      worst = std::max(worst, geometry::angle(std::span(layers.theta[k]).subspan(j * dim, dim),
                                              std::span(flow.theta[k]).subspan(j * dim, dim)));
    if (layers.radius[k].size() == flow.radius[k].size()) // else one of them carries none: the control
      for (std::size_t j = 0; j < flow.radius[k].size(); ++j)
        worst = std::max(worst, std::abs(layers.radius[k][j] / flow.radius[k][j] - 1.0));
  }
  return worst;
}

// Errors by step, one row for each member.
using Errors = std::vector<std::vector<double>>;

Errors errors_of(const Trial& trial, const TableRow& layers, const TableRow& flow, double beta) {
  Errors errors(n_members);
  for (std::size_t member = 0; member < n_members; ++member) {
    const Course exact_course = course(trial, flow.scheme, beta, member, trial.options(1e-9));
    for (const double step : layer_steps(trial))
      errors[member].push_back(
          difference(course(trial, layers.scheme, beta, member, layer_options(step)), exact_course));
  }
  return errors;
}

Evidence order(const std::string& text, const Errors& errors) {
  std::vector<double> orders;
  for (const std::vector<double>& one : errors)
    orders.push_back(std::log2(one[one.size() - 2] / one.back()));
  return rate("order of the layers in their step, " + text, 1.0, analysis::mean_estimate(orders), 0.1);
}

report::Figure order_figure(const Trial& trial, const std::vector<TableRow>& rows, const std::vector<Errors>& errors) {
  using Style = report::Curve::Style;
  const std::vector<double> steps = layer_steps(trial);
  report::Figure figure{.name = "na-00-order",
                        .title = fmt::format("Largest difference of layers from the flow to t = 5, n = {}, d = {}, "
                                             "beta = {}, r(0) = {}, tau = {}",
                                             n_tokens, dim, betas[1], initial_radius, tau),
                        .x = {"layer step h", true},
                        .y = {"angle or relative radius", true},
                        .curves = {}};
  for (std::size_t i = 0; i < rows.size(); ++i)
    figure.curves.push_back({rows[i].label, steps, errors[i * betas.size() + 1].front(), Style::points});
  figure.curves.push_back({"proportional to h", steps, steps, Style::dashes});
  return figure;
}

// Real layers: orthogonal tokens at the parameters of the paper's figure.
constexpr std::size_t deep_tokens = 256;
constexpr double deep_beta = 5.0, depth = 8.0;

struct Deep {
  std::vector<double> times, cosine, predicted, flow; ///< at every layer
  double spread = 0.0;                                ///< of the cosines of token 0 with all others, at the end
};

Deep deep_run(const Trial& trial, const schemes::AnyScheme& scheme, double step) {
  Deep deep;
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme, .beta = deep_beta}, orthogonal_cloud(deep_tokens, deep_tokens));
  follow(subject, {0.0, depth}, layer_options(step), {}, [&](const observables::Frame& frame) {
    deep.times.push_back(frame.time);
    double largest = 0.0; // of all pairs with token 0: they are to stay equal
    for (std::size_t k = 1; k < frame.n_tokens; ++k)
      largest = std::max(largest, gap(frame.theta, frame.dim, 0, k));
    deep.cosine.push_back(1.0 - largest);
    return false;
  });
  const reduced::Equiangular<double> family(deep_tokens, deep_beta);
  const double y0 = family.log_ratio(0.0);
  const reduced::EquiangularQuadrature<double> flow(reduced::EquiangularCurve<double>(family, y0, 1.0),
                                                    reduced::pace_of(scheme));
  reduced::LayerResult<double> at{y0, 1.0};
  for (const double t : deep.times) {
    deep.predicted.push_back(family.position(at.log_ratio).cosine);
    deep.flow.push_back(family.position(flow.at(t).log_ratio).cosine);
    at = std::visit(
        [&](const auto& one) {
          return reduced::layer(family, one.on({t, t + step}), at.log_ratio, at.radius, t, step);
        },
        scheme);
  }
  return deep;
}

Findings deep_layers(const Trial& trial) {
  using Style = report::Curve::Style;
  const std::vector<schemes::AnyScheme> all = table_schemes(tau);
  constexpr std::array steps{1.0, 0.5, 0.25};
  std::vector<Deep> runs(all.size() * steps.size());
  trial.for_each(
      runs.size(), [&](std::size_t i) { runs[i] = deep_run(trial, all[i / steps.size()], steps[i % steps.size()]); },
      0.5, 1.0);
  Findings findings;
  report::Figure figure{.name = "na-00-real-layers",
                        .title = fmt::format("Layers of step 1 (points) against the flow (dashes), n = {}, beta = {}, "
                                             "r(0) = 1, tau = {}",
                                             deep_tokens, deep_beta, tau),
                        .x = {"layer"},
                        .y = {"cosine of a pair"},
                        .curves = {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Deep& run = runs[i];
    const std::string text = fmt::format("{}, h = {}, n = {}, beta = {}", schemes::name_of(all[i / steps.size()]),
                                         steps[i % steps.size()], deep_tokens, deep_beta);
    findings.evidence.push_back(
        exact("smallest cosine at t = 8 of layers, " + text, run.predicted.back(), run.cosine.back(), 1e-11));
    findings.evidence.push_back(
        recorded("the same minus that of the flow, " + text, run.cosine.back() - run.flow.back()));
    if (i % steps.size() == 0) {
      figure.curves.push_back(
          {std::string(schemes::name_of(all[i / steps.size()])), run.times, run.cosine, Style::points});
      figure.curves.push_back({"", run.times, run.flow, Style::dashes});
    }
  }
  findings.figures.push_back(std::move(figure));
  return findings;
}

Findings check(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows(tau);
  std::vector<Errors> errors(rows.size() * betas.size());
  trial.for_each(
      errors.size(),
      [&](std::size_t i) {
        const TableRow& row = rows[i / betas.size()];
        errors[i] = errors_of(trial, row, row, betas[i % betas.size()]);
      },
      0.0, 0.5);
  Findings findings;
  for (std::size_t i = 0; i < errors.size(); ++i)
    findings.evidence.push_back(
        order(fmt::format("{}, beta = {}", rows[i / betas.size()].label, betas[i % betas.size()]), errors[i]));
  findings.figures.push_back(order_figure(trial, rows, errors));
  const Findings deep = deep_layers(trial);
  findings.evidence.insert(findings.evidence.end(), deep.evidence.begin(), deep.evidence.end());
  findings.figures.insert(findings.figures.end(), deep.figures.begin(), deep.figures.end());
  return findings;
}

Findings control(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows(tau);
  std::vector<Evidence> found(rows.size());
  trial.for_each(rows.size(), [&](std::size_t i) {
    const TableRow& other = rows[(i + 1) % rows.size()];
    found[i] = order(fmt::format("{} against the flow of {}", rows[i].label, other.label),
                     errors_of(trial, rows[i], other, betas[0]));
  });
  return {found, {}};
}

} // namespace

Claim layer_maps() {
  return {.id = "NA-0",
          .aliases = {"tab1", "tab2"},
          .title = "Layers against the flow",
          .source = "arXiv:2510.22026, Tables 1 and 2",
          .statement =
              "The layer maps N(theta + h A), x + h A, x + h N(A), N(theta + h alpha (N(A) - theta)) and "
              "N(theta + h A/sqrt(1+t)) converge to theta_j' = P A_j/s_j of Table 2 at order 1 in h; at h = 1, "
              "the step of real layers, they are far from it on the plateau of orthogonal tokens",
          .hypotheses = "n = 16, d = 8, beta in {1, 4}, r(0) = 2, to t = 5; for h = 1 orthogonal tokens, n = 256, beta "
                        "= 5, r(0) = 1, depth 8, where the cosine after each layer is known exactly",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .cost_seconds = 4.0,
          .check = check,
          .control_text = "layers of one scheme against the flow of the next",
          .control = control};
}

} // namespace normdyn::theorems
