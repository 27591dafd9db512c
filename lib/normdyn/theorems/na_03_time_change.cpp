// NA-3: schemes whose scales agree up to a common factor trace one curve, each by its own clock.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/reduced/quadrature.hpp"
#include "normdyn/reduced/two_tokens.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/gauss_panels.hpp"
#include "normdyn/theorems/plain_attention.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace normdyn::theorems {
namespace {

using attention::Mask;

constexpr std::size_t n_tokens = 16, dim = 5;
constexpr double beta = 3.0, tolerance = 1e-11, allowed = 1e-8;

// Beginning with 0; each twice the one before, since radii grow like t.
const std::vector<double>& moments() {
  static const std::vector<double> times{0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 50.0};
  return times;
}

using States = std::vector<std::vector<double>>;

// Directions at times > 0.
States directions(const Trial& trial, const schemes::AnyScheme& scheme, const Cloud& cloud, std::vector<double> times) {
  States seen;
  const Subject subject = trial.laboratory().prepare({.scheme = scheme, .beta = beta}, cloud);
  const double end = times.back();
  follow(subject, {0.0, end}, trial.options(tolerance), {.times = std::move(times)},
         [&](const observables::Frame& frame) {
           seen.emplace_back(frame.theta.begin(), frame.theta.end());
           return false;
         });
  return seen;
}

std::vector<double> without_first(const std::vector<double>& values) {
  return {values.begin() + 1, values.end()};
}

// The largest distance of two runs at the moments; infinity if one has ended early.
double distance(const States& a, const States& b) {
  if (a.size() + 1 != moments().size() || b.size() != a.size())
    return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i)
      worst = std::max(worst, std::abs(a[k][i] - b[k][i]));
  return worst;
}

// `scheme` at t against `base` at clock(t), from tokens that differ in everything.
Evidence by_clock(const Trial& trial, const char* text, const schemes::AnyScheme& scheme,
                  const schemes::AnyScheme& base, double (*clock)(double)) {
  const Cloud cloud = gaussian_cloud(n_tokens, dim, trial.seed());
  std::vector<double> clocks;
  for (const double t : without_first(moments()))
    clocks.push_back(clock(t));
  const States slow = directions(trial, scheme, cloud, without_first(moments()));
  return vanishing(fmt::format("{}, to t = 50", text), distance(slow, directions(trial, base, cloud, clocks)), allowed);
}

// The orbit of one token under a rotation of R^5 of order 16, with one radius for all: all tokens see the same, and
// stay so. They turn by 2 pi/16 in one plane and by 6 pi/16 in another, about a fixed axis.
Cloud orbit(std::uint64_t seed, double radius) {
  const Cloud one = uniform_cloud(2, 2, seed);
  const double wide = std::abs(one.theta[0]), narrow = std::abs(one.theta[1]);
  std::vector<double> rows;
  for (std::size_t j = 0; j < n_tokens; ++j) {
    const double turn = 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n_tokens);
    rows.insert(rows.end(), {wide * std::cos(turn), wide * std::sin(turn), narrow * std::cos(3.0 * turn),
                             narrow * std::sin(3.0 * turn), 0.6});
  }
  Cloud cloud = cloud_of_rows(dim, rows);
  std::fill(cloud.radius.begin(), cloud.radius.end(), radius);
  return cloud;
}

// int_0^t mean_j ds/s_j at the moments, with s_j from Table 2 and attention by its definition.
std::vector<double> plain_clock(const Trial& trial, const TableRow& scheme, const Cloud& cloud) {
  const std::vector<double> nodes = gauss_nodes(moments());
  std::vector<double> speeds;
  const Subject subject = trial.laboratory().prepare({.scheme = scheme.scheme, .beta = beta}, cloud);
  follow(subject, {0.0, moments().back()}, trial.options(tolerance), {.times = nodes},
         [&](const observables::Frame& frame) {
           const PlainAttention plain = plain_attention(frame.theta, dim, beta);
           double speed = 0.0;
           for (std::size_t j = 0; j < n_tokens; ++j)
             speed += 1.0 / scheme.scale(scheme.has_radius() ? frame.radius[j] : 1.0, geometry::norm(plain.of(j, dim)),
                                         frame.time);
           speeds.push_back(speed / static_cast<double>(n_tokens));
           return false;
         });
  speeds.resize(nodes.size(), std::numeric_limits<double>::quiet_NaN());
  return gauss_integrals(moments(), speeds);
}

struct ClockedRun {
  std::vector<double> clock, cosine; ///< at the moments > 0
  double distance = 0.0;             ///< from Post-LN at that clock
};

ClockedRun clocked_run(const Trial& trial, const TableRow& scheme, const Cloud& cloud) {
  ClockedRun run;
  run.clock = without_first(plain_clock(trial, scheme, cloud));
  const States slow = directions(trial, scheme.scheme, cloud, without_first(moments()));
  for (const std::vector<double>& theta : slow)
    run.cosine.push_back(mean_cosine(theta, dim));
  run.clock.resize(slow.size());
  run.distance = std::is_sorted(run.clock.begin(), run.clock.end())
                     ? distance(slow, directions(trial, schemes::PostLn{}, cloud, run.clock))
                     : std::numeric_limits<double>::infinity(); // NaN: the run has ended early
  return run;
}

// All schemes from the orbit, against Post-LN at their clocks.
Findings orbits(const Trial& trial) {
  const std::vector<TableRow> rows = table_rows();
  const Cloud cloud = orbit(trial.seed(), 1.5);
  std::vector<ClockedRun> runs(rows.size());
  trial.for_each(
      rows.size(), [&](std::size_t i) { runs[i] = clocked_run(trial, rows[i], cloud); }, 0.3, 0.9);
  Findings findings;
  report::Figure figure{
      .name = "na-03-one-curve",
      .title = fmt::format("Orbit of {} tokens in R^{}, beta = {}, r(0) = 1.5, tau = 3", n_tokens, dim, beta),
      .x = {"int dt/s", true},
      .y = {"mean cosine"},
      .curves = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) // row 0 is Post-LN itself
      findings.evidence.push_back(
          vanishing(fmt::format("{} against post_ln at int dt/s, equal radii, to t = 50", rows[i].label),
                    runs[i].distance, allowed));
    figure.curves.push_back({rows[i].label, runs[i].clock, runs[i].cosine,
                             i == 0 ? report::Curve::Style::dashes : report::Curve::Style::points});
  }
  findings.figures.push_back(std::move(figure));
  return findings;
}

// Two tokens with unequal radii, against the quadrature of two_tokens.hpp.
std::vector<Evidence> two_tokens(const Trial& trial, const schemes::AnyScheme& scheme, Mask mask) {
  Cloud pair = uniform_cloud(2, dim, trial.seed());
  pair.radius = {0.6, 2.1};
  const double cosine = 1.0 - gap(pair.theta, dim, 0, 1);
  const reduced::TwoTokenCurve<double> curve(beta, reduced::Equiangular<double>(2, beta).log_ratio(cosine), {0.6, 2.1},
                                             mask == Mask::full ? reduced::TwoTokenMask::full
                                                                : reduced::TwoTokenMask::causal);
  const std::vector<double> times = without_first(moments());
  const auto predicted = reduced::Quadrature(curve, reduced::pace_of(scheme)).at(times);
  const Subject subject =
      trial.laboratory().prepare({.scheme = scheme, .attention = {.mask = mask}, .beta = beta}, pair);
  double angle = 0.0, radius = 0.0;
  std::size_t k = 0;
  follow(subject, {0.0, times.back()}, trial.options(tolerance), {.times = times},
         [&](const observables::Frame& frame) {
           const auto& point = predicted.at(k++);
           const double due = curve.family().position(point.log_ratio).gap;
           angle = std::max(
               angle, std::abs(geometry::angle_from_gap(gap(frame.theta, dim, 0, 1)) - geometry::angle_from_gap(due)));
           for (std::size_t j = 0; j < frame.radius.size(); ++j)
             radius = std::max(radius, std::abs(frame.radius[j] / point.radii[j] - 1.0));
           return false;
         });
  if (k != times.size())
    angle = radius = std::numeric_limits<double>::infinity();
  const std::string text = fmt::format("{} mask, {}", mask == Mask::full ? "full" : "causal", schemes::name_of(scheme));
  std::vector<Evidence> found{vanishing("angle of two tokens against its quadrature, " + text, angle, allowed)};
  if (schemes::has_radius(scheme))
    found.push_back(vanishing("radii of two tokens against theirs, " + text, radius, allowed));
  return found;
}

// A causal pair at 2t against the full pair at t.
Evidence half_speed(const Trial& trial, const schemes::AnyScheme& scheme) {
  const Cloud pair = uniform_cloud(2, dim, trial.seed());
  const auto angles = [&](Mask mask, double factor) {
    std::vector<double> times{0.5, 1.0, 2.0, 4.0}, seen;
    std::for_each(times.begin(), times.end(), [factor](double& t) { t *= factor; });
    const Subject subject =
        trial.laboratory().prepare({.scheme = scheme, .attention = {.mask = mask}, .beta = beta}, pair);
    follow(subject, {0.0, times.back()}, trial.options(tolerance), {.times = times},
           [&](const observables::Frame& frame) {
             seen.push_back(geometry::angle_from_gap(gap(frame.theta, dim, 0, 1)));
             return false;
           });
    seen.resize(times.size(), std::numeric_limits<double>::quiet_NaN());
    return seen;
  };
  const std::vector<double> full = angles(Mask::full, 1.0), causal = angles(Mask::causal, 2.0);
  double worst = 0.0;
  for (std::size_t k = 0; k < full.size(); ++k)
    worst = std::fmax(worst, std::isnan(full[k] - causal[k]) ? 1.0 : std::abs(full[k] - causal[k]));
  return vanishing(fmt::format("two causal tokens at 2t against two full ones at t, {}", schemes::name_of(scheme)),
                   worst, allowed);
}

double root_clock(double t) {
  return 2.0 * (std::sqrt(1.0 + t) - 1.0);
}

Findings check(const Trial& trial) {
  const core::Schedule falling = core::Schedule::power(1.0, 1.0, -1.0);
  const core::Schedule wavy = core::Schedule::formula(core::Formula("0.7 + 0.3*sin(t)", {"t"}, "NA-3"));
  const std::vector<std::function<std::vector<Evidence>()>> parts{
      [&] {
        return std::vector{by_clock(trial, "sqrt_scaling at t against post_ln at 2 (sqrt(1+t) - 1)",
                                    schemes::SqrtScaling{}, schemes::PostLn{}, root_clock)};
      },
      [&] {
        return std::vector{by_clock(trial, "ngpt, alpha = 2/5, against alpha = 1 at int alpha", schemes::NGpt(0.4),
                                    schemes::NGpt(1.0), [](double t) { return 0.4 * t; })};
      },
      [&] {
        return std::vector{by_clock(trial, "ngpt, alpha = 1/(1+t), against alpha = 1 at int alpha",
                                    schemes::NGpt(falling), schemes::NGpt(1.0),
                                    [](double t) { return std::log1p(t); })};
      },
      [&] {
        return std::vector{by_clock(trial, "ngpt, alpha = 0.7 + 0.3 sin t, against alpha = 1 at int alpha",
                                    schemes::NGpt(wavy), schemes::NGpt(1.0),
                                    [](double t) { return 0.7 * t + 0.3 * (1.0 - std::cos(t)); })};
      },
      [&] {
        return std::vector{half_speed(trial, schemes::PostLn{}), half_speed(trial, schemes::NGpt(1.0))};
      },
      [&] {
        std::vector<Evidence> found;
        for (const Mask mask : {Mask::full, Mask::causal})
          for (const schemes::AnyScheme& scheme : table_schemes())
            for (const Evidence& one : two_tokens(trial, scheme, mask))
              found.push_back(one);
        return found;
      },
  };
  std::vector<std::vector<Evidence>> found(parts.size());
  trial.for_each(
      parts.size(), [&](std::size_t i) { found[i] = parts[i](); }, 0.0, 0.3);
  Findings findings = orbits(trial);
  for (const std::vector<Evidence>& some : found)
    findings.evidence.insert(findings.evidence.end(), some.begin(), some.end());
  return findings;
}

// No clock serves tokens whose radii differ.
Findings control(const Trial& trial) {
  const Cloud cloud = gaussian_cloud(n_tokens, dim, trial.seed());
  Findings findings;
  for (const TableRow& scheme : table_rows())
    if (scheme.has_radius())
      findings.evidence.push_back(
          vanishing(fmt::format("{} against post_ln at the mean of int dt/s_j, unequal radii", scheme.label),
                    clocked_run(trial, scheme, cloud).distance, allowed));
  return findings;
}

} // namespace

Claim time_change() {
  return {.id = "NA-3",
          .aliases = {"prop:time-change", "tab2-clock"},
          .title = "Changes of time between the schemes",
          .source = "arXiv:2510.22026, Appendix D",
          .statement = "Schemes whose s_j agree up to a factor common to all tokens trace one curve: sqrt_scaling at t "
                       "is post_ln at 2 (sqrt(1+t) - 1), ngpt is its alpha = 1 at int alpha, and from equal radii and "
                       "equal |A_j| every scheme is post_ln at int dt/s; two tokens under a causal mask move at half "
                       "the speed",
          .hypotheses = "n = 16, d = 5, beta = 3; tau = 3; pre_ln, mix_ln, peri_ln only if all tokens see the same",
          .citations = {"normalization-attention"},
          .is_quick = true,
          .cost_seconds = 0.6,
          .check = check,
          .control_text = "tokens of unequal radii, for which there is no common clock",
          .control = control};
}

} // namespace normdyn::theorems
