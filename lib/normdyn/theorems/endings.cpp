#include "normdyn/theorems/endings.hpp"

#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::theorems {
namespace {

// Twice the distance of the farthest token from the first is no less than the diameter.
bool are_together(std::span<const double> theta, std::size_t dim) {
  double farthest = 0.0;
  for (std::size_t j = 1; j * dim < theta.size(); ++j)
    farthest = std::max(farthest, geometry::distance_squared(theta.first(dim), theta.subspan(j * dim, dim)));
  return 2.0 * std::sqrt(farthest) < consensus_angle;
}

// Follows radii from step to step: their least value, and the mean rate of the token that grows least in each step.
class RadiusWatch {
 public:
  void see(double time, std::span<const double> radius) {
    if (radius.empty())
      return;
    if (initial_.empty())
      initial_.assign(radius.begin(), radius.end());
    double rate = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < radius.size(); ++j) {
      least_radius_ = std::min(least_radius_, radius[j] / initial_[j]);
      if (!last_.empty() && time > last_time_)
        rate = std::min(rate, (radius[j] - last_[j]) / (time - last_time_));
    }
    rates_.push_back({time, rate});
    last_.assign(radius.begin(), radius.end());
    last_time_ = time;
  }
  [[nodiscard]] double least_radius() const { return least_radius_; }
  [[nodiscard]] double least_rate_since(double begin) const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [time, rate] : rates_)
      if (time > begin)
        least = std::min(least, rate);
    return least;
  }

 private:
  std::vector<double> initial_, last_;
  std::vector<std::pair<double, double>> rates_;
  double last_time_ = 0.0, least_radius_ = 1.0;
};

double largest_speed(const Subject& subject, const geometry::State& x, double time) {
  dynamics::Motion motion;
  subject.equation->on({time, time + 1.0})->motion(x, time, motion);
  return *std::max_element(motion.token_speed.begin(), motion.token_speed.end());
}

} // namespace

double energy_gap(std::span<const double> theta, std::size_t dim, double beta) {
  const std::size_t n = theta.size() / dim;
  double total = 0.0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 1; k < n; ++k)
      total -= std::expm1(-beta * gap(theta, dim, j, k));
  return 2.0 * total / static_cast<double>(n * n);
}

Ending run_to_end(const Subject& subject, double beta, double end, const integrate::SolveOptions& options) {
  RadiusWatch radii;
  bool is_together = false;
  const auto summary = follow(subject, {0.0, end}, options, {}, [&](const observables::Frame& frame) {
    radii.see(frame.time, frame.radius);
    is_together = are_together(frame.theta, frame.dim);
    return is_together;
  });
  const Cloud last = cloud_of(*subject.equation, summary.final_state);
  Ending ending{.time = summary.outcome.time,
                .clock = summary.clock,
                .speed = largest_speed(subject, summary.final_state, summary.outcome.time),
                .energy_gap = energy_gap(last.theta, last.dim, beta),
                .least_radial_rate = radii.least_rate_since(0.5 * summary.outcome.time),
                .least_radius = radii.least_radius()};
  if (summary.outcome.is_failure())
    ending.kind = Ending::Kind::troubled;
  else if (is_together)
    ending.kind = Ending::Kind::consensus;
  else if (ending.speed * ending.time < resting_movement)
    ending.kind = Ending::Kind::at_rest;
  return ending;
}

std::int64_t count(const std::vector<Ending>& endings, Ending::Kind kind) {
  return std::count_if(endings.begin(), endings.end(), [kind](const Ending& one) { return one.kind == kind; });
}

} // namespace normdyn::theorems
