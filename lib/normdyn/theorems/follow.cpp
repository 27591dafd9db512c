#include "normdyn/theorems/follow.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::theorems {
namespace {

// Makes the loop fill the motion of frames.
class Motions final : public observables::Observable {
 public:
  const std::vector<observables::Variable>& variables() const override { return variables_; }
  bool needs_motion() const override { return true; }
  void measure(const observables::Frame&, std::span<double> out) const override { out[0] = 0.0; }

 private:
  std::vector<observables::Variable> variables_{{.name = "motion", .long_name = "frames have their motion"}};
};

class Audience final : public integrate::Sink {
 public:
  Audience(const See& see, bool with_motion) : see_(see), with_motion_(with_motion) {}
  void state(const observables::Frame& frame) override {
    if (!with_motion_)
      show(frame);
  }
  void series(const observables::Frame& frame, std::span<const double>) override {
    if (with_motion_)
      show(frame);
  }
  void event(const integrate::EventHit&) override {}
  bool progress(const integrate::Progress&) override { return is_done_; }

 private:
  void show(const observables::Frame& frame) { is_done_ = see_(frame) || is_done_; }
  const See& see_;
  bool with_motion_, is_done_ = false;
};

} // namespace

integrate::SolveSummary follow(const Subject& subject, core::Interval span, const integrate::SolveOptions& options,
                               const Saved& saved, const See& see) {
  integrate::SolvePlan plan;
  const auto when = saved.times.empty() ? integrate::SaveSchedule::every(1) : integrate::SaveSchedule::at(saved.times);
  plan.states = when;
  plan.series = when;
  plan.save_states = !saved.with_motion;
  if (saved.with_motion)
    plan.observables.push_back(std::make_unique<Motions>());
  Audience audience(see, saved.with_motion);
  return integrate::solve(*subject.equation, subject.start, span, options, plan, audience);
}

dynamics::Motion motion_at_start(const Subject& subject, double time) {
  dynamics::Motion motion;
  subject.equation->on({time, time + 1.0})->motion(subject.start, time, motion);
  return motion;
}

Cloud cloud_of(const dynamics::Equation& equation, const geometry::State& x) {
  const geometry::Layout& layout = equation.layout();
  Cloud cloud{.n_tokens = layout.n_tokens,
              .dim = layout.dim,
              .theta = geometry::State(layout.directions_size()),
              .radius = geometry::State(layout.n_tokens, 1.0)};
  const std::span<double> radius(cloud.radius);
  equation.frame(x, cloud.theta, equation.has_radius() ? radius : radius.first(0));
  return cloud;
}

double variance(std::span<const double> theta, std::size_t dim) {
  const std::size_t n = theta.size() / dim;
  // Relative to token 0 the mean is a mean of small differences, which keeps their digits.
  std::vector<double> mean(dim, 0.0);
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t i = 0; i < dim; ++i)
      mean[i] += (theta[j * dim + i] - theta[i]) / static_cast<double>(n);
  double total = 0.0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < dim; ++i) {
      const double off = (theta[j * dim + i] - theta[i]) - mean[i];
      total += off * off;
    }
  return total / static_cast<double>(n);
}

double gap(std::span<const double> theta, std::size_t dim, std::size_t j, std::size_t k) {
  return 0.5 * geometry::distance_squared(theta.subspan(j * dim, dim), theta.subspan(k * dim, dim));
}

double largest_gap(std::span<const double> theta, std::size_t dim) {
  const std::size_t n = theta.size() / dim;
  double largest = 0.0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 1; k < n; ++k)
      largest = std::max(largest, gap(theta, dim, j, k));
  return largest;
}

double mean_cosine(std::span<const double> theta, std::size_t dim) {
  const std::size_t n = theta.size() / dim;
  double total = 0.0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 1; k < n; ++k)
      total += gap(theta, dim, j, k);
  return 1.0 - 2.0 * total / static_cast<double>(n * (n - 1));
}

double norm_error(std::span<const double> theta, std::size_t dim) {
  double largest = 0.0;
  for (std::size_t j = 0; j * dim < theta.size(); ++j)
    largest = std::max(largest, std::abs(geometry::norm(theta.subspan(j * dim, dim)) - 1.0));
  return largest;
}

} // namespace normdyn::theorems
