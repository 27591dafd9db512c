#pragma once
// Integrals in time along a run: the run is seen at the Gauss-Legendre nodes of panels, 8 to a panel.

#include <span>
#include <vector>

namespace normdyn::theorems {

/// The nodes of all panels [edges[i], edges[i+1]], increasing.
[[nodiscard]] std::vector<double> gauss_nodes(std::span<const double> edges);

/// The integral from edges[0] to each edge, from the values at gauss_nodes(edges). Exact for polynomials of degree 15
/// on each panel.
[[nodiscard]] std::vector<double> gauss_integrals(std::span<const double> edges, std::span<const double> values);

} // namespace normdyn::theorems
