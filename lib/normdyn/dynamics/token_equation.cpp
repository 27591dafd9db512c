#include "normdyn/dynamics/token_equation.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/dynamics/token_system.hpp"
#include "normdyn/geometry/product_sphere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace normdyn::dynamics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// |e| / (atol + rtol |value|); no error is no error even where the scale is zero.
double scaled(double error, double atol, double rtol, double value) {
  if (error == 0.0)
    return 0.0;
  const double ratio = std::abs(error) / (atol + rtol * std::abs(value));
  return std::isnan(ratio) ? infinity : ratio;
}

// v - v is 0, or NaN for NaN and infinity. Partial sums, so that the compiler may use vector registers.
bool is_finite(const geometry::State& x) {
  constexpr std::size_t n_lanes = 8;
  double lanes[n_lanes] = {};
  std::size_t i = 0;
  for (; i + n_lanes <= x.size(); i += n_lanes)
    for (std::size_t l = 0; l < n_lanes; ++l)
      lanes[l] += x[i + l] - x[i + l];
  for (; i < x.size(); ++i)
    lanes[0] += x[i] - x[i];
  return std::all_of(std::begin(lanes), std::end(lanes), [](double lane) { return lane == 0.0; });
}

} // namespace

TokenEquation::TokenEquation(TokenModel model, std::size_t n_tokens, std::size_t dim,
                             std::span<const double> initial_radius)
    : model_(std::move(model)), has_radius_(schemes::has_radius(model_.scheme)),
      initial_radius_(initial_radius.begin(), initial_radius.end()) {
  layout_ = {.n_tokens = n_tokens, .dim = dim, .has_radius = has_radius_ && model_.variables == Variables::polar};
  if (initial_radius_.empty())
    initial_radius_.assign(n_tokens, 1.0);
  core::believe(initial_radius_.size() == n_tokens, "one initial radius per token");
  core::believe(has_radius_ || model_.variables == Variables::polar, "Cartesian variables need a scheme with radii");
}

geometry::State TokenEquation::state(std::span<const double> theta, std::span<const double> radius) const {
  geometry::State x(layout_.size(), 0.0);
  std::copy(theta.begin(), theta.end(), x.begin());
  if (layout_.has_radius)
    std::copy(radius.begin(), radius.end(), layout_.radius(std::span(x)).begin());
  else if (model_.variables == Variables::cartesian)
    for (std::size_t i = 0; i < layout_.directions_size(); ++i)
      x[i] *= radius[i / layout_.dim];
  return x;
}

std::vector<double> TokenEquation::breakpoints(core::Interval span) const {
  std::vector<double> times = std::visit([](const auto& scheme) { return scheme.breakpoints(); }, model_.scheme);
  const std::vector<double> of_beta = model_.beta.breakpoints();
  times.insert(times.end(), of_beta.begin(), of_beta.end());
  if (model_.weights) {
    const std::vector<double> of_weights = model_.weights->breakpoints(span);
    times.insert(times.end(), of_weights.begin(), of_weights.end());
  }
  return core::inner_breakpoints(std::move(times), span);
}

std::unique_ptr<System> TokenEquation::on(core::Interval piece) const {
  attention::Weights weights = model_.weights ? model_.weights->on(piece) : attention::Weights{};
  std::unique_ptr<attention::Attention> attention =
      attention::make_attention(model_.attention, std::move(weights), model_.kernel);
  return std::visit(
      [&]<class Scheme>(const Scheme& scheme) -> std::unique_ptr<System> {
        return std::make_unique<TokenSystem<Scheme>>(scheme.on(piece), std::move(attention), model_.beta.on(piece),
                                                     model_.variables, layout_, initial_radius_);
      },
      model_.scheme);
}

double TokenEquation::direction_error(const Tolerance& tolerance, const geometry::State& x,
                                      const geometry::State& e) const {
  if (tolerance.spread.empty())
    return scaled(geometry::ProductSphere(layout_.n_tokens, layout_.dim)
                      .tangent_norm(layout_.directions(std::span<const double>(x)),
                                    layout_.directions(std::span<const double>(e))),
                  tolerance.atol, tolerance.rtol, 1.0);
  constexpr double resolution = 4e-16; // of a stored direction: no error below it can be asked for
  const geometry::ProductSphere one(1, layout_.dim);
  double worst = 0.0;
  for (std::size_t j = 0; j < layout_.n_tokens; ++j)
    worst = std::max(worst, scaled(one.tangent_norm(layout_.token(x, j), layout_.token(e, j)),
                                   std::max(tolerance.rtol * tolerance.spread[j], resolution), 0.0, 1.0));
  return worst;
}

double TokenEquation::error(const Tolerance& tolerance, const geometry::State& x, const geometry::State& e,
                            const geometry::State& x_new) const {
  if (!is_finite(x_new))
    return infinity;
  double worst = 0.0;
  if (model_.variables == Variables::polar) {
    worst = direction_error(tolerance, x, e);
  } else {
    for (std::size_t j = 0; j < layout_.n_tokens; ++j)
      worst = std::max(worst,
                       scaled(geometry::norm(layout_.token(e, j)), tolerance.radius_atol, tolerance.radius_rtol,
                              std::max(geometry::norm(layout_.token(x, j)), geometry::norm(layout_.token(x_new, j)))));
  }
  for (std::size_t i = layout_.directions_size(); i < layout_.size(); ++i)
    worst = std::max(worst, scaled(e[i], tolerance.radius_atol, tolerance.radius_rtol,
                                   std::max(std::abs(x[i]), std::abs(x_new[i]))));
  return worst;
}

void TokenEquation::retract(geometry::State& x) const {
  if (model_.variables == Variables::polar)
    geometry::ProductSphere(layout_.n_tokens, layout_.dim).retract(layout_.directions(std::span(x)));
}

void TokenEquation::frame(const geometry::State& x, std::span<double> theta, std::span<double> radius) const {
  const std::span<const double> block = layout_.directions(std::span<const double>(x));
  std::copy(block.begin(), block.end(), theta.begin());
  for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
    const double length = geometry::normalize(theta.subspan(j * layout_.dim, layout_.dim));
    if (has_radius_)
      radius[j] = layout_.has_radius ? x[layout_.directions_size() + j] : length;
  }
}

Trouble vanishing_drift_trouble(std::string_view scheme, std::size_t token, double t, double norm) {
  return {Trouble::Kind::vanishing_drift, token, t,
          fmt::format("{}: token {} at t = {:.6g}: |A| = {:.3g} vanishes, so its direction A/|A| is undefined", scheme,
                      token, t, norm)};
}

Trouble vanishing_radius_trouble(std::string_view scheme, std::size_t token, double t, double radius,
                                 double initial_radius) {
  return {Trouble::Kind::vanishing_radius, token, t,
          fmt::format("{}: token {} at t = {:.6g}: its radius {:.3g} vanishes (r(0) = {:.3g}), so its speed 1/r is "
                      "unbounded; solver.variables = \"cartesian\" can pass near the origin",
                      scheme, token, t, radius, initial_radius)};
}

Trouble non_finite_trouble(std::string_view scheme, std::size_t token, double t, std::string_view what) {
  return {Trouble::Kind::non_finite, token, t,
          fmt::format("{}: token {} at t = {:.6g}: {} is not finite", scheme, token, t, what)};
}

} // namespace normdyn::dynamics
