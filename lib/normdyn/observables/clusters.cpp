#include "normdyn/observables/cluster_labels.hpp"
#include "normdyn/observables/quantity.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::observables {

Quantity clusters(core::Settings& output, const ObservableContext&) {
  const double angle = output.angle("cluster_angle", "8 deg");
  if (!(angle > 0.0))
    output.refuse("cluster_angle", "is zero, so that no token is closer to another", "\"8 deg\" is the default");
  const std::vector<std::pair<std::string, std::variant<double, std::string>>> attributes = {
      {"threshold", angle},
      {"threshold_unit", "radian"},
      {"rule", "connected components of the graph that joins tokens whose angle on the sphere is below the threshold"}};
  return {.variables =
              {{.name = "n_clusters", .long_name = "number of clusters", .is_integer = true, .attributes = attributes},
               {.name = "largest_cluster",
                .long_name = "tokens in the largest cluster",
                .is_integer = true,
                .attributes = attributes}},
          .measure = [angle](const Frame& frame, std::span<double> out) {
            const auto sizes = cluster_sizes(cluster_labels(frame.theta, frame.dim, angle));
            out[0] = static_cast<double>(sizes.size());
            out[1] = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
          }};
}

} // namespace normdyn::observables
