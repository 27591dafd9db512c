#pragma once
// How long the next step is: from the error of the last one, or fixed.

#include "normdyn/core/interval.hpp"
#include "normdyn/integrate/solve.hpp"
#include "normdyn/integrate/stepper.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace normdyn::integrate {

class StepControl {
 public:
  virtual ~StepControl() = default;
  /// A new smooth piece begins.
  virtual void enter(core::Interval piece) = 0;
  /// Where the next step from t ends, in (t, piece end]; t itself when no step is left to try.
  [[nodiscard]] virtual double target(double t) const = 0;
  /// Whether a step of this length and scaled error is good; fixes the next step. `proposal` is the method's own, or 0.
  [[nodiscard]] virtual bool judge(double error, double step, double proposal) = 0;
  /// The step that the controller would take, whatever breakpoint is near.
  [[nodiscard]] virtual double step() const = 0;
};

/// Proportional-integral control, h' = 0.9 h e^(-0.85/k) e_old^(0.2/k) within [h/5, 10 h] (the exponents of Hairer,
/// Norsett and Wanner's dopri5, II.4, for any k), no growth right after a rejection. A step that a breakpoint cut short
/// does not shorten the steps after it.
[[nodiscard]] std::unique_ptr<StepControl> make_adaptive_control(double first_step, int error_exponent,
                                                                 const SolveOptions& options);

/// Steps end at piece.begin + k h and at the end of the piece; with an origin, at origin + k h in all pieces.
[[nodiscard]] std::unique_ptr<StepControl> make_fixed_control(double step, std::optional<double> origin);

/// k such that begin + k h is the last grid time not beyond t, up to rounding (1e-9 of a step).
[[nodiscard]] std::int64_t whole_steps(double begin, double t, double step);
/// begin + k h, or `end` if that is the same up to rounding or beyond it.
[[nodiscard]] double grid_time(core::Interval piece, std::int64_t k, double step);

/// A first step of some 1 % of the error scale's reach: Hairer, Norsett, Wanner, II.4, made independent of the unit of
/// time. Takes one evaluation besides the stepper's derivative, inside the piece.
[[nodiscard]] double choose_first_step(Stepper& stepper, double length);

} // namespace normdyn::integrate
