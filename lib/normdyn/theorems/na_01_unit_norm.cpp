// NA-1: tokens stay on the sphere, the polar form is the Cartesian one, and what bounds the speeds.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/plain_attention.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

using attention::Mask;

constexpr std::size_t n_tokens = 12, dim = 5;
constexpr double beta = 3.0; // n < e^beta, so that no radius shrinks

std::span<const double> row(std::span<const double> block, std::size_t j) {
  return block.subspan(j * dim, dim);
}
const char* mask_name(Mask mask) {
  return mask == Mask::causal ? "causal" : "full";
}

// The largest entry of theta' - P A/s and r' - rate, with A by its definition, s and the rate from Table 2.
Evidence field(const Trial& trial, const TableRow& scheme, Mask mask, double t) {
  const Cloud cloud = gaussian_cloud(n_tokens, dim, trial.seed());
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme.scheme, .attention = {.mask = mask}, .beta = beta}, cloud);
  geometry::State rate(subject.start.size());
  (*subject.equation->on({t, t + 1.0}))(subject.start, rate, t);
  const PlainAttention plain = plain_attention(cloud.theta, dim, beta, {.mask = mask});
  double worst = 0.0;
  for (std::size_t j = 0; j < n_tokens; ++j) {
    std::vector<double> tangent(dim);
    const double radial = geometry::project_tangent(cloud.token(j), plain.of(j, dim), tangent);
    const double norm = geometry::norm(plain.of(j, dim)), s = scheme.scale(cloud.radius[j], norm, t);
    for (std::size_t i = 0; i < dim; ++i)
      worst = std::max(worst, std::abs(rate[j * dim + i] - tangent[i] / s));
    if (scheme.has_radius())
      worst = std::max(worst, std::abs(rate[n_tokens * dim + j] - scheme.growth(radial, norm, t)));
  }
  return vanishing(fmt::format("theta' - P A/s and r' of {} at t = {}, {} mask", scheme.label, t, mask_name(mask)),
                   worst, 1e-14);
}

// x' = A under Pre-LN, x' = A/|A| under Peri-LN, as the Cartesian variables move.
Evidence cartesian_field(const Trial& trial, const schemes::AnyScheme& scheme, bool by_direction) {
  const Cloud cloud = gaussian_cloud(n_tokens, dim, trial.seed());
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme, .beta = beta, .variables = dynamics::Variables::cartesian}, cloud);
  geometry::State rate(subject.start.size());
  (*subject.equation->on({0.0, 1.0}))(subject.start, rate, 0.0);
  const PlainAttention plain = plain_attention(cloud.theta, dim, beta);
  double worst = 0.0;
  for (std::size_t j = 0; j < n_tokens; ++j) {
    const double length = by_direction ? geometry::norm(plain.of(j, dim)) : 1.0;
    for (std::size_t i = 0; i < dim; ++i)
      worst = std::max(worst, std::abs(rate[j * dim + i] - plain.of(j, dim)[i] / length));
  }
  return vanishing(fmt::format("x' - {} of {}", by_direction ? "A/|A|" : "A", schemes::name_of(scheme)), worst, 1e-14);
}

Evidence unit_norm(const Trial& trial, const TableRow& scheme) {
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme.scheme, .beta = beta}, gaussian_cloud(n_tokens, dim, trial.seed()));
  double worst = 0.0;
  const auto end = follow(subject, {0.0, 20.0}, trial.options(1e-9), {}, [&](const observables::Frame& frame) {
    worst = std::max(worst, norm_error(frame.theta, dim));
    return false;
  });
  return vanishing(fmt::format("| |theta| - 1 | at every step to t = 20, {}", scheme.label),
                   end.outcome.is_failure() ? 1.0 : worst, 1e-14);
}

// Directions and radii at the given times, one row per time.
struct Course {
  std::vector<std::vector<double>> theta, radius;
};

Course course(const Subject& subject, const integrate::SolveOptions& options, const std::vector<double>& times) {
  Course seen;
  follow(subject, {0.0, times.back()}, options, {.times = times}, [&](const observables::Frame& frame) {
    seen.theta.emplace_back(frame.theta.begin(), frame.theta.end());
    seen.radius.emplace_back(frame.radius.begin(), frame.radius.end());
    return false;
  });
  return seen;
}

// The largest difference of the first `count` entries of each row; infinity if a run has ended early.
double difference(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b,
                  std::size_t n_times, std::size_t count) {
  if (a.size() != n_times || b.size() != n_times)
    return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (std::size_t k = 0; k < n_times; ++k)
    for (std::size_t i = 0; i < count; ++i)
      worst = std::max(worst, std::abs(a[k].at(i) - b[k].at(i)));
  return worst;
}

const std::vector<double>& course_times() {
  static const std::vector<double> times = integrate::linear_grid(0.5, 10.0, 20);
  return times;
}

// The radius of the first token in both forms, and its bound.
report::Figure radius_figure(const TableRow& scheme, const Course& polar, const Course& cartesian, double r0) {
  using Style = report::Curve::Style;
  const auto first = [](const Course& of) {
    std::vector<double> radius;
    for (const std::vector<double>& all : of.radius)
      radius.push_back(all.front());
    return radius;
  };
  std::vector<double> bound = course_times();
  std::for_each(bound.begin(), bound.end(), [r0](double& t) { t += r0; });
  return {.name = fmt::format("na-01-radius-{}", schemes::name_of(scheme.scheme)),
          .title =
              fmt::format("Radius of one token of {}, n = {}, d = {}, beta = {}", scheme.label, n_tokens, dim, beta),
          .x = {"t"},
          .y = {"r"},
          .curves = {{"polar form", course_times(), first(polar), Style::line},
                     {"Cartesian form", course_times(), first(cartesian), Style::points},
                     {"bound r(0) + t", course_times(), bound, Style::dashes}}};
}

Findings polar_against_cartesian(const Trial& trial, const TableRow& scheme) {
  const Cloud cloud = gaussian_cloud(n_tokens, dim, trial.seed());
  const auto run = [&](dynamics::Variables variables) {
    const Subject subject =
        trial.laboratory().prepare({.scheme = scheme.scheme, .beta = beta, .variables = variables}, cloud);
    return course(subject, trial.options(1e-10), course_times());
  };
  const Course polar = run(dynamics::Variables::polar), cartesian = run(dynamics::Variables::cartesian);
  const std::size_t n_times = course_times().size();
  return {{vanishing(fmt::format("directions, polar against Cartesian to t = 10, {}", scheme.label),
                     difference(polar.theta, cartesian.theta, n_times, n_tokens * dim), 1e-8),
           vanishing(fmt::format("radii, polar against Cartesian to t = 10, {}", scheme.label),
                     difference(polar.radius, cartesian.radius, n_times, n_tokens), 1e-8)},
          {radius_figure(scheme, polar, cartesian, cloud.radius.front())}};
}

// |A_j| <= max |V theta|, and r_j(t) <= r_j(0) + t if |V| <= 1, with random Q and K.
std::vector<Evidence> speed_bounds(const Trial& trial, const TableRow& scheme, const char* value_text,
                                   const attention::Matrix& value) {
  attention::Weights weights;
  weights.query.matrix = random_matrix(dim, 1.0, core::Purpose::query_weights, trial.seed());
  weights.key.matrix = random_matrix(dim, 1.0, core::Purpose::key_weights, trial.seed());
  weights.value.matrix = value;
  const Cloud cloud = gaussian_cloud(n_tokens, dim, trial.seed());
  const Subject subject = trial.laboratory().prepare({.scheme = scheme.scheme,
                                                      .weights = fixed_weights(std::move(weights)),
                                                      .beta = beta,
                                                      .variables = dynamics::Variables::cartesian},
                                                     cloud);
  double drift = 0.0, growth = 0.0;
  const auto end =
      follow(subject, {0.0, 20.0}, trial.options(1e-8), {.with_motion = true}, [&](const observables::Frame& frame) {
        for (std::size_t j = 0; j < n_tokens; ++j) {
          drift = std::max(drift, geometry::norm(row(frame.drift, j)));
          if (frame.time > 0.0)
            growth = std::max(growth, (frame.radius[j] - cloud.radius[j]) / frame.time);
        }
        return false;
      });
  if (end.outcome.is_failure())
    drift = growth = std::numeric_limits<double>::infinity();
  return {at_most(fmt::format("largest |A_j| to t = 20, V = {}, {}", value_text, scheme.label), drift, 1.0, 1e-14),
          at_most(fmt::format("largest (r_j(t) - r_j(0))/t to t = 20, V = {}, {}", value_text, scheme.label), growth,
                  1.0, 1e-7)};
}

// Under a causal mask token 1 sees itself alone, and tokens 1 ... m do not see the rest.
std::vector<Evidence> causal_prefix(const Trial& trial, const TableRow& scheme) {
  constexpr std::size_t m = 5;
  const Cloud cloud = gaussian_cloud(n_tokens, dim, trial.seed());
  const Cloud head{.n_tokens = m,
                   .dim = dim,
                   .theta = geometry::State(cloud.theta.begin(), cloud.theta.begin() + m * dim),
                   .radius = geometry::State(cloud.radius.begin(), cloud.radius.begin() + m)};
  const auto run = [&](const Cloud& start) {
    const Subject subject =
        trial.laboratory().prepare({.scheme = scheme.scheme, .attention = {.mask = Mask::causal}, .beta = beta}, start);
    return course(subject, trial.options(1e-10), course_times());
  };
  const Course all = run(cloud), alone = run(head);
  const std::vector<std::vector<double>> still(course_times().size(),
                                               std::vector<double>(cloud.theta.begin(), cloud.theta.end()));
  return {
      vanishing(fmt::format("way of the first token under a causal mask to t = 10, {}", scheme.label),
                difference(all.theta, still, course_times().size(), dim), 1e-13),
      vanishing(fmt::format("tokens 1 ... {} of {} against those tokens alone, causal, {}", m, n_tokens, scheme.label),
                difference(all.theta, alone.theta, course_times().size(), m * dim), 1e-8)};
}

void append(Findings& to, const Findings& more) {
  to.evidence.insert(to.evidence.end(), more.evidence.begin(), more.evidence.end());
  to.figures.insert(to.figures.end(), more.figures.begin(), more.figures.end());
}

Findings of_scheme(const Trial& trial, const TableRow& scheme) {
  Findings findings;
  for (const Mask mask : {Mask::full, Mask::causal})
    for (const double t : {0.5, 5.0})
      findings.evidence.push_back(field(trial, scheme, mask, t));
  findings.evidence.push_back(unit_norm(trial, scheme));
  append(findings, {causal_prefix(trial, scheme), {}});
  if (!scheme.has_radius())
    return findings;
  append(findings, polar_against_cartesian(trial, scheme));
  append(findings, {speed_bounds(trial, scheme, "I", attention::Matrix::Identity(dim, dim)), {}});
  append(
      findings,
      {speed_bounds(trial, scheme, "random", random_matrix(dim, 1.0, core::Purpose::value_weights, trial.seed())), {}});
  return findings;
}

Findings check(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows();
  std::vector<Findings> found(rows.size());
  trial.for_each(rows.size(), [&](std::size_t i) { found[i] = of_scheme(trial, rows[i]); });
  Findings findings;
  for (const Findings& some : found)
    append(findings, some);
  findings.evidence.push_back(cartesian_field(trial, schemes::PreLn{}, false));
  findings.evidence.push_back(cartesian_field(trial, schemes::PeriLn{}, true));
  return findings;
}

Findings control(const Trial& trial) {
  Findings findings;
  for (const TableRow& scheme : table_rows())
    if (scheme.has_radius())
      append(findings, {speed_bounds(trial, scheme, "3/2 I", 1.5 * attention::Matrix::Identity(dim, dim)), {}});
  return findings;
}

} // namespace

Claim unit_norm_and_speed() {
  return {.id = "NA-1",
          .aliases = {"tab2-polar"},
          .title = "Unit norm, polar and Cartesian form, bounds of the speeds",
          .source = "arXiv:2510.22026, Table 2",
          .statement = "theta_j' = P A_j/s_j keeps |theta_j| = 1; with x = r theta, Pre-LN is x' = A and Peri-LN is "
                       "x' = A/|A|; |A_j| <= max |V theta|, so that r_j(t) <= r_j(0) + t if |V| <= 1; under a causal "
                       "mask token 1 stands still if V = I, and later tokens move no earlier one",
          .hypotheses = "n = 12, d = 5, beta = 3, normal tokens; for the bounds random Q, K, V of norm 1",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .cost_seconds = 0.3,
          .check = check,
          .control_text = "V = 3/2 I, longer than the bounds allow",
          .control = control};
}

} // namespace normdyn::theorems
