#pragma once
// Clusters of one frame as groups of tokens, largest first: what the flagship prints as words.

#include "normdyn/geometry/state.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace normdyn::analysis {

struct ClusterGroup {
  std::vector<std::size_t> tokens; ///< ascending
};

/// Connected components of the graph that joins tokens closer than `angle` (radians), by size, ties by first token.
[[nodiscard]] std::vector<ClusterGroup> cluster_groups(std::span<const double> theta, std::size_t dim, double angle);

} // namespace normdyn::analysis
