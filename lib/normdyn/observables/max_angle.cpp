#include "normdyn/geometry/sphere.hpp"
#include "normdyn/observables/pairs.hpp"
#include "normdyn/observables/quantity.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::observables {
namespace {

// The chord determines the angle well except near pi, where chords within their slack of the largest are candidates.
double max_angle_of(const Frame& frame) {
  const Pairs pairs(frame.theta, frame.dim);
  if (frame.n_tokens < 2 || !pairs.is_finite())
    return undefined;
  double largest = -std::numeric_limits<double>::infinity();
  std::size_t j_far = 0, k_far = 1;
  pairs.visit([&](std::size_t j, std::size_t first, std::span<const double> squares) {
    const auto row = std::max_element(squares.begin(), squares.end());
    if (*row > largest) {
      largest = *row;
      j_far = j;
      k_far = first + static_cast<std::size_t>(row - squares.begin());
    }
  });
  double angle = geometry::angle(pairs.token(j_far), pairs.token(k_far));
  constexpr double nearly_antipodal = 3.99;
  if (largest < nearly_antipodal)
    return angle;
  const double limit = largest - 2.0 * pairs.largest_slack();
  pairs.visit([&](std::size_t j, std::size_t first, std::span<const double> squares) {
    for (std::size_t i = 0; i < squares.size(); ++i)
      if (squares[i] >= limit)
        angle = std::max(angle, geometry::angle(pairs.token(j), pairs.token(first + i)));
  });
  return angle;
}

} // namespace

Quantity max_angle(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "max_angle",
                         .long_name = "largest angle between two tokens",
                         .attributes = {{"units", "radian"}}}},
          .measure = [](const Frame& frame, std::span<double> out) { out[0] = max_angle_of(frame); }};
}

} // namespace normdyn::observables
