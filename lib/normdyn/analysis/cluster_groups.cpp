#include "normdyn/analysis/cluster_groups.hpp"

#include "normdyn/observables/cluster_labels.hpp"

#include <algorithm>

namespace normdyn::analysis {

std::vector<ClusterGroup> cluster_groups(std::span<const double> theta, std::size_t dim, double angle) {
  const std::vector<std::size_t> labels = observables::cluster_labels(theta, dim, angle);
  std::vector<ClusterGroup> groups(observables::cluster_sizes(labels).size());
  for (std::size_t j = 0; j < labels.size(); ++j)
    groups[labels[j]].tokens.push_back(j);
  // Labels are in the order of first tokens, which a stable sort keeps among equal sizes.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const ClusterGroup& a, const ClusterGroup& b) { return a.tokens.size() > b.tokens.size(); });
  return groups;
}

} // namespace normdyn::analysis
