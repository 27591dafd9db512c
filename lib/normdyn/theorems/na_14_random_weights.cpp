// NA-14: layers with random weights: radii grow like the root of the depth if each layer has its own, and like the
// depth if all share them.
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

constexpr std::size_t n_layers = 64;

struct Block {
  schemes::AnyScheme scheme;
  bool is_tied = false;
  const char* law = "gaussian"; ///< N(0, 1/d); "kaiming_normal" is N(0, 2/d)
  double radius = 1.0;
  std::size_t n_tokens = 128, dim = 512, n_seeds = 3;
  [[nodiscard]] std::string text() const {
    return fmt::format("{}, {}, {}", schemes::name_of(scheme), is_tied ? "tied" : "untied",
                       std::string_view(law) == "gaussian" ? "N(0, 1/d)" : "N(0, 2/d)");
  }
};

struct Course {
  std::vector<double> radii{}, cosines{}; ///< means over tokens after 0, 1, ... layers
  std::vector<double> walk{};             ///< sqrt(r_0^2 + sum |x_{l+1} - x_l|^2), root mean square over tokens
  double first_angle = 0.0;               ///< moved by the first layer, mean over tokens, radians
};

Subject block(const Trial& trial, const Block& one, std::uint64_t member) {
  core::Value root;
  root.set("weights.redraw", one.is_tied ? "never" : "layer");
  for (const char* matrix : {"query", "key", "value"})
    root.set(fmt::format("weights.{}.draw", matrix), one.law);
  core::Settings settings(root, "claim");
  const double dim = static_cast<double>(one.dim);
  return trial.laboratory().prepare(
      {.scheme = one.scheme,
       .weights = attention::read_weights(settings, {.dim = one.dim, .seed = trial.seed(), .member = member}),
       .beta = std::sqrt(dim)}, // tokens of norm sqrt(d) and scores over sqrt(d)
      uniform_cloud(one.n_tokens, one.dim, trial.seed(), member, one.radius));
}

Course run(const Trial& trial, const Block& one, std::uint64_t member, std::size_t depth = n_layers) {
  const Subject subject = block(trial, one, member);
  integrate::SolveOptions options;
  options.method = integrate::Method::layers;
  options.step = 1.0;
  Course course;
  std::vector<double> before; // tokens x_j = r_j theta_j
  double walk = one.radius * one.radius;
  follow(subject, {0.0, static_cast<double>(depth)}, options, {}, [&](const observables::Frame& frame) {
    const double n = static_cast<double>(frame.n_tokens);
    std::vector<double> now(frame.theta.begin(), frame.theta.end());
    double radius = 0.0, angle = 0.0;
    for (std::size_t j = 0; j < frame.n_tokens; ++j) {
      const double r = frame.radius.empty() ? 1.0 : frame.radius[j];
      radius += r / n;
      angle += geometry::angle(frame.token(j), frame.initial_theta.subspan(j * frame.dim, frame.dim)) / n;
      for (std::size_t i = 0; i < frame.dim; ++i)
        now[j * frame.dim + i] *= r;
    }
    if (!before.empty())
      walk += geometry::distance_squared(now, before) / n;
    before = std::move(now);
    course.radii.push_back(radius);
    course.cosines.push_back(mean_cosine(frame.theta, frame.dim));
    course.walk.push_back(std::sqrt(walk));
    if (course.radii.size() == 2)
      course.first_angle = angle;
    return false;
  });
  return course;
}

// The slope of log y by log l over layers 16 ... 64.
double slope(const std::vector<double>& y) {
  double count = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t l = 16; l < y.size(); ++l) {
    const double u = std::log(static_cast<double>(l)), v = std::log(y[l]);
    count += 1.0;
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

using Courses = std::vector<std::vector<Course>>; // by block and seed

Courses run_all(const Trial& trial, const std::vector<Block>& blocks, double from, double to) {
  Courses courses(blocks.size());
  std::vector<std::pair<std::size_t, std::size_t>> runs; // block and seed
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    courses[i].resize(blocks[i].n_seeds);
    for (std::size_t seed = 0; seed < blocks[i].n_seeds; ++seed)
      runs.emplace_back(i, seed);
  }
  trial.for_each(
      runs.size(),
      [&](std::size_t k) {
        const auto [i, seed] = runs[k];
        courses[i][seed] = run(trial, blocks[i], seed);
      },
      from, to);
  return courses;
}

analysis::Estimate over_seeds(const std::vector<Course>& courses, const std::function<double(const Course&)>& value) {
  std::vector<double> values;
  for (const Course& one : courses)
    values.push_back(value(one));
  return analysis::mean_estimate(values);
}

Evidence growth(const Block& one, const std::vector<Course>& courses, double predicted) {
  return rate("slope of log r by log layer, layers 16 ... 64, " + one.text(), predicted,
              over_seeds(courses, [](const Course& course) { return slope(course.radii); }), 0.1 / predicted);
}

// Under pre_ln increments still grow while tokens align, so that 64 layers do not show the slope of the walk.
Evidence pre_growth(const Block& one, const std::vector<Course>& courses) {
  const analysis::Estimate found = over_seeds(courses, [](const Course& course) { return slope(course.radii); });
  return recorded("slope of log r by log layer, layers 16 ... 64, " + one.text(), found.value,
                  fmt::format("{:.3g} in [{:.3g}, {:.3g}], while |A_j| grows", found.value, found.low, found.high));
}

// Shared weights against weights of their own: the slopes separate, seed by seed.
Evidence separation(const char* scheme, const std::vector<Course>& tied, const std::vector<Course>& untied) {
  double least = 1e300, largest = 0.0;
  for (const Course& course : tied)
    least = std::min(least, slope(course.radii));
  for (const Course& course : untied)
    largest = std::max(largest, slope(course.radii));
  return at_least(fmt::format("least slope with tied weights above the largest with untied ones, {}", scheme), least,
                  largest);
}

// How independent increments add up: r_64 against sqrt(r_0^2 + sum of squares).
Evidence walk(const Block& one, const std::vector<Course>& courses) {
  return rate("r against the random walk of its increments after 64 layers, " + one.text(), 1.0,
              over_seeds(courses, [](const Course& course) { return course.radii.back() / course.walk.back(); }), 0.1);
}

report::Figure radii_figure(const std::vector<Block>& blocks, const Courses& courses) {
  report::Figure figure{.name = "na-14-radii",
                        .title = "Radii in layers with random weights, d = 512, n = 128, beta = sqrt(d), r(0) = 1",
                        .x = {.label = "layer", .is_logarithmic = true},
                        .y = {.label = "mean radius", .is_logarithmic = true},
                        .curves = {}};
  report::Curve law{.name = "sqrt(1 + l)", .x = {}, .y = {}, .style = report::Curve::Style::dashes};
  for (std::size_t l = 1; l <= n_layers; ++l) {
    law.x.push_back(static_cast<double>(l));
    law.y.push_back(std::sqrt(1.0 + static_cast<double>(l)));
  }
  figure.curves.push_back(law);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string_view name = schemes::name_of(blocks[i].scheme);
    if (name == "pre_ln" || name == "peri_ln") {
      std::vector<double> radii = courses[i].front().radii;
      radii.erase(radii.begin());
      figure.curves.push_back({.name = blocks[i].text(), .x = law.x, .y = std::move(radii)});
    }
  }
  return figure;
}

report::Figure cosine_figure(const std::vector<Block>& blocks, const Courses& courses) {
  report::Figure figure{.name = "na-14-cosines",
                        .title = "Mean cosine in layers with weights N(0, 1/d) of their own, d = 512, n = 128",
                        .x = {.label = "layer"},
                        .y = {.label = "mean cosine"},
                        .curves = {}};
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!blocks[i].is_tied && std::string_view(blocks[i].law) == "gaussian") {
      report::Curve curve{
          .name = std::string(schemes::name_of(blocks[i].scheme)), .x = {}, .y = courses[i].front().cosines};
      for (std::size_t l = 0; l < curve.y.size(); ++l)
        curve.x.push_back(static_cast<double>(l));
      figure.curves.push_back(std::move(curve));
    }
  return figure;
}

// The angle of the first layer from radius 2: peri_ln and ngpt ahead of post_ln and mix_ln, these ahead of pre_ln.
void order_of_first_angles(Findings& findings, const Trial& trial) {
  const std::vector<schemes::AnyScheme> all = table_schemes(16.0);
  std::vector<double> angles(all.size());
  trial.for_each(
      all.size(), [&](std::size_t i) { angles[i] = run(trial, {.scheme = all[i], .radius = 2.0}, 0, 1).first_angle; },
      0.95, 1.0);
  const auto angle = [&](std::string_view name) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (schemes::name_of(all[i]) == name)
        return angles[i];
    return Evidence::none;
  };
  const std::string what = "first angle (radians) from r = 2, ";
  for (const char* fast : {"peri_ln", "ngpt"})
    for (const char* medium : {"post_ln", "mix_ln"})
      findings.evidence.push_back(
          picture(at_least(what + fast + " against " + medium, angle(fast), 2.0 * angle(medium))));
  for (const char* medium : {"post_ln", "mix_ln"})
    findings.evidence.push_back(
        picture(at_least(what + medium + " against pre_ln", angle(medium), 1.5 * angle("pre_ln"))));
}

const std::vector<Course>& courses_of(const std::vector<Block>& blocks, const Courses& courses, std::string_view text) {
  const auto found =
      std::find_if(blocks.begin(), blocks.end(), [text](const Block& one) { return one.text() == text; });
  return courses.at(static_cast<std::size_t>(found - blocks.begin()));
}

void judge_radii(Findings& findings, const Block& one, const std::vector<Course>& courses) {
  const bool is_peri = schemes::name_of(one.scheme) == "peri_ln";
  findings.evidence.push_back(is_peri ? growth(one, courses, one.is_tied ? 1.0 : 0.5) : pre_growth(one, courses));
  if (one.is_tied)
    return;
  findings.evidence.push_back(walk(one, courses));
  if (is_peri)
    findings.evidence.push_back(
        rate("r after 64 layers over sqrt(r_0^2 + 64), " + one.text(), 1.0,
             over_seeds(courses, [](const Course& course) { return course.radii.back() / std::sqrt(65.0); }), 0.1));
}

Findings check(const Trial& trial) {
  std::vector<Block> blocks;
  for (const schemes::AnyScheme& scheme : table_schemes(16.0))
    blocks.push_back({.scheme = scheme, .n_seeds = schemes::name_of(scheme) == "peri_ln" ? 6U : 3U});
  for (const schemes::AnyScheme& scheme :
       {schemes::AnyScheme(schemes::PreLn{}), schemes::AnyScheme(schemes::PeriLn{})}) {
    blocks.push_back({.scheme = scheme, .law = "kaiming_normal", .n_seeds = 6});
    blocks.push_back({.scheme = scheme, .is_tied = true});
  }
  const Courses courses = run_all(trial, blocks, 0.0, 0.95);
  Findings findings;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (schemes::name_of(blocks[i].scheme) == "pre_ln" || schemes::name_of(blocks[i].scheme) == "peri_ln")
      judge_radii(findings, blocks[i], courses[i]);
  for (const char* name : {"pre_ln", "peri_ln"}) {
    const auto of = [&](const char* kind) -> const std::vector<Course>& {
      return courses_of(blocks, courses, fmt::format("{}, {}, N(0, 1/d)", name, kind));
    };
    findings.evidence.push_back(separation(name, of("tied"), of("untied")));
  }
  order_of_first_angles(findings, trial);
  findings.figures.push_back(radii_figure(blocks, courses));
  findings.figures.push_back(cosine_figure(blocks, courses));
  return findings;
}

// Shared weights judged as if each layer had its own.
Findings control(const Trial& trial) {
  const std::vector<Block> blocks{{.scheme = schemes::PeriLn{}, .is_tied = true, .n_tokens = 32, .dim = 128}};
  const Courses courses = run_all(trial, blocks, 0.0, 1.0);
  return {{growth(blocks[0], courses[0], 0.5), walk(blocks[0], courses[0])}, {}};
}

} // namespace

Claim random_weights() {
  return {.id = "NA-14",
          .aliases = {"fig:random"},
          .title = "Layers with random weights",
          .source = "arXiv:2510.22026, figure of random weights; the laws of the radii are derived here",
          .statement = "With weights of its own in each layer the radius is that of a random walk, sqrt(r0^2 + sum of "
                       "squared increments): under peri_ln sqrt(r0^2 + l); with shared ones it grows like the depth; "
                       "the first layer turns tokens most under peri_ln and ngpt, less under post_ln and mix_ln, least "
                       "under pre_ln",
          .hypotheses = "d = 512, n = 128, 64 layers of step 1, one head, beta = sqrt(d), entries N(0, 1/d) or N(0, "
                        "2/d), r(0) = 1 (2 for the first angles), mix_ln switches after 16 layers: our choices, where "
                        "the source's are not known; mean cosines are shown, not judged",
          .citations = {"normalization-attention"},
          .integrates = false,
          .cost_seconds = 38.0,
          .check = check,
          .control_text = "shared weights, judged as if each layer had its own",
          .control = control};
}

} // namespace normdyn::theorems
