#pragma once
// The directions at which the field is evaluated: every token of a state divided by its length.

#include "normdyn/geometry/sphere.hpp"
#include "normdyn/geometry/state.hpp"

#include <algorithm>
#include <span>

namespace normdyn::dynamics {

class UnitTokens {
 public:
  UnitTokens(std::size_t n_tokens, std::size_t dim) : dim_(dim), directions_(n_tokens * dim), lengths_(n_tokens) {}

  void set(const geometry::Layout& layout, std::span<const double> x) {
    const std::span<const double> block = layout.directions(x);
    std::copy(block.begin(), block.end(), directions_.begin());
    for (std::size_t j = 0; j < lengths_.size(); ++j)
      lengths_[j] = geometry::normalize(std::span(directions_).subspan(j * dim_, dim_));
  }
  [[nodiscard]] std::span<const double> directions() const { return directions_; }
  [[nodiscard]] std::span<const double> direction(std::size_t j) const {
    return std::span(directions_).subspan(j * dim_, dim_);
  }
  [[nodiscard]] double length(std::size_t j) const { return lengths_[j]; }

 private:
  std::size_t dim_;
  geometry::State directions_, lengths_;
};

} // namespace normdyn::dynamics
