#pragma once
// Minimum, maximum and mean of one value per token. Empty: undefined. A NaN among the values makes the result NaN.

#include "normdyn/observables/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace normdyn::observables {

[[nodiscard]] inline double least(std::span<const double> values) {
  double result = values.empty() ? undefined : values.front();
  for (const double v : values)
    result = std::isnan(v) ? v : std::isnan(result) ? result : std::min(result, v);
  return result;
}

[[nodiscard]] inline double greatest(std::span<const double> values) {
  double result = values.empty() ? undefined : values.front();
  for (const double v : values)
    result = std::isnan(v) ? v : std::isnan(result) ? result : std::max(result, v);
  return result;
}

[[nodiscard]] inline double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double v : values)
    sum += v;
  return values.empty() ? undefined : sum / static_cast<double>(values.size());
}

} // namespace normdyn::observables
