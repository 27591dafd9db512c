#pragma once
// One step at a time. A StepMethod is a formula for a step and its interpolant; the Stepper around it owns the states,
// measures the error in the equation's norm, and keeps the state on the manifold:
//
//   restart at t -> attempt(t_new) ... attempt(t_new) -> accept -> at(t) for t in the step -> attempt ...
//
// A step is asked for by its end time, so that landing on a time is exact. On acceptance the unprojected step is kept
// for interpolation and the state is retracted. The field is homogeneous of degree 0, f(N x) = f(x), so the derivative
// at the end of a step stays valid through the retraction and is never evaluated twice.

#include "normdyn/dynamics/equation.hpp"
#include "normdyn/integrate/solve.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace normdyn::integrate {

/// What Odeint steps with, by reference. Times of stages are clamped to the end of the step: t + c h may round past it,
/// and a table may have no data there.
class BoundSystem final {
 public:
  void bind(dynamics::System& system) { system_ = &system; }
  void limit(double t) { limit_ = t; }
  void operator()(const geometry::State& x, geometry::State& dxdt, double t) {
    (*system_)(x, dxdt, std::min(t, limit_));
  }
  [[nodiscard]] dynamics::System& system() { return *system_; }
  /// By the system bound now; 0 without one.
  [[nodiscard]] std::int64_t n_evaluations() const { return system_ ? system_->n_evaluations() : 0; }

 private:
  dynamics::System* system_ = nullptr;
  double limit_ = 0.0;
};

/// The states of a step.
struct StepData {
  geometry::State x_old, f_old; ///< where the last accepted step began, and the derivative there
  geometry::State x, f;         ///< now, on the manifold
  geometry::State x_new, f_new; ///< end of the step tried last, unprojected: after acceptance, the interpolant's end
  geometry::State error;        ///< its error estimate
  double t_old = 0.0, t = 0.0, t_new = 0.0;
  [[nodiscard]] double step() const { return t_new - t; }
};

/// |e| in the equation's norm, at the tolerance of the run.
struct ErrorNorm {
  const dynamics::Equation* equation = nullptr;
  dynamics::Tolerance tolerance{};
  /// Scaled error of a step from x to x_new, never NaN.
  [[nodiscard]] double operator()(const geometry::State& x, const geometry::State& e,
                                  const geometry::State& x_new) const;
};

class StepMethod {
 public:
  virtual ~StepMethod() = default;
  /// The exponent k of the error estimate, e = O(h^k); 0 for methods without one.
  [[nodiscard]] virtual int error_exponent() const = 0;
  /// Whether `interpolate` works (else output is at steps only).
  [[nodiscard]] virtual bool has_dense_output() const { return true; }

  virtual void resize(std::size_t) {}
  /// Forgets what came before data.t; fills data.f if the method steps from it.
  virtual void restart(BoundSystem& system, StepData& data) = 0;
  /// From data.x at data.t to data.x_new at data.t_new; returns the scaled error, +infinity if anything is not finite
  /// (0 without an estimate).
  [[nodiscard]] virtual double attempt(BoundSystem& system, StepData& data, const ErrorNorm& norm) = 0;
  /// After a good attempt, before the states rotate: data.f_new is the derivative at data.x_new if the method needs it.
  virtual void finish(BoundSystem& system, StepData& data) = 0;
  /// Inside the accepted step [data.t_old, data.t]; unprojected; leaves the trajectory as it is.
  virtual void interpolate(BoundSystem& system, const StepData& data, double t, geometry::State& out) = 0;
  /// The next step that the method itself proposes after the last attempt; 0 leaves it to the controller.
  [[nodiscard]] virtual double proposal() const { return 0.0; }
};

/// `step`: the nominal step of fixed-step methods, 0 under error control.
[[nodiscard]] std::unique_ptr<StepMethod> make_step_method(Method method, double step);

class Stepper final {
 public:
  Stepper(std::unique_ptr<StepMethod> method, const dynamics::Equation& equation, const dynamics::Tolerance& tolerance,
          ErrorScale scale, const geometry::State& x0, double t0);

  /// Goes on from the current state under another system; `end` bounds the times of evaluations. The system before must
  /// still live during the call.
  void restart(dynamics::System& system, double end);
  /// Tries a step to t_new > time(); returns its scaled error.
  [[nodiscard]] double attempt(double t_new);
  void accept();
  /// The state at t in [previous_time(), time()], retracted. At both ends the steps' own states.
  void at(double t, geometry::State& out);

  [[nodiscard]] const geometry::State& state() const { return data_.x; }
  [[nodiscard]] const geometry::State& derivative() const { return data_.f; }
  [[nodiscard]] double time() const { return data_.t; }
  [[nodiscard]] double previous_time() const { return data_.t_old; }
  [[nodiscard]] const StepMethod& method() const { return *method_; }
  [[nodiscard]] BoundSystem& system() { return system_; }
  [[nodiscard]] const ErrorNorm& norm() const { return norm_; }
  /// Evaluations by steps, over all systems so far.
  [[nodiscard]] std::int64_t evaluations() const;
  /// Evaluations that only `at` needed.
  [[nodiscard]] std::int64_t output_evaluations() const { return output_evaluations_; }

 private:
  /// Right after the derivative at the current state was evaluated: the scale of the next error.
  void measure_spread();

  std::unique_ptr<StepMethod> method_;
  const dynamics::Equation& equation_;
  ErrorNorm norm_;
  BoundSystem system_;
  StepData data_;
  ErrorScale scale_;
  geometry::State spread_; ///< at the current state, if errors are measured against it
  std::int64_t output_evaluations_ = 0;
  std::int64_t past_evaluations_ = 0; ///< of all kinds, by systems of earlier pieces
};

} // namespace normdyn::integrate
