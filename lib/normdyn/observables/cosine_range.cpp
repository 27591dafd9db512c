#include "normdyn/observables/pairs.hpp"
#include "normdyn/observables/quantity.hpp"

#include <algorithm>

namespace normdyn::observables {
namespace {

struct Pair {
  std::size_t j = 0, k = 1;
  double square = 0.0;
};

// The extreme pairs are found from products; their cosines are computed from differences.
void measure(const Frame& frame, std::span<double> out) {
  out[0] = out[1] = undefined;
  const Pairs pairs(frame.theta, frame.dim);
  if (frame.n_tokens < 2 || !pairs.is_finite())
    return;
  Pair farthest{.square = -std::numeric_limits<double>::infinity()};
  Pair closest{.square = std::numeric_limits<double>::infinity()};
  pairs.visit([&](std::size_t j, std::size_t first, std::span<const double> squares) {
    const auto [low, high] = std::minmax_element(squares.begin(), squares.end());
    if (*high > farthest.square)
      farthest = {j, first + static_cast<std::size_t>(high - squares.begin()), *high};
    if (*low < closest.square)
      closest = {j, first + static_cast<std::size_t>(low - squares.begin()), *low};
  });
  out[0] = cosine(pairs.token(farthest.j), pairs.token(farthest.k));
  out[1] = cosine(pairs.token(closest.j), pairs.token(closest.k));
}

} // namespace

Quantity cosine_range(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "min_cosine", .long_name = "smallest <theta_j, theta_k> over pairs j != k"},
                        {.name = "max_cosine", .long_name = "largest <theta_j, theta_k> over pairs j != k"}},
          .measure = measure};
}

} // namespace normdyn::observables
