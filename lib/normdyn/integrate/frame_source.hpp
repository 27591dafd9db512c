#pragma once
// Makes frames of states: directions and radii by the equation, the motion by the system if it is wanted.

#include "normdyn/dynamics/equation.hpp"
#include "normdyn/observables/frame.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace normdyn::integrate {

class FrameSource final {
 public:
  /// `beta` may be empty: 0.
  FrameSource(const dynamics::Equation& equation, const geometry::State& x0, std::function<double(double)> beta);

  /// The frame of x at t; views are valid until the next call. `system` is that of the piece; `layer` counts steps.
  [[nodiscard]] observables::Frame frame(const geometry::State& x, double t, std::int64_t layer,
                                         dynamics::System& system, bool with_motion);
  /// Motions evaluated so far.
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

 private:
  const dynamics::Equation& equation_;
  std::function<double(double)> beta_;
  std::vector<double> theta_, radius_, initial_theta_;
  dynamics::Motion motion_;
  std::int64_t evaluations_ = 0;
};

} // namespace normdyn::integrate
