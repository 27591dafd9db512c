#include "mutant_laboratory.hpp"

#include "mutant_attention.hpp"

#include "normdyn/geometry/sphere.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace normdyn::theorems::test {
namespace {

using dynamics::TokenEquation;
using dynamics::TokenModel;
using dynamics::Variables;

/// What a token does at a moment.
struct TokenMotion {
  std::vector<double> theta, direction; ///< direction: P A, or A where the projection is lost
  PlainDrift seen;
  double radius = 1.0, tangential = 0.0, speed = 0.0, radial_rate = 0.0;
  schemes::Drift<double> drift{};
};

class MutantSystem final : public dynamics::System {
 public:
  MutantSystem(const TokenModel& model, core::Interval piece, const geometry::Layout& layout, Mutation mutation)
      : scheme_(std::visit([&](const auto& scheme) -> schemes::AnyScheme { return scheme.on(piece); }, model.scheme)),
        attention_(model.attention, model.weights ? model.weights->on(piece) : attention::Weights{}, mutation),
        beta_(model.beta.on(piece)), variables_(model.variables), layout_(layout), mutation_(mutation),
        spread_(layout.n_tokens) {}

  void operator()(const geometry::State& x, geometry::State& dxdt, double t) override {
    set_tokens(x);
    double clock_rate = 0.0;
    for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
      const TokenMotion token = motion_of(x, j, t);
      const bool is_polar = variables_ == Variables::polar;
      for (std::size_t i = 0; i < layout_.dim; ++i)
        dxdt[j * layout_.dim + i] =
            is_polar ? token.speed * token.direction[i]
                     : token.radius * token.speed * token.direction[i] + token.radial_rate * token.theta[i];
      if (layout_.has_radius)
        dxdt[layout_.directions_size() + j] = token.radial_rate;
      spread_[j] = token.tangential;
      clock_rate += token.speed / static_cast<double>(layout_.n_tokens);
    }
    dxdt[layout_.clock_index()] = clock_rate;
  }

  void layer(const geometry::State& x, geometry::State& out, double t, double h) override {
    set_tokens(x);
    double clock_rate = 0.0;
    for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
      const TokenMotion token = motion_of(x, j, t);
      const schemes::Layer<double> step =
          std::visit([&](const auto& scheme) { return scheme.layer(token.drift, t, h); }, scheme_);
      const std::span<double> y = std::span(out).subspan(j * layout_.dim, layout_.dim);
      for (std::size_t i = 0; i < layout_.dim; ++i)
        y[i] = step.keep * token.theta[i] + step.push * token.seen.drift[i];
      const double length = geometry::normalize(y), radius = step.moves_radius ? length : token.radius;
      if (layout_.has_radius)
        out[layout_.directions_size() + j] = radius;
      else if (variables_ == Variables::cartesian)
        for (double& v : y)
          v *= radius;
      clock_rate += token.speed / static_cast<double>(layout_.n_tokens);
    }
    out[layout_.clock_index()] = x[layout_.clock_index()] + h * clock_rate;
  }

  void motion(const geometry::State& x, double t, dynamics::Motion& out) override {
    set_tokens(x);
    out = {};
    for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
      const TokenMotion token = motion_of(x, j, t);
      out.drift.insert(out.drift.end(), token.seen.drift.begin(), token.seen.drift.end());
      out.log_partition.push_back(token.seen.log_partition);
      out.entropy.push_back(token.seen.entropy);
      out.speed.push_back(token.speed);
      out.token_speed.push_back(std::abs(token.speed) * geometry::norm(token.direction));
      out.radial_rate.push_back(token.radial_rate);
    }
  }

  std::optional<dynamics::Trouble> diagnose(const geometry::State& x, double t) override {
    set_tokens(x);
    for (std::size_t j = 0; j < layout_.n_tokens; ++j)
      if (is_singular(motion_of(x, j, t)))
        return dynamics::Trouble{dynamics::Trouble::Kind::vanishing_drift, j, t, "the drift vanishes"};
    return {};
  }

  bool met_singularity() const override { return met_singularity_; }
  std::span<const double> spread() const override { return spread_; }
  std::int64_t n_evaluations() const override { return n_evaluations_; }

 private:
  void set_tokens(const geometry::State& x) {
    ++n_evaluations_;
    met_singularity_ = false;
    tokens_.clear();
    length_.clear();
    for (std::size_t j = 0; j < layout_.n_tokens; ++j) {
      const std::span<const double> row = layout_.token(x, j);
      tokens_.emplace_back(row.begin(), row.end());
      length_.push_back(geometry::normalize(tokens_.back()));
    }
    attention_.set_tokens(tokens_);
  }

  TokenMotion motion_of(const geometry::State& x, std::size_t j, double t) {
    TokenMotion token{.theta = tokens_[j],
                      .direction = std::vector<double>(layout_.dim),
                      .seen = attention_.at(j, beta_(t)),
                      .radius = variables_ == Variables::cartesian ? length_[j]
                                : layout_.has_radius               ? x[layout_.directions_size() + j]
                                                                   : 1.0};
    if (!(token.radius > 0.0))
      token.radius = std::numeric_limits<double>::quiet_NaN();
    const double radial = geometry::project_tangent(token.theta, token.seen.drift, token.direction);
    token.tangential = geometry::norm(token.direction);
    if (mutation_ == Mutation::tangent_projection)
      token.direction = token.seen.drift;
    token.drift = {.radius = token.radius,
                   .radial = radial,
                   .norm = geometry::norm(token.seen.drift),
                   .tangential = token.tangential};
    const schemes::Rates<double> rates =
        std::visit([&](const auto& scheme) { return scheme.rates(token.drift, t); }, scheme_);
    token.radial_rate = rates.radial;
    token.speed = mutated(rates.speed, token.drift.norm);
    met_singularity_ = met_singularity_ || is_singular(token);
    return token;
  }

  [[nodiscard]] double mutated(double speed, double norm) const {
    if (mutation_ == Mutation::speed_of_pre_ln && std::holds_alternative<schemes::PreLn>(scheme_))
      return speed / 1.01;
    if (mutation_ == Mutation::alpha_of_ngpt && std::holds_alternative<schemes::NGpt>(scheme_) && speed != 0.0)
      return 1.0 / (speed * norm * norm); // speed = alpha/|A|
    return speed;
  }

  [[nodiscard]] bool is_singular(const TokenMotion& token) const {
    const bool divides = std::visit([](const auto& scheme) { return scheme.needs_drift(); }, scheme_);
    return divides && token.speed != 0.0 &&
           token.drift.norm <= 16.0 * std::numeric_limits<double>::epsilon() * token.seen.magnitude;
  }

  schemes::AnyScheme scheme_;
  PlainAttention attention_;
  core::Schedule beta_;
  Variables variables_;
  geometry::Layout layout_;
  Mutation mutation_;
  std::vector<std::vector<double>> tokens_;
  std::vector<double> length_, spread_;
  bool met_singularity_ = false;
  std::int64_t n_evaluations_ = 0;
};

/// The state, its charts and its error norm are the library's; the motion is not.
class MutantEquation final : public dynamics::Equation {
 public:
  MutantEquation(const TokenModel& model, const Cloud& cloud, Mutation mutation)
      : library_(model, cloud.n_tokens, cloud.dim, cloud.radius), mutation_(mutation) {}

  [[nodiscard]] geometry::State state(const Cloud& cloud) const { return library_.state(cloud.theta, cloud.radius); }
  const geometry::Layout& layout() const override { return library_.layout(); }
  std::vector<double> breakpoints(core::Interval span) const override { return library_.breakpoints(span); }
  std::unique_ptr<dynamics::System> on(core::Interval piece) const override {
    return std::make_unique<MutantSystem>(library_.model(), piece, library_.layout(), mutation_);
  }
  double error(const dynamics::Tolerance& tolerance, const geometry::State& x, const geometry::State& e,
               const geometry::State& x_new) const override {
    return library_.error(tolerance, x, e, x_new);
  }
  void retract(geometry::State& x) const override { library_.retract(x); }
  void frame(const geometry::State& x, std::span<double> theta, std::span<double> radius) const override {
    library_.frame(x, theta, radius);
  }
  bool has_radius() const override { return library_.has_radius(); }
  double clock(const geometry::State& x) const override { return library_.clock(x); }

 private:
  TokenEquation library_;
  Mutation mutation_;
};

} // namespace

std::string_view mutation_name(Mutation mutation) {
  static constexpr std::array<std::string_view, 6> names{
      "no mutation",       "s of pre_ln off by 1 %",     "alpha of ngpt inverted",
      "self term dropped", "tangent projection dropped", "causal mask off by one"};
  return names.at(static_cast<std::size_t>(mutation));
}

Subject MutantLaboratory::prepare(const TokenModel& model, const Cloud& cloud) const {
  auto equation = std::make_unique<MutantEquation>(model, cloud, mutation_);
  geometry::State start = equation->state(cloud);
  return {std::move(equation), std::move(start)};
}

} // namespace normdyn::theorems::test
