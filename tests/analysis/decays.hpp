#pragma once
// Decays with known laws, for several files of this suite.

#include "normdyn/analysis/decay.hpp"

#include <cmath>
#include <functional>
#include <vector>

namespace normdyn::testing {

/// `count` times from begin to end, in equal ratios.
inline std::vector<double> log_spaced(double begin, double end, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i)
    times.push_back(begin * std::pow(end / begin, i / (count - 1.0)));
  return times;
}

/// `count` times from begin to end, in equal steps.
inline std::vector<double> evenly_spaced(double begin, double end, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i)
    times.push_back(begin + (end - begin) * i / (count - 1.0));
  return times;
}

/// From log u as a function, and u'/u if that is given too.
inline analysis::Decay decay_by(const std::vector<double>& times, const std::function<double(double)>& log_value,
                                const std::function<double(double)>& log_derivative = {}) {
  analysis::Decay decay;
  decay.times = times;
  for (const double t : times) {
    decay.log_values.push_back(log_value(t));
    if (log_derivative)
      decay.log_derivatives.push_back(log_derivative(t));
  }
  return decay;
}

} // namespace normdyn::testing
