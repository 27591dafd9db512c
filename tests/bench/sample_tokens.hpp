#pragma once
#include "normdyn/core/random.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/geometry/state.hpp"

namespace normdyn::bench {

/// n independent uniform directions.
inline geometry::State sample_tokens(std::size_t n, std::size_t dim) {
  geometry::State theta(n * dim);
  for (std::size_t j = 0; j < n; ++j) {
    core::RandomStream stream(5, core::Purpose::token_direction, 0, j);
    for (std::size_t c = 0; c < dim; ++c)
      theta[j * dim + c] = stream.normal();
    geometry::normalize(std::span(theta).subspan(j * dim, dim));
  }
  return theta;
}

} // namespace normdyn::bench
