// NA-18: in a narrow cone, how many votes a token of large norm has in the consensus.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"

#include <boost/math/quadrature/exp_sinh.hpp>
#include <fmt/format.h>

#include <cmath>

namespace normdyn::theorems {
namespace {

constexpr std::size_t n_tokens = 16, dim = 8;
constexpr double beta = 1.0;
constexpr double narrow = 1e-8; // 1 - cosine, so that angles are 1e-4 and what is neglected is of relative size 1e-8

// I(M, n) = int_0^inf M (M + s)^{-1-1/n} (1 + s)^{-1+1/n} ds
double predicted_votes(double mass, double n) {
  const auto integrand = [&](double s) {
    return mass * std::pow(mass + s, -1.0 - 1.0 / n) * std::pow(1.0 + s, -1.0 + 1.0 / n);
  };
  return boost::math::quadrature::exp_sinh<double>().integrate(integrand, 1e-12);
}

// n times the weight of token 0 in the consensus. With the consensus c as origin of the central projection theta ->
// theta/<theta, c>, the mean of the other tokens and token 0 lie on opposite sides of 0 in the ratio of their weights.
double votes(const Cloud& start, std::span<const double> consensus) {
  std::vector<double> massive(start.dim), others(start.dim, 0.0);
  for (std::size_t j = 0; j < start.n_tokens; ++j) {
    const double along = geometry::dot(start.token(j), consensus);
    for (std::size_t i = 0; i < start.dim; ++i) {
      const double position = start.token(j)[i] / along - consensus[i];
      if (j == 0)
        massive[i] = position;
      else
        others[i] += position / static_cast<double>(start.n_tokens - 1);
    }
  }
  double pull = 0.0;
  for (std::size_t i = 0; i < start.dim; ++i)
    pull -= others[i] * (massive[i] - others[i]);
  return static_cast<double>(start.n_tokens) * pull / geometry::distance_squared(massive, others);
}

struct Case {
  schemes::AnyScheme scheme;
  double mass;
  double delta = narrow;
  attention::Mask mask = attention::Mask::full;
};

double measured_votes(const Trial& trial, const Case& one) {
  Cloud start = cone_cloud(n_tokens, dim, one.delta, trial.seed());
  start.radius[0] = one.mass;
  const dynamics::TokenModel model{.scheme = one.scheme, .attention = {.mask = one.mask}, .beta = beta};
  const Subject subject = trial.laboratory().prepare(model, start);
  // Without radii all is over at t = 40; with them, what comes after T changes the votes by M/T.
  const double end = schemes::has_radius(one.scheme) ? 1e7 * one.mass : 40.0;
  const auto summary = follow(subject, {0.0, end}, trial.options(1e-9, integrate::ErrorScale::spread), {.times = {end}},
                              [](const observables::Frame&) { return false; });
  if (summary.outcome.kind != integrate::Outcome::Kind::completed)
    return Evidence::none;
  const Cloud merged = cloud_of(*subject.equation, summary.final_state);
  std::vector<double> consensus(dim, 0.0);
  for (std::size_t j = 0; j < n_tokens; ++j)
    for (std::size_t i = 0; i < dim; ++i)
      consensus[i] += merged.token(j)[i];
  geometry::normalize(consensus);
  return votes(start, consensus);
}

std::vector<double> measure(const Trial& trial, const std::vector<Case>& all) {
  std::vector<double> found(all.size());
  trial.for_each(all.size(), [&](std::size_t i) { found[i] = measured_votes(trial, all[i]); });
  return found;
}

Evidence judge(const Case& one, double measured) {
  const double n = static_cast<double>(n_tokens);
  const double predicted = schemes::has_radius(one.scheme) ? predicted_votes(one.mass, n) : 1.0;
  return exact(fmt::format("votes of a token of norm {}, {}, n = {}", one.mass, schemes::name_of(one.scheme), n_tokens),
               predicted, measured, 1e-6);
}

constexpr double masses[] = {1.0, 2.0, 10.0, 30.0, 100.0, 300.0, 1000.0};

report::Figure figure(const std::vector<Case>& all, const std::vector<double>& found) {
  report::Figure figure{.name = "na-18-votes",
                        .title =
                            fmt::format("Votes of a massive token in a narrow cone, n = {}, beta = {}", n_tokens, beta),
                        .x = {.label = "norm M of the token", .is_logarithmic = true},
                        .y = {.label = "votes"},
                        .curves = {}};
  report::Curve finite{.name = "I(M, 16)", .x = {}, .y = {}, .style = report::Curve::Style::dashes};
  report::Curve infinite{.name = "M ln M/(M - 1), n to infinity", .x = {}, .y = {}, .style = finite.style};
  for (double log_mass = 0.02; log_mass < 3.0; log_mass += 0.04) {
    const double mass = std::pow(10.0, log_mass);
    finite.x.push_back(mass);
    finite.y.push_back(predicted_votes(mass, static_cast<double>(n_tokens)));
    infinite.x.push_back(mass);
    infinite.y.push_back(mass * std::log(mass) / (mass - 1.0));
  }
  figure.curves = {finite, infinite};
  for (const char* name : {"pre_ln", "peri_ln", "post_ln"}) {
    report::Curve curve{.name = name, .x = {}, .y = {}, .style = report::Curve::Style::points};
    for (std::size_t i = 0; i < all.size(); ++i)
      if (schemes::name_of(all[i].scheme) == name) {
        curve.x.push_back(all[i].mass);
        curve.y.push_back(found[i]);
      }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

Findings check(const Trial& trial) {
  Findings findings;
  std::vector<Case> all;
  for (const schemes::AnyScheme& scheme : {schemes::AnyScheme(schemes::PreLn{}), schemes::AnyScheme(schemes::PeriLn{}),
                                           schemes::AnyScheme(schemes::PostLn{})})
    for (const double mass : masses)
      all.push_back({scheme, mass});
  const std::vector<double> found = measure(trial, all);
  for (std::size_t i = 0; i < all.size(); ++i)
    findings.evidence.push_back(judge(all[i], found[i]));
  findings.figures.push_back(figure(all, found));

  std::vector<Case> wide;
  for (const double delta : {0.01, 0.1, 0.5})
    for (const double mass : {10.0, 1000.0})
      wide.push_back({schemes::PreLn{}, mass, delta});
  const std::vector<double> beyond = measure(trial, wide);
  for (std::size_t i = 0; i < wide.size(); ++i)
    findings.evidence.push_back(recorded(
        fmt::format("votes of a token of norm {}, pre_ln, cosines >= {}", wide[i].mass, 1.0 - wide[i].delta), beyond[i],
        fmt::format("{:.4g}, in a narrow cone {:.4g}", beyond[i],
                    predicted_votes(wide[i].mass, static_cast<double>(n_tokens)))));
  return findings;
}

// The first token sees only itself under a causal mask, and leads all others.
Findings control(const Trial& trial) {
  std::vector<Case> all;
  for (const double mass : {10.0, 1000.0})
    all.push_back({schemes::PreLn{}, mass, narrow, attention::Mask::causal});
  const std::vector<double> found = measure(trial, all);
  Findings findings;
  for (std::size_t i = 0; i < all.size(); ++i)
    findings.evidence.push_back(judge(all[i], found[i]));
  return findings;
}

} // namespace

Claim votes_of_a_massive_token() {
  return {.id = "NA-18",
          .aliases = {"votes"},
          .title = "Votes of a massive token",
          .source = "derived here",
          .statement = "In a narrow cone one token of norm M among n - 1 of norm 1 has "
                       "int_0^inf M (M + s)^{-1-1/n} (1 + s)^{-1+1/n} ds votes in the consensus of pre_ln and peri_ln "
                       "(M ln M/(M - 1) for large n), and one vote in that of post_ln",
          .hypotheses = "V = I, full attention, all cosines near 1",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .is_of_paper = false,
          .cost_seconds = 1.0,
          .check = check,
          .control_text = "a causal mask, under which the first token leads",
          .control = control};
}

} // namespace normdyn::theorems
