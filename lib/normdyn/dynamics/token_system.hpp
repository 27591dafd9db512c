#pragma once
// The vector field of tokens on one smooth piece, written once for all schemes and both charts. A scheme contributes
// its speed, its radial rate and its layer update; attention, tangent projection and packing stand here.
// Private to dynamics: others see it as a System.

#include "normdyn/attention/attention.hpp"
#include "normdyn/dynamics/equation.hpp"
#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/dynamics/unit_tokens.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace normdyn::dynamics {

/// Singular means |A_j| <= vanishing_drift * sum_k w_jk |V theta_k|, or r_j < vanishing_radius * r_j(0).
inline constexpr double vanishing_drift = 16.0 * std::numeric_limits<double>::epsilon();
inline constexpr double vanishing_radius = 1e-8;

template <schemes::NormScheme Scheme>
class TokenSystem final : public System {
 public:
  TokenSystem(Scheme scheme, std::unique_ptr<attention::Attention> attention, core::Schedule beta, Variables variables,
              const geometry::Layout& layout, std::span<const double> initial_radius)
      : scheme_(std::move(scheme)), attention_(std::move(attention)), beta_(std::move(beta)), variables_(variables),
        layout_(layout), initial_radius_(initial_radius), tokens_(layout.n_tokens, layout.dim),
        drift_(layout.directions_size()), magnitude_(layout.n_tokens), spread_(layout.n_tokens) {}

  void operator()(const geometry::State& x, geometry::State& dxdt, double t) override {
    evaluate_drift(x, t);
    const bool polar = variables_ == Variables::polar;
    double clock_rate = 0.0;
    for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
      const std::span<const double> theta = tokens_.direction(j);
      const std::span<const double> a = drift(j);
      const std::span<double> out = std::span(dxdt).subspan(j * layout_.dim, layout_.dim);
      const schemes::Drift<double> seen = project(theta, a, radius(x, j), out);
      const schemes::Rates<double> rate = scheme_.rates(seen, t);
      watch(seen, rate.speed, j);
      spread_[j] = seen.tangential;
      clock_rate += rate.speed;
      const double tangential = polar ? rate.speed : rate.speed * seen.radius;
      const double radial = polar ? 0.0 : rate.radial;
      for (std::size_t i = 0; i < layout_.dim; ++i)
        out[i] = tangential * out[i] + radial * theta[i];
      if (layout_.has_radius)
        dxdt[layout_.directions_size() + j] = rate.radial;
    }
    dxdt[layout_.clock_index()] = clock_rate / static_cast<double>(layout_.n_tokens);
  }

  void layer(const geometry::State& x, geometry::State& out, double t, double h) override {
    evaluate_drift(x, t);
    double clock_rate = 0.0;
    for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
      const std::span<const double> theta = tokens_.direction(j);
      const std::span<const double> a = drift(j);
      const std::span<double> y = std::span(out).subspan(j * layout_.dim, layout_.dim);
      const schemes::Drift<double> seen = project(theta, a, radius(x, j), y);
      const double speed = scheme_.rates(seen, t).speed;
      const schemes::Layer<double> step = scheme_.layer(seen, t, h);
      watch(seen, speed, j);
      clock_rate += speed;
      for (std::size_t i = 0; i < layout_.dim; ++i)
        y[i] = step.keep * theta[i] + step.push * a[i];
      const double length = geometry::normalize(y);
      const double new_radius = step.moves_radius ? length : seen.radius;
      if (layout_.has_radius)
        out[layout_.directions_size() + j] = new_radius;
      else if (variables_ == Variables::cartesian)
        std::for_each(y.begin(), y.end(), [&](double& v) { v *= new_radius; });
      if (!(length > 0.0))
        y[0] = std::numeric_limits<double>::quiet_NaN(); // a layer that lands on the origin has no direction
    }
    out[layout_.clock_index()] = x[layout_.clock_index()] + h * clock_rate / static_cast<double>(layout_.n_tokens);
  }

  void motion(const geometry::State& x, double t, Motion& out) override {
    const std::size_t n = layout_.n_tokens;
    out.drift.resize(layout_.directions_size());
    out.log_partition.resize(attention_->n_heads() * n);
    for (std::vector<double>* values : {&out.entropy, &out.speed, &out.token_speed, &out.radial_rate})
      values->resize(n);
    tokens_.set(layout_, x);
    const attention::Tokens all{tokens_.directions(), layout_.dim, 0};
    attention_->evaluate(
        all, all, beta_(t),
        {.drift = out.drift, .log_partition = out.log_partition, .entropy = out.entropy, .in_double = true});
    std::vector<double> tangent(layout_.dim);
    for (std::size_t j = 0; j < n; ++j) {
      const std::span<const double> a = std::span<const double>(out.drift).subspan(j * layout_.dim, layout_.dim);
      const schemes::Drift<double> seen = project(tokens_.direction(j), a, radius(x, j), tangent);
      const schemes::Rates<double> rate = scheme_.rates(seen, t);
      out.speed[j] = rate.speed;
      out.token_speed[j] = std::abs(rate.speed) * seen.tangential;
      out.radial_rate[j] = rate.radial;
    }
  }

  std::optional<Trouble> diagnose(const geometry::State& x, double t) override;

  [[nodiscard]] bool met_singularity() const override { return met_singularity_; }
  [[nodiscard]] std::span<const double> spread() const override { return spread_; }
  [[nodiscard]] std::int64_t n_evaluations() const override { return n_evaluations_; }

 private:
  [[nodiscard]] std::span<const double> drift(std::size_t j) const {
    return std::span(drift_).subspan(j * layout_.dim, layout_.dim);
  }

  // A radius that is not positive has no meaning; NaN lets the step be retried smaller.
  [[nodiscard]] double radius(const geometry::State& x, std::size_t j) const {
    const double r = variables_ == Variables::cartesian ? tokens_.length(j)
                     : layout_.has_radius               ? x[layout_.directions_size() + j]
                                                        : 1.0;
    return r > 0.0 ? r : std::numeric_limits<double>::quiet_NaN();
  }

  void evaluate_drift(const geometry::State& x, double t) {
    ++n_evaluations_;
    met_singularity_ = false;
    tokens_.set(layout_, x);
    const attention::Tokens all{tokens_.directions(), layout_.dim, 0};
    attention::AttentionOutput out{.drift = drift_};
    if (scheme_.needs_drift())
      out.magnitude = magnitude_;
    attention_->evaluate(all, all, beta_(t), out);
  }

  [[nodiscard]] schemes::Drift<double> project(std::span<const double> theta, std::span<const double> a, double r,
                                               std::span<double> tangent) const {
    const double radial = geometry::project_tangent(theta, a, tangent);
    return {.radius = r, .radial = radial, .norm = geometry::norm(a), .tangential = geometry::norm(tangent)};
  }

  // A frozen token (speed 0) is not singular: nGPT with alpha = 0.
  [[nodiscard]] bool drift_vanishes(const schemes::Drift<double>& seen, double speed, std::size_t j) const {
    return scheme_.needs_drift() && speed != 0.0 && seen.norm <= vanishing_drift * magnitude_[j];
  }
  [[nodiscard]] bool radius_vanishes(double r, std::size_t j) const {
    return layout_.has_radius && r < vanishing_radius * initial_radius_[j];
  }
  void watch(const schemes::Drift<double>& seen, double speed, std::size_t j) {
    met_singularity_ = met_singularity_ || drift_vanishes(seen, speed, j) || radius_vanishes(seen.radius, j);
  }

  Scheme scheme_;
  std::unique_ptr<attention::Attention> attention_;
  core::Schedule beta_;
  Variables variables_;
  geometry::Layout layout_;
  std::span<const double> initial_radius_; ///< of the equation, which outlives its systems
  UnitTokens tokens_;
  geometry::State drift_, magnitude_, spread_;
  bool met_singularity_ = false;
  std::int64_t n_evaluations_ = 0;
};

/// The sentences of Trouble, apart from the template that finds it.
[[nodiscard]] Trouble vanishing_drift_trouble(std::string_view scheme, std::size_t token, double t, double norm);
[[nodiscard]] Trouble vanishing_radius_trouble(std::string_view scheme, std::size_t token, double t, double radius,
                                               double initial_radius);
[[nodiscard]] Trouble non_finite_trouble(std::string_view scheme, std::size_t token, double t, std::string_view what);

template <schemes::NormScheme Scheme>
std::optional<Trouble> TokenSystem<Scheme>::diagnose(const geometry::State& x, double t) {
  const auto is_finite = [](std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  };
  for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
    if (!is_finite(layout_.token(x, j)))
      return non_finite_trouble(Scheme::name, j, t, "its direction");
    if (!layout_.has_radius)
      continue;
    const double r = x[layout_.directions_size() + j];
    if (!std::isfinite(r))
      return non_finite_trouble(Scheme::name, j, t, "its radius");
    if (radius_vanishes(r, j))
      return vanishing_radius_trouble(Scheme::name, j, t, r, initial_radius_[j]);
  }
  if (const double beta = beta_(t); !std::isfinite(beta))
    return non_finite_trouble(Scheme::name, 0, t, "beta(t)");
  const bool met_before = met_singularity_;
  evaluate_drift(x, t);
  --n_evaluations_; // a diagnosis is no evaluation of the integration
  met_singularity_ = met_before;
  std::vector<double> tangent(layout_.dim);
  for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
    const schemes::Drift<double> seen = project(tokens_.direction(j), drift(j), radius(x, j), tangent);
    if (!is_finite(drift(j)))
      return non_finite_trouble(Scheme::name, j, t, "its attention drift A");
    const schemes::Rates<double> rate = scheme_.rates(seen, t);
    if (drift_vanishes(seen, rate.speed, j))
      return vanishing_drift_trouble(Scheme::name, j, t, seen.norm);
    if (!std::isfinite(rate.speed) || !std::isfinite(rate.radial))
      return non_finite_trouble(Scheme::name, j, t, std::isfinite(rate.speed) ? "its radial rate" : "its speed 1/s");
  }
  return std::nullopt;
}

} // namespace normdyn::dynamics
