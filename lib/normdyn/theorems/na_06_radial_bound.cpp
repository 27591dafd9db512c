// NA-6a: how small <theta_j, A_j> can be, and for how many tokens it stays positive everywhere.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

constexpr double e = boost::math::constants::e<double>();

// The printed bound.
double printed_bound(double n, double beta) {
  return (std::exp(beta) - (n - 1.0)) / (n * std::exp(beta));
}

// With min_x x e^{beta x} = -1/(e beta) on [-1, 1] for beta >= 1, -e^{-beta} for beta <= 1.
double sharpened_bound(double n, double beta) {
  const double least = beta >= 1.0 ? 1.0 / (e * beta) : std::exp(-beta);
  return (std::exp(beta) - (n - 1.0) * least) / (n * std::exp(beta));
}

// The largest n with a positive sharpened bound: n - 1 < e beta e^beta (beta >= 1), e^{2 beta} (beta <= 1).
std::size_t largest_safe_n(double beta) {
  const double limit = beta >= 1.0 ? e * beta * std::exp(beta) : std::exp(2.0 * beta);
  return static_cast<std::size_t>(std::ceil(limit));
}

// The minimum c itself. At the minimum every other token minimizes (x - c) e^{beta x}: all have the cosine x = c -
// 1/beta, and w = 1 - c solves beta w e^{beta w} = (n - 1)/e; or x = -1, where c - 1/beta < -1.
double exact_minimum(double n, double beta) {
  const double c = 1.0 - boost::math::lambert_w0((n - 1.0) / e) / beta;
  if (c - 1.0 / beta >= -1.0)
    return c;
  const double near = std::exp(2.0 * beta);
  return (near - (n - 1.0)) / (near + (n - 1.0));
}

// Descends <theta_0, A_0> = sum_k w_k x_k, x_k = <theta_0, theta_k>, in the other tokens. Its derivative by x_k is w_k
// (1 + beta (x_k - <theta_0, A_0>)); without the positive w_k it still points downhill, and far tokens do not lag.
void descend(Cloud& cloud, double beta) {
  std::vector<double> cosines(cloud.n_tokens);
  const double step = 0.5 / (1.0 + beta);
  for (int iteration = 0; iteration < 4000; ++iteration) {
    double partition = 0.0, drift = 0.0;
    for (std::size_t k = 0; k < cloud.n_tokens; ++k) {
      cosines[k] = geometry::dot(cloud.token(0), cloud.token(k));
      const double weight = std::exp(beta * (cosines[k] - 1.0));
      partition += weight;
      drift += weight * cosines[k];
    }
    double steepest = 0.0;
    for (std::size_t k = 1; k < cloud.n_tokens; ++k) {
      const double slope = 1.0 + beta * (cosines[k] - drift / partition);
      steepest = std::max(steepest, std::abs(slope) * std::sqrt(std::max(0.0, 1.0 - cosines[k] * cosines[k])));
      const std::span<double> token = std::span(cloud.theta).subspan(k * cloud.dim, cloud.dim);
      for (std::size_t i = 0; i < cloud.dim; ++i)
        token[i] -= step * slope * (cloud.token(0)[i] - cosines[k] * token[i]);
      geometry::normalize(token);
    }
    if (steepest < 1e-9)
      return;
  }
}

struct Case {
  std::size_t n;
  double beta;
  [[nodiscard]] std::string text() const { return fmt::format("n = {}, beta = {}", n, beta); }
};

struct Minimum {
  double pre_ln = 1e300, peri_ln = 1e300; ///< the least radial rate of any token, <theta, A> and <theta, A>/|A|
};

// The least over dimensions and random restarts. The descent only proposes; what counts is the rate of the dynamics.
Minimum minimum(const Trial& trial, const Case& one) {
  constexpr std::uint64_t n_restarts = 6;
  constexpr std::size_t dims[] = {2, 3, 8};
  std::vector<Minimum> found(std::size(dims) * n_restarts);
  trial.for_each(found.size(), [&](std::size_t i) {
    Cloud cloud = uniform_cloud(one.n, dims[i / n_restarts], trial.seed(), i);
    descend(cloud, one.beta);
    const auto least = [&](const schemes::AnyScheme& scheme) {
      const Subject subject = trial.laboratory().prepare({.scheme = scheme, .beta = one.beta}, cloud);
      const dynamics::Motion motion = motion_at_start(subject);
      return *std::min_element(motion.radial_rate.begin(), motion.radial_rate.end());
    };
    found[i] = {least(schemes::PreLn{}), least(schemes::PeriLn{})};
  });
  Minimum all;
  for (const Minimum& some : found)
    all = {std::min(all.pre_ln, some.pre_ln), std::min(all.peri_ln, some.peri_ln)};
  return all;
}

// What holds at every configuration below the limit of the bound: both rates above it, and pre_ln's at the minimum.
void judge_below(Findings& findings, const Trial& trial, const Case& one, double bound, const std::string& name) {
  const double exact_least = exact_minimum(static_cast<double>(one.n), one.beta);
  const Minimum found = minimum(trial, one);
  findings.evidence.push_back(
      at_least("least r' of pre_ln against the " + name + ", " + one.text(), found.pre_ln, bound, 1e-12));
  findings.evidence.push_back(
      at_least("least r' of peri_ln against the " + name + ", " + one.text(), found.peri_ln, bound, 1e-12));
  findings.evidence.push_back(exact("least r' of pre_ln, " + one.text(), exact_least, found.pre_ln, 1e-10));
}

report::Figure figure(const Trial& trial, double beta) {
  report::Figure figure{.name = "na-06-radial-bound",
                        .title = fmt::format("The least <theta_j, A_j> of all configurations, beta = {}", beta),
                        .x = {.label = "tokens n", .is_logarithmic = true},
                        .y = {.label = "least <theta_j, A_j>"},
                        .curves = {}};
  report::Curve least{.name = "exact minimum", .x = {}, .y = {}}, printed{.name = "printed bound", .x = {}, .y = {}},
      sharpened{.name = "sharpened bound", .x = {}, .y = {}}, found{.name = "minimization", .x = {}, .y = {}};
  printed.style = sharpened.style = report::Curve::Style::dashes;
  found.style = report::Curve::Style::points;
  for (double n = 2.0; n < 130.0; n = std::ceil(n * 1.15)) {
    for (report::Curve* curve : {&least, &printed, &sharpened})
      curve->x.push_back(n);
    least.y.push_back(exact_minimum(n, beta));
    printed.y.push_back(printed_bound(n, beta));
    sharpened.y.push_back(sharpened_bound(n, beta));
  }
  for (const std::size_t n : {2, 4, 8, 16, 32, 64, 128}) {
    found.x.push_back(static_cast<double>(n));
    found.y.push_back(minimum(trial, {n, beta}).pre_ln);
  }
  figure.curves = {least, printed, sharpened, found};
  return figure;
}

Findings check(const Trial& trial) {
  Findings findings;
  for (const double beta : {1.0, 2.0, 3.0, 5.0}) {
    const Case one{static_cast<std::size_t>(std::floor(std::exp(beta))), beta};
    judge_below(findings, trial, one, printed_bound(static_cast<double>(one.n), beta), "printed bound");
  }
  for (const double beta : {0.5, 1.0, 2.0, 3.0}) {
    const Case below{largest_safe_n(beta), beta}, above{below.n + 1, beta};
    judge_below(findings, trial, below, sharpened_bound(static_cast<double>(below.n), beta), "sharpened bound");
    findings.evidence.push_back(
        at_least("least r' just below the limit, " + below.text(), minimum(trial, below).pre_ln, 0.0));
    findings.evidence.push_back(
        at_most("least r' just above the limit, " + above.text(), minimum(trial, above).pre_ln, 0.0));
    findings.evidence.push_back(
        recorded(fmt::format("smallest n with a negative r', beta = {}", beta), static_cast<double>(above.n),
                 fmt::format("{}, where the corollary asks for n <= e^beta = {:.4g}", above.n, std::exp(beta))));
  }
  findings.figures.push_back(figure(trial, 2.0));
  return findings;
}

// n just above the sharpened limit, where some configuration has a token that shrinks.
Findings control(const Trial& trial) {
  Findings findings;
  for (const double beta : {0.5, 2.0}) {
    const Case above{largest_safe_n(beta) + 1, beta};
    judge_below(findings, trial, above, 0.0, "bound 0");
  }
  return findings;
}

} // namespace

Claim radial_bound() {
  return {.id = "NA-6a",
          .aliases = {"NA-6", "corollary-3"},
          .title = "Radii grow at every configuration of few tokens",
          .source = "arXiv:2510.22026, corollary to Theorem 3.1; the sharpened bound is derived here",
          .statement = "For n <= e^beta every token has <theta_j, A_j> >= (e^beta - (n - 1))/(n e^beta) > 0 at every "
                       "configuration; so for n - 1 < e beta e^beta (beta >= 1), n - 1 < e^{2 beta} (beta <= 1), and "
                       "for no larger n",
          .hypotheses = "Q = K = V = I, d >= 2; minimized from random starts in d = 2, 3, 8",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .integrates = false,
          .cost_seconds = 2.0,
          .check = check,
          .control_text = "one token more than the sharpened limit allows",
          .control = control};
}

} // namespace normdyn::theorems
