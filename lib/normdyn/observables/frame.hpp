#pragma once
// One moment of a run, as observables see it: const views, nothing that could change the run.

#include "normdyn/geometry/state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace normdyn::observables {

struct Frame {
  double time = 0.0;
  std::int64_t layer = 0; ///< steps taken (layers mode: layers)
  std::size_t n_tokens = 0, dim = 0;
  std::span<const double> theta;         ///< n x d, unit rows
  std::span<const double> radius;        ///< n, or empty where the scheme carries none
  std::span<const double> initial_theta; ///< n x d, theta(0)
  double clock = 0.0;
  double beta = 0.0;

  // Filled only if some observable says needs_motion(); else empty.
  std::span<const double> drift;         ///< A_j, n x d
  std::span<const double> log_partition; ///< log Z_j, heads x n
  std::span<const double> entropy;       ///< attention entropy per token, n, nats
  std::span<const double> speed;         ///< 1/s_j
  std::span<const double> token_speed;   ///< |theta_j'|
  std::span<const double> radial_rate;   ///< r_j'

  [[nodiscard]] std::span<const double> token(std::size_t j) const { return theta.subspan(j * dim, dim); }
};

} // namespace normdyn::observables
