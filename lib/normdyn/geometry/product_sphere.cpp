#include "normdyn/geometry/product_sphere.hpp"

#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::geometry {

namespace {

/// |P_x e|^2. Partial sums in a fixed order, as in `dot`, so that the compiler may use vector registers.
double tangential_square(const double* x, const double* e, std::size_t dim) {
  constexpr std::size_t n_lanes = 8;
  const double along = dot({x, dim}, {e, dim});
  double lanes[n_lanes] = {};
  std::size_t i = 0;
  for (; i + n_lanes <= dim; i += n_lanes)
    for (std::size_t l = 0; l < n_lanes; ++l) {
      const double tangential = e[i + l] - along * x[i + l];
      lanes[l] += tangential * tangential;
    }
  double square = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  for (; i < dim; ++i) {
    const double tangential = e[i] - along * x[i];
    square += tangential * tangential;
  }
  return square;
}

} // namespace

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
    const std::span<const double> displacement = e.subspan(j * dim_, dim_);
    if (dot(displacement, displacement) <= worst)
      continue; // a projection is not longer
    const double square = tangential_square(&x[j * dim_], displacement.data(), dim_);
    if (!(square <= worst))
      worst = square; // also taken when NaN, and kept then by the negated test
    if (std::isnan(square))
      return square;
  }
  return std::sqrt(worst);
}

} // namespace normdyn::geometry
