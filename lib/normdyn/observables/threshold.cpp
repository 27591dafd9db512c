#include "normdyn/observables/threshold.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::observables {

Threshold read_threshold(core::Settings& output, const std::string& key, const std::string& fallback) {
  const double angle = output.angle(key, fallback);
  if (!(angle > 0.0))
    output.refuse(key, "an angle of zero, and no two tokens are closer than that",
                  fmt::format("the default is \"{}\"", fallback));
  return {angle, {{"threshold", angle}, {"threshold_unit", "radian"}, {"threshold_cosine", std::cos(angle)}}};
}

} // namespace normdyn::observables
