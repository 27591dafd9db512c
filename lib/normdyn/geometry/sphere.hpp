#pragma once
// The unit sphere S^{d-1} in R^d. Near coincidence every quantity is computed from differences, never from 1 - <x,y> or
// acos: those floor at 1e-16 and 1e-8, differences at 1e-32 and 1e-16.

#include <span>

namespace normdyn::geometry {

[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b);
/// |a|, without overflow or underflow for any finite a.
[[nodiscard]] double norm(std::span<const double> a);
/// |a - b|^2
[[nodiscard]] double distance_squared(std::span<const double> a, std::span<const double> b);

/// Angle between unit vectors, in [0, pi]: 2 atan2(|a - b|, |a + b|). Relative error of some ulp at both ends.
[[nodiscard]] double angle(std::span<const double> a, std::span<const double> b);

/// Angle whose cosine is 1 - u, from u = |a - b|^2 / 2 in [0, 2]: 2 asin(sqrt(u / 2)).
[[nodiscard]] double angle_from_gap(double gap);

/// a / |a| in place; returns |a|. Leaves a unchanged if |a| = 0 or is not finite.
double normalize(std::span<double> a);

/// Tangent projection P_x y = y - <x, y> x for a unit x; returns <x, y>.
double project_tangent(std::span<const double> x, std::span<const double> y, std::span<double> out);

} // namespace normdyn::geometry
