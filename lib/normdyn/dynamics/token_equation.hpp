#pragma once
// Tokens under attention and a scheme:
//   polar      theta_j' = (1/s_j) P A_j,  r_j' = rate            (all schemes)
//   cartesian  x_j' = (r_j/s_j) P A_j + r_j' theta_j,  x = r theta  (schemes with radii; passes near the origin)
// and clock' = mean_j 1/s_j in both.

#include "normdyn/attention/attention.hpp"
#include "normdyn/attention/weight_schedule.hpp"
#include "normdyn/dynamics/equation.hpp"
#include "normdyn/schemes/registry.hpp"

#include <memory>
#include <span>
#include <string>

namespace normdyn::dynamics {

enum class Variables { polar, cartesian };

struct TokenModel {
  schemes::AnyScheme scheme = schemes::PostLn{};
  attention::AttentionOptions attention{};
  std::shared_ptr<const attention::WeightSchedule> weights{}; ///< null: Q = K = V = I
  core::Schedule beta{1.0};
  Variables variables = Variables::polar;
  std::string kernel = "auto"; ///< of attention_kernel_names(): what evaluates the attention
};

class TokenEquation final : public Equation {
 public:
  /// `initial_radius` (n values) is what "r_j has vanished" is measured against; empty means 1.
  TokenEquation(TokenModel model, std::size_t n_tokens, std::size_t dim, std::span<const double> initial_radius);

  /// The state of unit directions and radii (radii are dropped where the scheme carries none), clock 0.
  [[nodiscard]] geometry::State state(std::span<const double> theta, std::span<const double> radius) const;
  [[nodiscard]] const TokenModel& model() const { return model_; }

  [[nodiscard]] const geometry::Layout& layout() const override { return layout_; }
  [[nodiscard]] std::vector<double> breakpoints(core::Interval span) const override;
  [[nodiscard]] std::unique_ptr<System> on(core::Interval piece) const override;
  [[nodiscard]] double error(const Tolerance& tolerance, const geometry::State& x, const geometry::State& e,
                             const geometry::State& x_new) const override;
  void retract(geometry::State& x) const override;
  void frame(const geometry::State& x, std::span<double> theta, std::span<double> radius) const override;
  [[nodiscard]] bool has_radius() const override { return has_radius_; }
  [[nodiscard]] double clock(const geometry::State& x) const override { return x[layout_.clock_index()]; }

 private:
  [[nodiscard]] double direction_error(const Tolerance& tolerance, const geometry::State& x,
                                       const geometry::State& e) const;

  TokenModel model_;
  geometry::Layout layout_;
  bool has_radius_;
  std::vector<double> initial_radius_;
};

} // namespace normdyn::dynamics
