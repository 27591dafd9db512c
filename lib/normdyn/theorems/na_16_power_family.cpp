// NA-16: between Post-LN and Pre-LN, and beyond: radii that slow tokens down by a power.
#include "normdyn/analysis/decay_fits.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/formulas.hpp"
#include "normdyn/theorems/starts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::theorems {
namespace {

constexpr std::size_t dim = 4, n_seeds = 6;

struct Member {
  double p, q;
  attention::Mask mask = attention::Mask::full;
  std::size_t n_tokens = 8;
  [[nodiscard]] std::string text() const {
    return fmt::format("p = {}, q = {}{}", p, q, mask == attention::Mask::causal ? ", two tokens, causal mask" : "");
  }
  [[nodiscard]] schemes::AnyScheme scheme() const {
    return formula_scheme(fmt::format("r^{} * norm_A^{}", p, q), fmt::format("r^{} * A_r / norm_A^{}", 1.0 - p, q));
  }
  // The window of the fit: past the approach to the cone, before the variance meets rounding.
  [[nodiscard]] double begin() const { return p > 0.0 ? 50.0 : 5.0; }
  [[nodiscard]] double end() const { return p > 0.0 ? 500.0 : 13.0; }
};

struct Course {
  std::vector<double> times{}, variances{}, log_derivatives{}, radii{};
};

// Var'/Var = 2 sum_j <theta_j - mean, theta_j'> / sum_j |theta_j - mean|^2 with theta_j' = P A_j/s_j.
double log_derivative(const observables::Frame& frame) {
  const std::size_t n = frame.n_tokens, d = frame.dim;
  std::vector<double> offset(n * d), mean(d, 0.0), rate(d);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < d; ++i) {
      offset[j * d + i] = frame.theta[j * d + i] - frame.theta[i];
      mean[i] += offset[j * d + i] / static_cast<double>(n);
    }
  double change = 0.0, total = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    geometry::project_tangent(frame.token(j), frame.drift.subspan(j * d, d), rate);
    for (std::size_t i = 0; i < d; ++i) {
      const double off = offset[j * d + i] - mean[i];
      change += 2.0 * off * rate[i] * frame.speed[j];
      total += off * off;
    }
  }
  return change / total;
}

Course run(const Trial& trial, const Member& member, std::uint64_t seed_member) {
  const Subject subject = trial.laboratory().prepare({.scheme = member.scheme(), .attention = {.mask = member.mask}},
                                                     cone_cloud(member.n_tokens, dim, 0.5, trial.seed(), seed_member));
  Course course;
  constexpr int n_samples = 60;
  for (int i = 0; i <= n_samples; ++i)
    course.times.push_back(member.begin() *
                           std::pow(member.end() / member.begin(), i / static_cast<double>(n_samples)));
  follow(subject, {0.0, member.end()}, trial.options(1e-9, integrate::ErrorScale::spread),
         {.times = course.times, .with_motion = true}, [&](const observables::Frame& frame) {
           course.variances.push_back(variance(frame.theta, frame.dim));
           course.log_derivatives.push_back(log_derivative(frame));
           course.radii.push_back(frame.radius[0]);
           return false;
         });
  return course;
}

// The exponent, or at p = 0 the rate; NaN, which fails, where the fit refuses.
double measured_exponent(const Member& member, const Course& course) {
  if (course.variances.size() != course.times.size())
    return Evidence::none;
  const analysis::Decay decay = analysis::decay_of(course.times, course.variances, course.log_derivatives);
  if (member.p == 0.0) {
    const auto fit = analysis::fit_exponential(decay);
    const auto* good = std::get_if<analysis::ExponentialFit>(&fit);
    return good ? good->rate.value : Evidence::none;
  }
  const auto fit = analysis::fit_power(decay);
  const auto* good = std::get_if<analysis::PowerFit>(&fit);
  return good ? good->exponent.value : Evidence::none;
}

// (r^p)' / p, which is <theta, A>/|A|^q and tends to 1; at p = 0 (log r)'.
double growth(const Member& member, const Course& course) {
  if (course.radii.size() != course.times.size())
    return Evidence::none;
  const auto power = [&](double r) { return member.p > 0.0 ? std::pow(r, member.p) / member.p : std::log(r); };
  return (power(course.radii.back()) - power(course.radii.front())) / (course.times.back() - course.times.front());
}

// `linear_rate`: of the variance near consensus, by int dt/s: 2 with full attention.
void judge(Findings& findings, const Member& member, const std::vector<Course>& courses, double linear_rate) {
  std::vector<double> exponents;
  for (const Course& course : courses)
    exponents.push_back(measured_exponent(member, course));
  const bool is_power = member.p > 0.0;
  findings.evidence.push_back(rate((is_power ? "exponent of Var(t), " : "rate of Var(t), ") + member.text(),
                                   is_power ? linear_rate / member.p : linear_rate, analysis::mean_estimate(exponents),
                                   0.01));
  findings.evidence.push_back(
      exact((is_power ? "(r^p)'/p, " : "(log r)', ") + member.text(), 1.0, growth(member, courses.front()), 1e-3));
}

std::vector<std::vector<Course>> run_all(const Trial& trial, const std::vector<Member>& members) {
  std::vector<std::vector<Course>> courses(members.size(), std::vector<Course>(n_seeds));
  trial.for_each(members.size() * n_seeds, [&](std::size_t i) {
    courses[i / n_seeds][i % n_seeds] = run(trial, members[i / n_seeds], i % n_seeds);
  });
  return courses;
}

report::Figure figure(const std::vector<Member>& members, const std::vector<std::vector<Course>>& courses) {
  report::Figure figure{.name = "na-16-power-family",
                        .title = fmt::format("Variance under s = r^p, n = 8, d = {}, beta = 1", dim),
                        .x = {.label = "t + r(0)^p/p", .is_logarithmic = true},
                        .y = {.label = "Var", .is_logarithmic = true},
                        .curves = {}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    if (member.q != 0.0 || member.p == 0.0)
      continue;
    const Course& course = courses[i].front();
    report::Curve measured{.name = fmt::format("p = {}", member.p), .x = {}, .y = {}}, predicted;
    predicted.style = report::Curve::Style::dashes;
    measured.style = report::Curve::Style::points;
    for (std::size_t k = 0; k < course.variances.size(); ++k) {
      const double shifted = course.times[k] + 1.0 / member.p;
      measured.x.push_back(shifted);
      measured.y.push_back(course.variances[k]);
      predicted.x.push_back(shifted);
      predicted.y.push_back(course.variances.back() *
                            std::pow(shifted / (course.times.back() + 1.0 / member.p), -2.0 / member.p));
    }
    figure.curves.push_back(std::move(measured));
    figure.curves.push_back(std::move(predicted));
  }
  return figure;
}

void judge_all(Findings& findings, const std::vector<Member>& members, const std::vector<std::vector<Course>>& courses,
               double linear_rate) {
  for (std::size_t i = 0; i < members.size(); ++i)
    judge(findings, members[i], courses[i], linear_rate);
}

// Under a causal mask the first of two tokens stays, and they approach each other at half the rate.
std::vector<Member> causal_pairs() {
  return {{0.0, 0.5, attention::Mask::causal, 2},
          {0.5, 0.5, attention::Mask::causal, 2},
          {1.0, 0.0, attention::Mask::causal, 2}};
}

Findings check(const Trial& trial) {
  std::vector<Member> members;
  for (const double p : {0.0, 0.25, 0.5, 0.75, 1.0})
    for (const double q : {0.0, 0.5, 1.0})
      members.push_back({p, q});
  const std::vector<std::vector<Course>> courses = run_all(trial, members);
  Findings findings;
  judge_all(findings, members, courses, 2.0);
  judge_all(findings, causal_pairs(), run_all(trial, causal_pairs()), 1.0);
  findings.figures.push_back(figure(members, courses));
  return findings;
}

Findings control(const Trial& trial) {
  Findings findings;
  judge_all(findings, causal_pairs(), run_all(trial, causal_pairs()), 2.0);
  return findings;
}

} // namespace

Claim power_family() {
  return {.id = "NA-16",
          .aliases = {"power-family"},
          .title = "A family between exponential and polynomial collapse",
          .source = "derived here",
          .statement =
              "Under x_j' = r_j^{1-p} A_j/|A_j|^q, that is s = r^p |A|^q, radii grow like (p t)^{1/p} and the "
              "variance falls like t^{-2/p} for p > 0, like e^{-2t} for p = 0, whatever q; with two tokens under "
              "a causal mask like t^{-1/p} and e^{-t}",
          .hypotheses = "V = I, tokens that converge to one point; full attention but for the last statement",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .is_of_paper = false,
          .cost_seconds = 2.0,
          .check = check,
          .control_text = "two tokens under a causal mask, judged as if attention were full",
          .control = control};
}

} // namespace normdyn::theorems
