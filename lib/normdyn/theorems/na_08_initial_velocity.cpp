// NA-8: how fast orthogonal tokens approach each other at first, and that they stay equiangular.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/reduced/table.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::theorems {
namespace {

using geometry::dot;

constexpr double initial_radius = 2.0; // not 1, so that a forgotten radius shows

// gamma'(0) = 2/s(0) times 1/(e^beta + n - 1), with |A| = sqrt(e^{2 beta} + n - 1)/(e^beta + n - 1).
double predicted_velocity(const schemes::AnyScheme& scheme, double n, double beta) {
  const std::string_view name = schemes::name_of(scheme);
  const double partition = std::exp(beta) + n - 1.0, length = std::sqrt(std::exp(2.0 * beta) + n - 1.0);
  if (name == "pre_ln")
    return 2.0 / (initial_radius * partition);
  if (name == "peri_ln")
    return 2.0 / (initial_radius * length);
  return 2.0 / (name == "ngpt" ? length : partition);
}

// d/dt <theta_j, theta_k> of the pair that is farthest from the prediction.
double worst_velocity(const Subject& subject, std::size_t n, double predicted) {
  const geometry::State& x = subject.start;
  geometry::State rate(x.size());
  (*subject.equation->on({0.0, 1.0}))(x, rate, 0.0);
  const std::size_t dim = subject.equation->layout().dim;
  const auto row = [dim](const geometry::State& of, std::size_t j) { return std::span(of).subspan(j * dim, dim); };
  double worst = predicted;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 1; k < n; ++k) {
      const double velocity = dot(row(rate, j), row(x, k)) + dot(row(x, j), row(rate, k));
      if (!(std::abs(velocity - predicted) <= std::abs(worst - predicted)))
        worst = velocity;
    }
  return worst;
}

struct Case {
  std::size_t n;
  double beta;
  schemes::AnyScheme scheme;
  [[nodiscard]] std::string text() const {
    return fmt::format("{}, n = {}, beta = {}", schemes::name_of(scheme), n, beta);
  }
};

std::vector<Case> cases(std::initializer_list<std::size_t> sizes) {
  std::vector<Case> all;
  for (const std::size_t n : sizes)
    for (const double beta : {0.0, 1.0, 5.0})
      for (const schemes::AnyScheme& scheme : table_schemes())
        all.push_back({n, beta, scheme});
  return all;
}

Evidence velocity(const Trial& trial, const Case& one, double cosine) {
  const Subject subject = trial.laboratory().prepare({.scheme = one.scheme, .beta = one.beta},
                                                     equiangular_cloud(one.n, one.n, cosine, initial_radius));
  const double predicted = predicted_velocity(one.scheme, static_cast<double>(one.n), one.beta);
  return exact("gamma'(0), " + one.text(), predicted, worst_velocity(subject, one.n, predicted), 1e-12);
}

// Along a run: how far the pairs drift apart, and from the reduced equation.
std::vector<Evidence> course(const Trial& trial, const Case& one) {
  const std::vector<double> times{0.5, 2.0, 5.0, 10.0};
  const reduced::EquiangularEquation equation({.scheme = one.scheme, .n_tokens = one.n, .beta = one.beta},
                                              initial_radius);
  const auto exact_rows = reduced::tabulate(equation, 0.0, 0.0, times).rows;
  double apart = 0.0, off = 0.0;
  std::size_t row = 0;
  const Subject subject = trial.laboratory().prepare({.scheme = one.scheme, .beta = one.beta},
                                                     orthogonal_cloud(one.n, one.n, initial_radius));
  follow(subject, {0.0, times.back()}, trial.options(1e-11), {.times = times}, [&](const observables::Frame& frame) {
    double low = 2.0, high = 0.0;
    for (std::size_t j = 0; j < one.n; ++j)
      for (std::size_t k = j + 1; k < one.n; ++k) {
        low = std::min(low, gap(frame.theta, frame.dim, j, k));
        high = std::max(high, gap(frame.theta, frame.dim, j, k));
      }
    apart = std::max(apart, high - low);
    off = std::max({off, std::abs(high - exact_rows.at(row).gap), std::abs(low - exact_rows.at(row).gap)});
    ++row;
    return false;
  });
  const double missing = row == times.size() ? 0.0 : 1.0; // a run that ended early has shown nothing
  return {vanishing("spread of the cosines to t = 10, " + one.text(), apart + missing, 1e-9),
          vanishing("gamma(t) against the reduced equation, " + one.text(), off + missing, 1e-8)};
}

Findings check(const Trial& trial) {
  Findings findings;
  for (const Case& one : cases({64, 256}))
    findings.evidence.push_back(velocity(trial, one, 0.0));
  const std::vector<Case> runs = cases({64});
  std::vector<std::vector<Evidence>> found(runs.size());
  trial.for_each(runs.size(), [&](std::size_t i) { found[i] = course(trial, runs[i]); });
  for (const std::vector<Evidence>& some : found)
    findings.evidence.insert(findings.evidence.end(), some.begin(), some.end());
  return findings;
}

Findings control(const Trial& trial) {
  Findings findings;
  for (const Case& one : cases({64}))
    findings.evidence.push_back(velocity(trial, one, 0.1));
  return findings;
}

} // namespace

Claim initial_velocity() {
  return {.id = "NA-8",
          .aliases = {"thm4.1", "thm4.1-initial", "tab2-initial"},
          .title = "Initial velocity of orthogonal tokens",
          .source = "arXiv:2510.22026, Theorem 4.1",
          .statement =
              "All pairwise cosines stay equal to one gamma(t), and gamma'(0) = 2/(e^beta + n - 1) for post_ln, "
              "mix_ln and sqrt_scaling, 2/(r0 (e^beta + n - 1)) for pre_ln, 2/(r0 sqrt(e^{2 beta} + n - 1)) for "
              "peri_ln, 2 alpha(0)/sqrt(e^{2 beta} + n - 1) for ngpt",
          .hypotheses = "Q = K = V = I, orthonormal directions (d >= n), equal radii r0",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .cost_seconds = 4.0,
          .check = check,
          .control_text = "tokens at cosine 0.1 instead of orthogonal ones",
          .control = control};
}

} // namespace normdyn::theorems
