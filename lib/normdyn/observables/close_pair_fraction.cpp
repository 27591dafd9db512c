#include "normdyn/observables/pairs.hpp"
#include "normdyn/observables/quantity.hpp"
#include "normdyn/observables/threshold.hpp"

namespace normdyn::observables {
namespace {

double close_pair_fraction_of(const Frame& frame, double angle) {
  const Pairs pairs(frame.theta, frame.dim);
  if (frame.n_tokens < 2 || !pairs.is_finite())
    return undefined;
  const double limit = chord_squared(angle), slack = pairs.largest_slack();
  std::size_t close = 0;
  pairs.visit([&](std::size_t j, std::size_t first, std::span<const double> squares) {
    for (std::size_t i = 0; i < squares.size(); ++i)
      close += squares[i] < limit - slack || (squares[i] < limit + slack && pairs.exact_square(j, first + i) < limit);
  });
  const double n = static_cast<double>(frame.n_tokens);
  return static_cast<double>(close) / (0.5 * n * (n - 1.0));
}

} // namespace

// acos(0.999) is the threshold of the published phase diagrams; pairs j = j are left out, else the fraction never falls
// below 1/n.
Quantity close_pair_fraction(core::Settings& output, const ObservableContext&) {
  Threshold threshold = read_threshold(output, "close_angle", "acos(0.999)");
  return {.variables = {{.name = "close_pair_fraction",
                         .long_name = "fraction of pairs j != k whose angle is below the threshold",
                         .attributes = threshold.attributes}},
          .measure = [angle = threshold.angle](const Frame& frame, std::span<double> out) {
            out[0] = close_pair_fraction_of(frame, angle);
          }};
}

} // namespace normdyn::observables
