#include "normdyn/geometry/product_sphere.hpp"

#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::geometry {

void ProductSphere::retract(std::span<double> x) const {
  for (std::size_t j = 0; j < n_tokens_; ++j)
    normalize(x.subspan(j * dim_, dim_));
}

double ProductSphere::constraint_violation(std::span<const double> x) const {
  double worst = 0.0;
  for (std::size_t j = 0; j < n_tokens_; ++j) {
    const double violation = std::abs(norm(x.subspan(j * dim_, dim_)) - 1.0);
    if (std::isnan(violation))
      return violation;
    worst = std::max(worst, violation);
  }
  return worst;
}

void ProductSphere::tangent(std::span<const double> x, std::span<double> y) const {
  for (std::size_t j = 0; j < n_tokens_; ++j) {
    const std::span<double> token = y.subspan(j * dim_, dim_);
    project_tangent(x.subspan(j * dim_, dim_), token, token);
  }
}

double ProductSphere::distance(std::span<const double> x, std::span<const double> y) const {
  double worst = 0.0;
  for (std::size_t j = 0; j < n_tokens_; ++j)
    worst = std::max(worst, angle(x.subspan(j * dim_, dim_), y.subspan(j * dim_, dim_)));
  return worst;
}

double ProductSphere::tangent_norm(std::span<const double> x, std::span<const double> e) const {
  double worst = 0.0;
  for (std::size_t j = 0; j < n_tokens_; ++j) {
    const double* direction = &x[j * dim_];
    const double* displacement = &e[j * dim_];
    double along = 0.0;
    for (std::size_t i = 0; i < dim_; ++i)
      along += direction[i] * displacement[i];
    double square = 0.0;
    for (std::size_t i = 0; i < dim_; ++i) {
      const double tangential = displacement[i] - along * direction[i];
      square += tangential * tangential;
    }
    if (!(square <= worst))
      worst = square; // also taken when NaN, and kept then by the negated test
    if (std::isnan(square))
      return square;
  }
  return std::sqrt(worst);
}

} // namespace normdyn::geometry
