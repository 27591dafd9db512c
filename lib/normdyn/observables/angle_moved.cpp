#include "normdyn/geometry/sphere.hpp"
#include "normdyn/observables/quantity.hpp"

namespace normdyn::observables {
namespace {

double angle_moved_of(const Frame& frame) {
  double sum = 0.0;
  for (std::size_t j = 0; j < frame.n_tokens; ++j)
    sum += geometry::angle(frame.token(j), frame.initial_theta.subspan(j * frame.dim, frame.dim));
  return sum / static_cast<double>(frame.n_tokens);
}

} // namespace

Quantity angle_moved(core::Settings&, const ObservableContext&) {
  return {.variables = {{.name = "angle_moved",
                         .long_name = "mean over tokens of the angle between theta_j and its start",
                         .attributes = {{"units", "radian"}}}},
          .measure = [](const Frame& frame, std::span<double> out) { out[0] = angle_moved_of(frame); }};
}

} // namespace normdyn::observables
