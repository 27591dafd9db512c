#pragma once
// The angle below which two tokens count as close: read with its unit, stored with its unit.

#include "normdyn/observables/observable.hpp"

#include <string>

namespace normdyn::observables {

struct Threshold {
  double angle = 0.0; ///< radians, in (0, pi]
  /// threshold, threshold_unit, threshold_cosine
  std::vector<std::pair<std::string, std::variant<double, std::string>>> attributes;
};

/// Reads `key` of [output]: "8 deg", "0.14 rad", "cos 0.99", "chord 0.14". Zero is refused: no pair is closer.
[[nodiscard]] Threshold read_threshold(core::Settings& output, const std::string& key, const std::string& fallback);

} // namespace normdyn::observables
