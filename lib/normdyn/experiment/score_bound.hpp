#pragma once
#include "normdyn/experiment/study.hpp"

namespace normdyn::experiment {

/// A bound of |beta <Q theta_j + b_Q, K theta_k + b_K>| over all unit tokens, heads, and pieces of the run:
/// |beta| (|Q_h| + |b_Q|)(|K_h| + |b_K|) with spectral norms, of Q_h^T K_h when there are no biases. For a formula of
/// beta it holds at the ends and at 64 times in between.
[[nodiscard]] double largest_score(const Study& study);

} // namespace normdyn::experiment
