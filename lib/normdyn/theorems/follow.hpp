#pragma once
// Runs in memory: what a claim sees of a run while it goes on.

#include "normdyn/integrate/solve.hpp"
#include "normdyn/theorems/laboratory.hpp"

#include <functional>
#include <span>
#include <vector>

namespace normdyn::theorems {

/// Sees a frame; true ends the run after the current step.
using See = std::function<bool(const observables::Frame&)>;

struct Saved {
  std::vector<double> times{}; ///< in the span, increasing; empty: every accepted step, the first and the last state
  bool with_motion = false;    ///< fill drift, log_partition, entropy, speed, token_speed and radial_rate of the frames
};

/// Integrates the subject over `span` and shows the saved frames to `see`, in the order of time. `beta` is for frames.
integrate::SolveSummary follow(const Subject& subject, core::Interval span, const integrate::SolveOptions& options,
                               const Saved& saved, const See& see);

/// The motion (drift, speeds, rates) at the start.
[[nodiscard]] dynamics::Motion motion_at_start(const Subject& subject, double time = 0.0);

/// A final state's directions and radii as a cloud (radius 1 where there is none).
[[nodiscard]] Cloud cloud_of(const dynamics::Equation& equation, const geometry::State& x);

// What claims measure of a frame, or of n x d unit rows.

/// Var = (1/n) sum_k |theta_k - mean|^2, from differences: relative accuracy down to 1e-32.
[[nodiscard]] double variance(std::span<const double> theta, std::size_t dim);
/// u = |theta_j - theta_k|^2 / 2, the gap 1 - cosine.
[[nodiscard]] double gap(std::span<const double> theta, std::size_t dim, std::size_t j, std::size_t k);
/// The largest gap over all pairs, and the mean of 1 - gap.
[[nodiscard]] double largest_gap(std::span<const double> theta, std::size_t dim);
[[nodiscard]] double mean_cosine(std::span<const double> theta, std::size_t dim);
/// The largest | |theta_j| - 1 |.
[[nodiscard]] double norm_error(std::span<const double> theta, std::size_t dim);

} // namespace normdyn::theorems
