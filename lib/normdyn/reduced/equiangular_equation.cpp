#include "normdyn/reduced/equiangular_equation.hpp"

#include "normdyn/reduced/layer_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::reduced {
namespace {

using geometry::State;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double vanishing_radius = 1e-8; ///< relative to r(0), as for tokens
constexpr double vanishing_drift = 16.0 * std::numeric_limits<double>::epsilon();

template <schemes::NormScheme Scheme>
class EquiangularSystem final : public dynamics::System {
 public:
  EquiangularSystem(Scheme scheme, std::size_t n_tokens, core::Schedule beta, const geometry::Layout& layout,
                    double initial_radius)
      : scheme_(std::move(scheme)), n_tokens_(n_tokens), beta_(std::move(beta)), layout_(layout),
        initial_radius_(initial_radius) {}

  void operator()(const State& x, State& dxdt, double t) override {
    ++n_evaluations_;
    if (!has_beta(t))
      return std::fill(dxdt.begin(), dxdt.end(), std::numeric_limits<double>::quiet_NaN());
    const Equiangular<double> family = family_at(t);
    const double r = radius(x);
    const EquiangularRates<double> rate = family.rates(scheme_, x[0], r, t);
    met_singularity_ = is_singular(family.drift(x[0], r), rate.clock);
    dxdt[0] = rate.log_ratio;
    if (layout_.has_radius)
      dxdt[1] = rate.radius;
    dxdt[layout_.clock_index()] = rate.clock;
  }

  void layer(const State& x, State& out, double t, double h) override {
    ++n_evaluations_;
    if (!has_beta(t))
      return std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
    const Equiangular<double> family = family_at(t);
    const double r = radius(x);
    const schemes::Drift<double> drift = family.drift(x[0], r);
    const double speed = scheme_.rates(drift, t).speed;
    met_singularity_ = is_singular(drift, speed);
    const LayerResult<double> next = reduced::layer(family, scheme_, x[0], r, t, h);
    out[0] = next.log_ratio;
    if (layout_.has_radius)
      out[1] = next.radius;
    out[layout_.clock_index()] = x[layout_.clock_index()] + h * speed;
  }

  // Of one token: `drift` holds its one number in this layout, <theta, A>.
  void motion(const State& x, double t, dynamics::Motion& out) override {
    const Equiangular<double> family = family_at(t);
    const schemes::Drift<double> drift = family.drift(x[0], radius(x));
    const schemes::Rates<double> rate = scheme_.rates(drift, t);
    const double others = (family.n() - 1.0) * family.weight_of_other(x[0]);
    const Position<double> at = family.position(x[0]);
    const double log_partition = family.log_partition(x[0]);
    out.drift = {drift.radial};
    out.log_partition = {family.beta() * at.cosine + log_partition};
    out.entropy = {log_partition - family.beta() * at.gap * (1.0 - others)};
    out.speed = {rate.speed};
    out.token_speed = {std::abs(rate.speed) * drift.tangential};
    out.radial_rate = {rate.radial};
  }

  std::optional<dynamics::Trouble> diagnose(const State& x, double t) override {
    const auto trouble = [&](dynamics::Trouble::Kind kind, const std::string& what) {
      return dynamics::Trouble{kind, 0, t,
                               fmt::format("{}: equiangular tokens at t = {:.6g}: {}", Scheme::name, t, what)};
    };
    const double r = radius(x);
    if (std::isnan(x[0]) || !std::isfinite(r) || !has_beta(t))
      return trouble(dynamics::Trouble::Kind::non_finite, has_beta(t)
                                                              ? fmt::format("y = {}, r = {} are out of range", x[0], r)
                                                              : fmt::format("beta = {} is no number", beta_(t)));
    if (r < vanishing_radius * initial_radius_)
      return trouble(dynamics::Trouble::Kind::vanishing_radius, fmt::format("the radius {:.3g} vanishes", r));
    const schemes::Drift<double> drift = family_at(t).drift(x[0], r);
    const schemes::Rates<double> rate = scheme_.rates(drift, t);
    if (is_singular(drift, rate.speed))
      return trouble(dynamics::Trouble::Kind::vanishing_drift,
                     fmt::format("|A| = {:.3g} vanishes, so its direction A/|A| is undefined", drift.norm));
    if (!std::isfinite(rate.speed) || !std::isfinite(rate.radial))
      return trouble(dynamics::Trouble::Kind::non_finite, "the rates of the scheme are not finite");
    return std::nullopt;
  }

  [[nodiscard]] bool met_singularity() const override { return met_singularity_; }
  [[nodiscard]] std::int64_t n_evaluations() const override { return n_evaluations_; }

 private:
  // A beta(t) that is no number shows as NaN, and diagnose names it.
  [[nodiscard]] bool has_beta(double t) const { return std::isfinite(beta_(t)); }
  [[nodiscard]] Equiangular<double> family_at(double t) const { return {n_tokens_, beta_(t)}; }
  // As for tokens, a scheme without radius sees r = 1.
  [[nodiscard]] double radius(const State& x) const { return layout_.has_radius ? x[1] : 1.0; }
  [[nodiscard]] bool is_singular(const schemes::Drift<double>& drift, double speed) const {
    const bool drift_vanishes = scheme_.needs_drift() && speed != 0.0 && drift.norm <= vanishing_drift;
    return drift_vanishes || (layout_.has_radius && drift.radius < vanishing_radius * initial_radius_);
  }

  Scheme scheme_;
  std::size_t n_tokens_;
  core::Schedule beta_;
  geometry::Layout layout_;
  double initial_radius_;
  bool met_singularity_ = false;
  std::int64_t n_evaluations_ = 0;
};

// |e| / (atol + rtol scale); no error is no error even where the scale is zero.
double scaled(double error, double atol, double rtol, double scale) {
  return error == 0.0 ? 0.0 : std::abs(error) / (atol + rtol * scale);
}

} // namespace

EquiangularEquation::EquiangularEquation(EquiangularModel model, double initial_radius)
    : model_(std::move(model)), initial_radius_(initial_radius) {
  static_cast<void>(Equiangular<double>(model_.n_tokens, 0.0)); // refuses n < 2
  if (!(initial_radius > 0.0))
    throw core::InputError("equiangular family", fmt::format("radius {} is no length", initial_radius),
                           "take a radius > 0");
  layout_ = {.n_tokens = 1, .dim = 1, .has_radius = schemes::has_radius(model_.scheme)};
}

State EquiangularEquation::state(double cosine) const {
  return state_at(Equiangular<double>(model_.n_tokens, 0.0).log_ratio(cosine));
}

State EquiangularEquation::state_at(double log_ratio) const {
  State x(layout_.size(), 0.0);
  x[0] = log_ratio;
  if (layout_.has_radius)
    x[1] = initial_radius_;
  return x;
}

std::vector<double> EquiangularEquation::breakpoints(core::Interval span) const {
  std::vector<double> times = std::visit([](const auto& scheme) { return scheme.breakpoints(); }, model_.scheme);
  const std::vector<double> of_beta = model_.beta.breakpoints();
  times.insert(times.end(), of_beta.begin(), of_beta.end());
  return core::inner_breakpoints(std::move(times), span);
}

std::unique_ptr<dynamics::System> EquiangularEquation::on(core::Interval piece) const {
  return std::visit(
      [&]<class Scheme>(const Scheme& scheme) -> std::unique_ptr<dynamics::System> {
        return std::make_unique<EquiangularSystem<Scheme>>(scheme.on(piece), model_.n_tokens, model_.beta.on(piece),
                                                           layout_, initial_radius_);
      },
      model_.scheme);
}

double EquiangularEquation::error(const dynamics::Tolerance& tolerance, const State& x, const State& e,
                                  const State& x_new) const {
  if (std::any_of(x_new.begin(), x_new.end(), [](double v) { return std::isnan(v); }))
    return infinity;
  double worst = scaled(e[0], tolerance.atol, tolerance.rtol, 1.0 + std::max(std::abs(x[0]), std::abs(x_new[0])));
  for (std::size_t i = 1; i < layout_.size(); ++i)
    worst = std::max(worst, scaled(e[i], tolerance.radius_atol, tolerance.radius_rtol,
                                   std::max(std::abs(x[i]), std::abs(x_new[i]))));
  return std::isnan(worst) ? infinity : worst;
}

void EquiangularEquation::frame(const State& x, std::span<double> theta, std::span<double> radius) const {
  theta[0] = x[0];
  if (layout_.has_radius)
    radius[0] = x[1];
}

} // namespace normdyn::reduced
