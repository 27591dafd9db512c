#pragma once
// The product of n unit spheres (S^{d-1})^n, as a flat block of n*d numbers.
//
// Laws (tests/geometry):  retract(retract(x)) = retract(x) to 1 ulp;  constraint_violation(retract(x)) <= 4e-16;
// tangent(x, tangent(x, y)) = tangent(x, y);  <x_j, tangent(x, y)_j> = 0;  distance is a metric and is invariant under
// a common rotation.

#include <cstddef>
#include <span>

namespace normdyn::geometry {

class ProductSphere {
 public:
  ProductSphere(std::size_t n_tokens, std::size_t dim) : n_tokens_(n_tokens), dim_(dim) {}

  /// Nearest point of the manifold: every token divided by its norm.
  void retract(std::span<double> x) const;
  /// max_j | |x_j| - 1 |; NaN if any component is.
  [[nodiscard]] double constraint_violation(std::span<const double> x) const;
  /// y_j <- P_{x_j} y_j, in place.
  void tangent(std::span<const double> x, std::span<double> y) const;
  /// max_j angle(x_j, y_j), in radians.
  [[nodiscard]] double distance(std::span<const double> x, std::span<const double> y) const;
  /// max_j |P_{x_j} e_j|: the length of a small displacement, in radians. NaN if any component is not finite.
  [[nodiscard]] double tangent_norm(std::span<const double> x, std::span<const double> e) const;

 private:
  std::size_t n_tokens_, dim_;
};

} // namespace normdyn::geometry
