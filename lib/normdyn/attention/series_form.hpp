#pragma once
// The scores that a series can serve: <Q theta_j, K theta_k> = scale <U^T theta_j, theta_k> with an orthogonal matrix
// U, so that they depend on one angle. What V and W_O do to the mean of the tokens may follow later.

#include "normdyn/attention/weights.hpp"

#include <optional>

namespace normdyn::attention {

struct SeriesForm {
  bool serves = false;              ///< one head, no biases of queries and keys, Q^T K = scale U to rounding
  double scale = 1.0;               ///< with its sign, if U is the identity
  std::optional<Matrix> rotation{}; ///< U^T, if it is not the identity
};

[[nodiscard]] SeriesForm series_form(const Weights& weights);

} // namespace normdyn::attention
