#include "normdyn/geometry/sphere.hpp"
#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::initial {
namespace {

double draw_chi_squared(core::RandomStream& stream, std::size_t degrees) {
  double sum = 0.0;
  for (std::size_t i = 0; i < degrees; ++i) {
    const double value = stream.normal();
    sum += value * value;
  }
  return sum;
}

// 1 - <center, x>, by the exact rejection of Wood, "Simulation of the von Mises Fisher distribution" (1994), written
// in g = 1 - W so that no digit is lost at large concentration.
double draw_gap(core::RandomStream& stream, std::size_t dim, double concentration) {
  const double m = static_cast<double>(dim - 1);
  const double b = m / (2.0 * concentration + std::hypot(2.0 * concentration, m));
  const double gap0 = 2.0 * b / (1.0 + b);                // 1 - x0, x0 = (1 - b) / (1 + b)
  const double log_scale = std::log(gap0 * (2.0 - gap0)); // log(1 - x0^2)
  for (;;) {
    const double first = draw_chi_squared(stream, dim - 1), second = draw_chi_squared(stream, dim - 1);
    const double z = first / (first + second); // Beta(m/2, m/2)
    const double gap = 2.0 * b * z / (1.0 - (1.0 - b) * z);
    const double log_ratio = concentration * (gap0 - gap) + m * (std::log(gap0 + (1.0 - gap0) * gap) - log_scale);
    if (log_ratio >= std::log(stream.uniform()))
      return gap;
  }
}

std::vector<double> read_centers(core::Settings& section, const InitialContext& context, std::size_t n_clusters,
                                 std::size_t dim) {
  std::vector<double> centers(n_clusters * dim);
  if (!section.has("centers")) {
    for (std::size_t k = 0; k < n_clusters; ++k) {
      core::RandomStream stream(context.seed, core::Purpose::cluster_center, context.member, k);
      draw_direction(stream, std::span(centers).subspan(k * dim, dim));
    }
    return centers;
  }
  const std::vector<std::vector<double>> rows = section.rows("centers");
  if (rows.size() != n_clusters || rows.front().size() != dim)
    section.refuse("centers", fmt::format("{} rows of {} numbers for {} clusters in dimension {}", rows.size(),
                                          rows.front().size(), n_clusters, dim));
  for (std::size_t k = 0; k < n_clusters; ++k) {
    const std::span<double> center = std::span(centers).subspan(k * dim, dim);
    std::copy(rows[k].begin(), rows[k].end(), center.begin());
    if (!(geometry::normalize(center) > 0.0))
      section.refuse("centers", fmt::format("row {} is zero and has no direction", k));
  }
  return centers;
}

Draft read(core::Settings& section, const InitialContext& context) {
  static const std::vector<std::string> assignments{"random", "cyclic"};
  Draft draft = sized_draft(section, 2, "a sphere of two points has no von Mises-Fisher law");
  const std::size_t dim = draft.dim;
  const auto n_clusters =
      static_cast<std::size_t>(section.integer("clusters", {.fallback = 1, .at_least = 1, .at_most = 1'000'000}));
  const double concentration = section.number("concentration", {.at_least = 0.0, .at_most = 1e15});
  const std::vector<double> centers = read_centers(section, context, n_clusters, dim);
  const bool is_cyclic = section.choice("assignment", assignments, "random") == "cyclic";
  for (std::size_t j = 0; j < draft.n_tokens; ++j) {
    core::RandomStream chooser(context.seed, core::Purpose::cluster_label, context.member, j);
    const auto drawn = static_cast<std::size_t>(chooser.uniform() * static_cast<double>(n_clusters));
    const std::size_t cluster = is_cyclic ? j % n_clusters : std::min(drawn, n_clusters - 1);
    const std::span<const double> center = std::span(centers).subspan(cluster * dim, dim);
    core::RandomStream stream = token_stream(context, j);
    const double gap = draw_gap(stream, dim, concentration), sine = std::sqrt(gap * (2.0 - gap));
    const std::span<double> x = draft.row(j);
    draw_orthogonal_direction(stream, center, x);
    for (std::size_t c = 0; c < dim; ++c)
      x[c] = sine * x[c] + (1.0 - gap) * center[c];
  }
  draft.generator = fmt::format("{} von Mises-Fisher cluster{}, concentration {}", n_clusters,
                                n_clusters == 1 ? "" : "s", concentration);
  return draft;
}

} // namespace

Law von_mises_fisher_law() {
  return {"von_mises_fisher", {"clusters", "concentration", "centers", "assignment"}, read};
}

} // namespace normdyn::initial
