#include "normdyn/theorems/gauss_panels.hpp"

#include "normdyn/core/error.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <array>
#include <cstddef>

namespace normdyn::theorems {
namespace {

constexpr std::size_t order = 8;

struct Rule {
  std::array<double, order> node, weight; ///< on [-1, 1], increasing
};

const Rule& rule() {
  static const Rule made = [] {
    using Gauss = boost::math::quadrature::gauss<double, order>; // gives the half with positive nodes
    Rule full{};
    for (std::size_t i = 0; i < order / 2; ++i) {
      full.node[order / 2 + i] = Gauss::abscissa()[i];
      full.node[order / 2 - 1 - i] = -Gauss::abscissa()[i];
      full.weight[order / 2 + i] = full.weight[order / 2 - 1 - i] = Gauss::weights()[i];
    }
    return full;
  }();
  return made;
}

} // namespace

std::vector<double> gauss_nodes(std::span<const double> edges) {
  std::vector<double> nodes;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    for (const double x : rule().node)
      nodes.push_back(edges[i] + 0.5 * (1.0 + x) * (edges[i + 1] - edges[i]));
  return nodes;
}

std::vector<double> gauss_integrals(std::span<const double> edges, std::span<const double> values) {
  core::believe(values.size() == order * (edges.size() - 1), "one value for each node");
  std::vector<double> integrals{0.0};
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    double panel = 0.0;
    for (std::size_t k = 0; k < order; ++k)
      panel += rule().weight[k] * values[order * i + k];
    integrals.push_back(integrals.back() + 0.5 * (edges[i + 1] - edges[i]) * panel);
  }
  return integrals;
}

} // namespace normdyn::theorems
