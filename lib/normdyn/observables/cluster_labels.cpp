#include "normdyn/observables/cluster_labels.hpp"

#include "normdyn/observables/pairs.hpp"

#include <numeric>

namespace normdyn::observables {
namespace {

// Union-find with path halving; the root of a set is its smallest token.
class Components {
 public:
  explicit Components(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  [[nodiscard]] std::size_t root(std::size_t i) {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) {
    i = root(i);
    j = root(j);
    (i < j ? parent_[j] : parent_[i]) = i < j ? i : j;
  }

 private:
  std::vector<std::size_t> parent_;
};

} // namespace

std::vector<std::size_t> cluster_labels(std::span<const double> theta, std::size_t dim, double angle) {
  const Pairs pairs(theta, dim);
  const double limit = chord_squared(angle);
  const double largest_slack = pairs.largest_slack();
  Components components(pairs.n_tokens());
  pairs.visit([&](std::size_t j, std::size_t first, std::span<const double> squares) {
    for (std::size_t i = 0; i < squares.size(); ++i) {
      if (!(squares[i] < limit + largest_slack))
        continue;
      const std::size_t k = first + i;
      if (components.root(j) == components.root(k))
        continue;
      if (squares[i] < limit - largest_slack || pairs.exact_square(j, k) < limit)
        components.join(j, k);
    }
  });
  std::vector<std::size_t> labels(pairs.n_tokens());
  std::size_t count = 0;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    const std::size_t root = components.root(j);
    labels[j] = root == j ? count++ : labels[root];
  }
  return labels;
}

std::vector<std::size_t> cluster_sizes(std::span<const std::size_t> labels) {
  std::vector<std::size_t> sizes;
  for (const std::size_t label : labels) {
    if (label >= sizes.size())
      sizes.resize(label + 1);
    ++sizes[label];
  }
  return sizes;
}

} // namespace normdyn::observables
