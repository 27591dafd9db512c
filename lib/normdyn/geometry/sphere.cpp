#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::geometry {

// Eight partial sums in a fixed order: an eighth of the rounding of one running sum (which reaches 1e-14 at d = 300,
// the bound on norms of stored frames), and the compiler may use vector registers.
double dot(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t n_lanes = 8;
  double lanes[n_lanes] = {};
  std::size_t i = 0;
  for (; i + n_lanes <= a.size(); i += n_lanes)
    for (std::size_t l = 0; l < n_lanes; ++l)
      lanes[l] += a[i + l] * b[i + l];
  double sum = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  for (; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

double norm(std::span<const double> a) {
  const double square = dot(a, a);
  if (square > 1e-280 && square < 1e280)
    return std::sqrt(square);
  double largest = 0.0;
  for (const double v : a)
    largest = std::isnan(v) ? v : std::max(largest, std::abs(v));
  if (!(largest > 0.0) || std::isinf(largest))
    return largest;
  double sum = 0.0;
  for (const double v : a)
    sum += (v / largest) * (v / largest);
  return largest * std::sqrt(sum);
}

double distance_squared(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

double angle(std::span<const double> a, std::span<const double> b) {
  double difference = 0.0, total = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    total += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return 2.0 * std::atan2(std::sqrt(difference), std::sqrt(total));
}

double angle_from_gap(double gap) {
  return 2.0 * std::asin(std::sqrt(std::clamp(0.5 * gap, 0.0, 1.0)));
}

double normalize(std::span<double> a) {
  const double length = norm(a);
  if (!(length > 0.0) || !std::isfinite(length))
    return length;
  for (double& v : a)
    v /= length;
  return length;
}

double project_tangent(std::span<const double> x, std::span<const double> y, std::span<double> out) {
  const double along = dot(x, y);
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = y[i] - along * x[i];
  return along;
}

} // namespace normdyn::geometry
