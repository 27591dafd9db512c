#include "normdyn/observables/pairs.hpp"
#include "normdyn/observables/quantity.hpp"

#include <algorithm>

namespace normdyn::observables {
namespace {

// Bins [lower, upper); the last also holds 1.
void measure(const Frame& frame, std::span<double> out) {
  const Pairs pairs(frame.theta, frame.dim);
  std::fill(out.begin(), out.end(), undefined_count);
  if (frame.n_tokens < 2 || !pairs.is_finite())
    return;
  std::fill(out.begin(), out.end(), 0.0);
  const double bins = static_cast<double>(out.size());
  pairs.visit([&](std::size_t, std::size_t, std::span<const double> squares) {
    for (const double square : squares) {
      const double position = bins * (1.0 - 0.25 * square); // (cosine + 1) / 2 of the way
      ++out[static_cast<std::size_t>(std::clamp(position, 0.0, bins - 1.0))];
    }
  });
}

} // namespace

Quantity cosine_histogram(core::Settings& output, const ObservableContext&) {
  const auto bins = static_cast<std::size_t>(
      output.integer("histogram_bins", {.fallback = 100, .at_least = 1, .at_most = 1'000'000}));
  Variable variable = {
      .name = "cosine_histogram",
      .long_name = "number of pairs j < k with <theta_j, theta_k> in the bin",
      .is_integer = true,
      .attributes = {{"pairs", "each pair j < k once, n (n - 1) / 2 in all; the last bin holds its upper edge"}},
      .axis = "cosine_bin"};
  for (std::size_t b = 0; b <= bins; ++b) {
    const auto edge = [bins](double position) { return 2.0 * position / static_cast<double>(bins) - 1.0; };
    variable.axis_bounds.push_back(edge(static_cast<double>(b)));
    if (b < bins)
      variable.axis_values.push_back(edge(static_cast<double>(b) + 0.5));
  }
  return {.variables = {std::move(variable)}, .measure = measure};
}

} // namespace normdyn::observables
