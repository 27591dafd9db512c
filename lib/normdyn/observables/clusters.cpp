#include "normdyn/observables/cluster_labels.hpp"
#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/threshold.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::observables {
namespace {

void measure(const Frame& frame, double angle, std::span<double> out) {
  out[0] = out[1] = undefined_count;
  if (!std::all_of(frame.theta.begin(), frame.theta.end(), [](double v) { return std::isfinite(v); }))
    return;
  const std::vector<std::size_t> sizes = cluster_sizes(cluster_labels(frame.theta, frame.dim, angle));
  out[0] = static_cast<double>(sizes.size());
  out[1] = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
}

} // namespace

// The default, 8 degrees, is cosine 0.990.
Quantity clusters(core::Settings& output, const ObservableContext&) {
  Threshold threshold = read_threshold(output, "cluster_angle", "8 deg");
  threshold.attributes.emplace_back("rule",
                                    "connected components of the graph that joins two tokens when their angle on the "
                                    "sphere is below the threshold");
  return {
      .variables = {{.name = "n_clusters",
                     .long_name = "number of clusters",
                     .is_integer = true,
                     .attributes = threshold.attributes},
                    {.name = "largest_cluster",
                     .long_name = "tokens in the largest cluster",
                     .is_integer = true,
                     .attributes = threshold.attributes}},
      .measure = [angle = threshold.angle](const Frame& frame, std::span<double> out) { measure(frame, angle, out); }};
}

} // namespace normdyn::observables
