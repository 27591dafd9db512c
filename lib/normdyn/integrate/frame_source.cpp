#include "normdyn/integrate/frame_source.hpp"

#include <utility>

namespace normdyn::integrate {

FrameSource::FrameSource(const dynamics::Equation& equation, const geometry::State& x0,
                         std::function<double(double)> beta)
    : equation_(equation), beta_(std::move(beta)) {
  const geometry::Layout& layout = equation.layout();
  theta_.resize(layout.directions_size());
  radius_.resize(equation.has_radius() ? layout.n_tokens : 0);
  equation_.frame(x0, theta_, radius_);
  initial_theta_ = theta_;
}

observables::Frame FrameSource::frame(const geometry::State& x, double t, std::int64_t layer, dynamics::System& system,
                                      bool with_motion) {
  const geometry::Layout& layout = equation_.layout();
  equation_.frame(x, theta_, radius_);
  observables::Frame frame{.time = t,
                           .layer = layer,
                           .n_tokens = layout.n_tokens,
                           .dim = layout.dim,
                           .theta = theta_,
                           .radius = radius_,
                           .initial_theta = initial_theta_,
                           .clock = equation_.clock(x),
                           .beta = beta_ ? beta_(t) : 0.0,
                           .drift = {},
                           .log_partition = {},
                           .entropy = {},
                           .speed = {},
                           .token_speed = {},
                           .radial_rate = {}};
  if (with_motion) {
    system.motion(x, t, motion_);
    ++evaluations_;
    frame.drift = motion_.drift;
    frame.log_partition = motion_.log_partition;
    frame.entropy = motion_.entropy;
    frame.speed = motion_.speed;
    frame.token_speed = motion_.token_speed;
    frame.radial_rate = motion_.radial_rate;
  }
  return frame;
}

} // namespace normdyn::integrate
