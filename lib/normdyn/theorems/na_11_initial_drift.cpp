// NA-11: how short the drift of random tokens is at the start, which is the head start of Peri-LN and nGPT.
#include "normdyn/attention/attention.hpp"
#include "normdyn/attention/draws.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/theorems/claims.hpp"
#include "normdyn/theorems/follow.hpp"
#include "normdyn/theorems/starts.hpp"

#include <boost/math/special_functions/bessel.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

enum class Maps { identity, orthogonal };

struct Cell {
  std::size_t n, dim;
  Maps maps;
  [[nodiscard]] std::string text() const {
    return fmt::format("d = {}, n = {}, {}", dim, n, maps == Maps::identity ? "Q = K = V = I" : "orthogonal Q, K, V");
  }
  // Beyond 1024 tokens a sample of them is evaluated.
  [[nodiscard]] std::size_t n_sampled() const { return n <= 1024 ? n : n <= 4096 ? 256 : 64; }
  [[nodiscard]] std::uint64_t n_seeds() const { return n <= 4096 ? 20 : 10; }
  [[nodiscard]] bool is_in_window() const {
    const double product = static_cast<double>(n) * std::log(n);
    return std::exp(std::sqrt(static_cast<double>(dim))) >= product && product >= static_cast<double>(dim);
  }
};

// sqrt(log n/n) + log n/d, the printed bound without its constant.
double printed_scale(const Cell& cell) {
  const double n = static_cast<double>(cell.n);
  return std::sqrt(std::log(n) / n) + std::log(n) / static_cast<double>(cell.dim);
}

// E e^{b x} of a component x of a uniform direction, and E x e^{b x}.
struct Moments {
  double partition, drift;
};
Moments moments(double b, std::size_t dim) {
  const double nu = 0.5 * static_cast<double>(dim) - 1.0;
  const double scale = std::exp(std::lgamma(nu + 1.0) + nu * std::log(2.0 / b));
  return {scale * boost::math::cyl_bessel_i(nu, b), scale * boost::math::cyl_bessel_i(nu + 1.0, b)};
}

struct Lengths {
  double drift, tangential;
};

// Root mean squares of |A_j| and |P A_j|: the mean square of the numerator over the squared mean of Z_j. With Q = K = I
// the token's own term is e^{1}; with random ones it is like any other.
Lengths predicted(const Cell& cell) {
  const double n = static_cast<double>(cell.n);
  const Moments one = moments(1.0, cell.dim);
  const double square = moments(2.0, cell.dim).partition;
  const double own = cell.maps == Maps::identity ? 1.0 : 0.0, others = n - own, e = std::exp(1.0);
  const double partition = own * e + others * one.partition;
  const double along = (own * e + others * one.drift) / partition, across = others * square / (partition * partition);
  return {std::sqrt(along * along + across), std::sqrt(across)};
}

std::uint64_t member_of(const Cell& cell, std::uint64_t seed_member) {
  return 1000 * cell.n + seed_member;
}

attention::Weights weights_of(const Cell& cell, std::uint64_t seed, std::uint64_t member) {
  attention::Weights weights;
  if (cell.maps == Maps::identity)
    return weights;
  const auto& laws = attention::matrix_laws();
  const auto law = std::find_if(laws.begin(), laws.end(), [](const auto& one) { return one.name == "orthogonal"; });
  const auto size = static_cast<Eigen::Index>(cell.dim);
  const auto draw = [&](core::Purpose purpose) {
    return law->draw(size, size, 1.0, {.seed = seed, .member = member, .purpose = purpose});
  };
  weights.query.matrix = draw(core::Purpose::query_weights);
  weights.key.matrix = draw(core::Purpose::key_weights);
  weights.value.matrix = draw(core::Purpose::value_weights);
  return weights;
}

std::vector<double> drift_of(const Trial& trial, const Cell& cell, const Cloud& cloud, std::uint64_t member) {
  attention::Weights weights = weights_of(cell, trial.seed(), member);
  if (cell.n_sampled() == cell.n)
    return motion_at_start(trial.laboratory().prepare({.weights = fixed_weights(std::move(weights))}, cloud)).drift;
  std::vector<double> drift(cell.n_sampled() * cell.dim);
  const std::span<const double> all(cloud.theta);
  attention::make_attention({}, std::move(weights))
      ->evaluate({all.first(drift.size()), cell.dim, 0}, {all, cell.dim, 0}, 1.0, {.drift = drift});
  return drift;
}

struct Sample {
  double median = 0.0, greatest = 0.0; ///< of |A_j|
  double share = 0.0;                  ///< median of |P A_j|/|A_j|
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Sample sample_of(const Trial& trial, const Cell& cell, const Cloud& cloud, std::uint64_t member) {
  const std::vector<double> drift = drift_of(trial, cell, cloud, member);
  std::vector<double> lengths, shares, tangent(cell.dim);
  for (std::size_t j = 0; j < cell.n_sampled(); ++j) {
    const std::span<const double> a = std::span(drift).subspan(j * cell.dim, cell.dim);
    geometry::project_tangent(cloud.token(j), a, tangent);
    lengths.push_back(geometry::norm(a));
    shares.push_back(geometry::norm(tangent) / geometry::norm(a));
  }
  return {median(lengths), *std::max_element(lengths.begin(), lengths.end()), median(shares)};
}

std::vector<Sample> samples(const Trial& trial, const Cell& cell) {
  std::vector<Sample> found(cell.n_seeds());
  trial.for_each(found.size(), [&](std::size_t i) {
    const std::uint64_t member = member_of(cell, i);
    found[i] = sample_of(trial, cell, uniform_cloud(cell.n, cell.dim, trial.seed(), member), member);
  });
  return found;
}

double constant_of(const Cell& cell, const std::vector<Sample>& all) {
  double greatest = 0.0;
  for (const Sample& one : all)
    greatest = std::max(greatest, one.greatest);
  return greatest / printed_scale(cell);
}

analysis::Estimate mean_over(const std::vector<Sample>& all, double Sample::*value, double unit) {
  std::vector<double> values;
  for (const Sample& one : all)
    values.push_back(one.*value / unit);
  return analysis::mean_estimate(values);
}

// Five standard errors of a mean over seeds: all tokens of a seed share |sum_k theta_k|, whose relative deviation is
// 1/sqrt(2d).
double seed_noise(const Cell& cell) {
  return 5.0 / std::sqrt(2.0 * static_cast<double>(cell.dim * cell.n_seeds()));
}

void judge(Findings& findings, const Cell& cell, const std::vector<Sample>& all) {
  core::believe(cell.is_in_window(), "e^{sqrt d} >= n log n >= d");
  const Lengths expected = predicted(cell);
  findings.evidence.push_back(at_most("smallest C with |A_j(0)| <= C (sqrt(log n/n) + log n/d), " + cell.text(),
                                      constant_of(cell, all), 128.0));
  findings.evidence.push_back(rate("median |A_j(0)| over its prediction, " + cell.text(), 1.0,
                                   mean_over(all, &Sample::median, expected.drift), seed_noise(cell)));
}

std::vector<Cell> cells(Maps maps) {
  std::vector<Cell> all;
  for (const std::size_t dim : {64, 144, 256})
    for (const std::size_t n : {64, 128, 256, 512, 1024, 4096, 16384})
      if (const Cell cell{n, dim, maps}; cell.is_in_window())
        all.push_back(cell);
  return all;
}

// The slope of log median |A_j| by log n, seed by seed.
Evidence slope(const std::vector<Cell>& all, const std::vector<std::vector<Sample>>& found, Maps maps) {
  std::vector<double> slopes;
  for (std::size_t seed = 0; seed < 20; ++seed) {
    double n_points = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].maps != maps || all[i].dim != 256 || all[i].n > 1024)
        continue;
      const double log_n = std::log(all[i].n), log_length = std::log(found[i].at(seed).median);
      n_points += 1.0;
      x += log_n;
      y += log_length;
      xx += log_n * log_n;
      xy += log_n * log_length;
    }
    slopes.push_back((n_points * xy - x * y) / (n_points * xx - x * x));
  }
  return rate(fmt::format("slope of log median |A_j| by log n, d = 256, n = 64 ... 1024, {}",
                          maps == Maps::identity ? "Q = K = V = I" : "orthogonal Q, K, V"),
              -0.5, analysis::mean_estimate(slopes), 0.1);
}

// Post-LN moves r_j |A_j| times as fast as Peri-LN, and r_j times as fast as Pre-LN: the bound is the gap.
Evidence gap_of_speeds(const Trial& trial) {
  const Cloud cloud = gaussian_cloud(256, 64, trial.seed());
  const auto motion = [&](const schemes::AnyScheme& scheme) {
    return motion_at_start(trial.laboratory().prepare({.scheme = scheme}, cloud));
  };
  const dynamics::Motion post = motion(schemes::PostLn{}), pre = motion(schemes::PreLn{}),
                         peri = motion(schemes::PeriLn{}), ngpt = motion(schemes::NGpt(0.5));
  double off = 0.0;
  for (std::size_t j = 0; j < cloud.n_tokens; ++j) {
    const double length = geometry::norm(std::span<const double>(post.drift).subspan(j * cloud.dim, cloud.dim));
    const double speed = post.token_speed[j];
    for (const double same : {pre.token_speed[j] * cloud.radius[j], peri.token_speed[j] * cloud.radius[j] * length,
                              ngpt.token_speed[j] * length / 0.5})
      off = std::max(off, std::abs(same / speed - 1.0));
  }
  return vanishing("|theta_j'| of post_ln against r_j (pre_ln), r_j |A_j| (peri_ln), |A_j|/alpha (ngpt) times theirs",
                   off, 1e-12);
}

// Appendix B bounds Z_j from below as if all other scores were 0.
Evidence denominators(const Trial& trial, Maps maps) {
  const Cell cell{1024, 144, maps};
  const double n = 1024.0, own = maps == Maps::identity ? std::exp(1.0) : std::exp(-1.0);
  double least = 1e300;
  for (std::uint64_t i = 0; i < 5; ++i) {
    const std::uint64_t member = member_of(cell, i);
    const Subject subject =
        trial.laboratory().prepare({.weights = fixed_weights(weights_of(cell, trial.seed(), member))},
                                   uniform_cloud(cell.n, cell.dim, trial.seed(), member));
    for (const double log_partition : motion_at_start(subject).log_partition)
      least = std::min(least, std::exp(log_partition));
  }
  return erratum(fmt::format("least Z_j, {}: printed {}, corrected n/3", cell.text(),
                             maps == Maps::identity ? "n - 1 + e" : "n - 1 + 1/e"),
                 at_least("printed", least, n - 1.0 + own), at_least("corrected", least, n / 3.0));
}

report::Figure figure(const std::vector<Cell>& all, const std::vector<std::vector<Sample>>& found) {
  report::Figure figure{.name = "na-11-initial-drift",
                        .title = "Length of the drift of uniform tokens, Q = K = V = I, beta = 1",
                        .x = {.label = "tokens n", .is_logarithmic = true},
                        .y = {.label = "|A_j(0)|", .is_logarithmic = true},
                        .curves = {}};
  for (const std::size_t dim : {144, 256}) {
    report::Curve middle{.name = fmt::format("median, d = {}", dim), .x = {}, .y = {}},
        greatest{.name = fmt::format("largest, d = {}", dim), .x = {}, .y = {}},
        expected{.name = fmt::format("predicted, d = {}", dim), .x = {}, .y = {}},
        bound{.name = fmt::format("printed bound with C = 1, d = {}", dim), .x = {}, .y = {}};
    middle.style = greatest.style = report::Curve::Style::points;
    expected.style = bound.style = report::Curve::Style::dashes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].dim != dim || all[i].maps != Maps::identity)
        continue;
      const double n = static_cast<double>(all[i].n);
      for (report::Curve* curve : {&middle, &greatest, &expected, &bound})
        curve->x.push_back(n);
      middle.y.push_back(mean_over(found[i], &Sample::median, 1.0).value);
      greatest.y.push_back(constant_of(all[i], found[i]) * printed_scale(all[i]));
      expected.y.push_back(predicted(all[i]).drift);
      bound.y.push_back(printed_scale(all[i]));
    }
    for (report::Curve* curve : {&middle, &greatest, &expected, &bound})
      figure.curves.push_back(std::move(*curve));
  }
  return figure;
}

Findings check(const Trial& trial) {
  Findings findings;
  std::vector<Cell> all = cells(Maps::identity);
  const std::vector<Cell> others = cells(Maps::orthogonal);
  all.insert(all.end(), others.begin(), others.end());
  std::vector<std::vector<Sample>> found;
  double low = 1e300, high = 0.0;
  for (const Cell& cell : all) {
    found.push_back(samples(trial, cell));
    judge(findings, cell, found.back());
    const double excess = constant_of(cell, found.back()) * printed_scale(cell) / predicted(cell).drift;
    low = std::min(low, excess);
    high = std::max(high, excess);
  }
  findings.evidence.push_back(
      recorded("largest |A_j(0)| over the predicted root mean square", high,
               fmt::format("between {:.3g} and {:.3g} in {} cells: the logarithms of the bound are slack", low, high,
                           all.size())));
  for (const Maps maps : {Maps::identity, Maps::orthogonal})
    findings.evidence.push_back(slope(all, found, maps));
  // Where n is near d^2 the drift is partly radial, and even Peri-LN turns tokens by less than |A_j|/|A_j| = 1.
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].dim == 144 && all[i].n == 16384 && all[i].maps == Maps::identity) {
      const Lengths expected = predicted(all[i]);
      findings.evidence.push_back(rate("median |P A_j|/|A_j|, " + all[i].text(), expected.tangential / expected.drift,
                                       mean_over(found[i], &Sample::share, 1.0), 0.05));
    }
  findings.evidence.push_back(gap_of_speeds(trial));
  for (const Maps maps : {Maps::identity, Maps::orthogonal})
    findings.evidence.push_back(denominators(trial, maps));
  findings.figures.push_back(figure(all, found));
  return findings;
}

// Tokens of one half of a sphere: no longer uniform, and the drift is no longer short.
Findings control(const Trial& trial) {
  const Cell cell{256, 64, Maps::identity};
  std::vector<Sample> found(cell.n_seeds());
  trial.for_each(found.size(), [&](std::size_t i) {
    found[i] = sample_of(trial, cell, cone_cloud(cell.n, cell.dim, 0.5, trial.seed(), i), i);
  });
  Findings findings;
  judge(findings, cell, found);
  return findings;
}

} // namespace

Claim initial_drift() {
  return {.id = "NA-11",
          .aliases = {"thm4.2", "thm:initial-velocity"},
          .title = "Initial drift of random tokens",
          .source = "arXiv:2510.22026, Theorem 4.2; the sharper prediction is derived here",
          .statement =
              "With probability at least 1 - 1/n all |A_j(0)| <= C (sqrt(log n/n) + log n/d), so that peri_ln "
              "and ngpt start faster than post_ln and pre_ln by 1/|A_j(0)|; for Q = K = V = I |A_j(0)| is near "
              "sqrt(1/n + 1/d^2)",
          .hypotheses = "beta = 1, |Q^T K| <= 1, |V| <= 1, independent uniform directions, e^{sqrt d} >= n log n >= d; "
                        "C = 128 is what a formal proof gives",
          .citations = {"normalization-attention"},
          .integrates = false,
          .cost_seconds = 20.0,
          .check = check,
          .control_text = "tokens of a cap of the sphere",
          .control = control};
}

} // namespace normdyn::theorems
