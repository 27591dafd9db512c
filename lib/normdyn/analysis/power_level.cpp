#include "normdyn/analysis/power_level.hpp"

#include <cmath>

namespace normdyn::analysis {

PowerLevel power_level(const Decay& decay, double exponent, double shift) {
  std::vector<double> levels;
  double mean = 0.0, squares = 0.0;
  const double count = static_cast<double>(decay.size());
  for (std::size_t i = 0; i < decay.size(); ++i) {
    levels.push_back(decay.log_values[i] + exponent * std::log(decay.times[i] + shift));
    mean += levels.back() / count;
  }
  for (const double level : levels)
    squares += (level - mean) * (level - mean);
  return {mean, std::sqrt(squares / count)};
}

std::vector<double> inverse_slopes(const Decay& decay, std::size_t stencil) {
  std::vector<double> slopes = log_slopes(decay, stencil);
  for (double& slope : slopes)
    slope = 1.0 / slope;
  return slopes;
}

} // namespace normdyn::analysis
