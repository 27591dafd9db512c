#pragma once
// What an integrator needs of a problem. Token dynamics in polar or Cartesian variables, layer maps, later reductions
// and the PDE are all Equations under one step loop.

#include "normdyn/core/interval.hpp"
#include "normdyn/geometry/state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normdyn::dynamics {

/// Tolerances of the error norm: directions in radians, radii apart. A zero atol is legal.
struct Tolerance {
  double rtol = 1e-8;
  double atol = 1e-10;
  double radius_rtol = 1e-8;
  double radius_atol = 1e-10;
  /// If given (n values), directions are measured against max(rtol spread_j, 4e-16) instead of atol + rtol, where
  /// spread_j = s_j |theta_j'| = |P A_j|. For V = I that is the token's distance from the weighted mean it moves to, so
  /// the relative error of a collapse is controlled over 20 decades of the variance.
  std::span<const double> spread{};
};

/// Why the equation cannot be continued at a state: a sentence for people, and the parts it is made of.
struct Trouble {
  enum class Kind { vanishing_drift, vanishing_radius, non_finite };
  Kind kind = Kind::non_finite;
  std::size_t token = 0;
  double time = 0.0;
  std::string text; ///< "peri_ln: token 3 at t = 0.5: |A| = 1e-17 vanishes, its direction is undefined"
};

/// Everything about the motion at one state: what observables and events are made of.
struct Motion {
  std::vector<double> drift;         ///< A_j, n x d
  std::vector<double> log_partition; ///< log Z_j, heads x n
  std::vector<double> entropy;       ///< attention entropy per token, nats, n
  std::vector<double> speed;         ///< 1/s_j, n
  std::vector<double> token_speed;   ///< |theta_j'|, n
  std::vector<double> radial_rate;   ///< r_j', n (zeros where the scheme carries no radius)
};

/// The vector field on one smooth piece. Evaluated at theta/|theta| (homogeneous of degree 0 in each token).
class System {
 public:
  virtual ~System() = default;
  virtual void operator()(const geometry::State& x, geometry::State& dxdt, double t) = 0;
  /// One layer of step h from x at time t; `out` has its tokens on the sphere and its clock advanced.
  virtual void layer(const geometry::State& x, geometry::State& out, double t, double h) = 0;
  virtual void motion(const geometry::State& x, double t, Motion& out) = 0;
  /// Trouble at (x, t), or none. Looks at the state anew: not for every step.
  [[nodiscard]] virtual std::optional<Trouble> diagnose(const geometry::State& x, double t) = 0;
  /// Whether the last evaluation met a singular token (O(1); then diagnose says which).
  [[nodiscard]] virtual bool met_singularity() const = 0;
  /// |P A_j| of the last evaluation, n values; empty where the notion has no meaning.
  [[nodiscard]] virtual std::span<const double> spread() const { return {}; }
  /// Evaluations of attention by operator() and layer() so far.
  [[nodiscard]] virtual std::int64_t n_evaluations() const = 0;
};

class Equation {
 public:
  virtual ~Equation() = default;
  [[nodiscard]] virtual const geometry::Layout& layout() const = 0;
  [[nodiscard]] virtual std::vector<double> breakpoints(core::Interval span) const = 0;
  [[nodiscard]] virtual std::unique_ptr<System> on(core::Interval piece) const = 0;
  /// Scaled norm of the error estimate e of a step from x to x_new, <= 1 is acceptable; +infinity if anything is not
  /// finite. Directions: max_j |P_j e_j| / (atol + rtol), or against the spread; radii and clock: |e| / (atol_r +
  /// rtol_r |value|).
  [[nodiscard]] virtual double error(const Tolerance& tolerance, const geometry::State& x, const geometry::State& e,
                                     const geometry::State& x_new) const = 0;
  /// Back to the manifold, in place (nothing to do in Cartesian variables).
  virtual void retract(geometry::State& x) const = 0;
  /// Unit directions (n x d) and radii (n, or empty) of a state, whatever its variables.
  virtual void frame(const geometry::State& x, std::span<double> theta, std::span<double> radius) const = 0;
  /// Whether frames have radii.
  [[nodiscard]] virtual bool has_radius() const = 0;
  [[nodiscard]] virtual double clock(const geometry::State& x) const = 0;
};

} // namespace normdyn::dynamics
