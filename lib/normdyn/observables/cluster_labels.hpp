#pragma once
// Clusters of tokens: connected components of the graph that joins two tokens when the angle between them, on the
// sphere, is less than `angle`. (theta and -theta are far apart. A chain of close neighbors is one cluster.)

#include <cstddef>
#include <span>
#include <vector>

namespace normdyn::observables {

/// One label per token, 0, 1, ... in the order of each cluster's first token. `angle` in radians, in [0, pi]. Right for
/// angles down to 1e-15: pairs near the threshold are decided by differences.
[[nodiscard]] std::vector<std::size_t> cluster_labels(std::span<const double> theta, std::size_t dim, double angle);

/// Tokens per label.
[[nodiscard]] std::vector<std::size_t> cluster_sizes(std::span<const std::size_t> labels);

} // namespace normdyn::observables
