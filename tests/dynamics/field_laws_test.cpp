// Laws of the vector field, for every scheme in the list.
#include "normdyn/dynamics/token_equation.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "support/checks.hpp"
#include "support/scheme_list.hpp"

#include <Eigen/QR>

#include <cmath>

using namespace normdyn;
using dynamics::TokenEquation;
using dynamics::Variables;
using geometry::State;
using normdyn::testing::all_schemes;
using normdyn::testing::close;
using normdyn::testing::random_radii;
using normdyn::testing::random_tokens;

namespace {

constexpr std::size_t n = 6, d = 4;
constexpr double beta = 2.0;
constexpr core::Interval piece{0.0, 1.0};

TokenEquation equation(const schemes::AnyScheme& scheme, Variables variables = Variables::polar,
                       attention::Mask mask = attention::Mask::full, double inverse_temperature = beta) {
  return {
      {.scheme = scheme, .attention = {.mask = mask}, .beta = inverse_temperature, .variables = variables}, n, d, {}};
}

State field(const TokenEquation& eq, const State& theta, const State& radius, double t = 0.5) {
  const State x = eq.state(theta, radius);
  State dxdt(x.size());
  (*eq.on(piece))(x, dxdt, t);
  return dxdt;
}

std::span<const double> token(const State& x, std::size_t j) {
  return std::span<const double>(x).subspan(j * d, d);
}

Eigen::MatrixXd random_rotation() {
  const State numbers = random_tokens(d, d, 99);
  Eigen::HouseholderQR<Eigen::MatrixXd> qr(geometry::ConstTokenMap(numbers.data(), d, d));
  return qr.householderQ();
}

State rotated(const State& block, const Eigen::MatrixXd& rotation) {
  State out = block;
  geometry::TokenMap(out.data(), n, d) = geometry::ConstTokenMap(block.data(), n, d) * rotation.transpose();
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(dynamics)

BOOST_AUTO_TEST_CASE(velocities_are_tangent) {
  const State theta = random_tokens(n, d, 1), radius = random_radii(n, 1);
  for (const auto& [name, scheme] : all_schemes())
    BOOST_TEST_CONTEXT(name) {
      const State velocity = field(equation(scheme), theta, radius);
      for (std::size_t j = 0; j < n; ++j)
        BOOST_TEST(std::abs(geometry::dot(token(theta, j), token(velocity, j))) < 1e-15);
    }
}

BOOST_AUTO_TEST_CASE(the_field_rotates_with_the_tokens) {
  const State theta = random_tokens(n, d, 2), radius = random_radii(n, 2);
  const Eigen::MatrixXd rotation = random_rotation();
  for (const auto& [name, scheme] : all_schemes())
    BOOST_TEST_CONTEXT(name) {
      const State velocity = field(equation(scheme), theta, radius);
      const State of_rotated = field(equation(scheme), rotated(theta, rotation), radius);
      const State directions(velocity.begin(), velocity.begin() + n * d);
      const State expected = rotated(directions, rotation);
      for (std::size_t i = 0; i < n * d; ++i)
        BOOST_TEST(close(of_rotated[i], expected[i], 2e-15));
      for (std::size_t i = n * d; i < velocity.size(); ++i)
        BOOST_TEST(close(of_rotated[i], velocity[i], 2e-15));
    }
}

BOOST_AUTO_TEST_CASE(the_field_permutes_with_the_tokens) {
  const State theta = random_tokens(n, d, 3), radius = random_radii(n, 3);
  const std::vector<std::size_t> order = {3, 0, 5, 1, 4, 2};
  State permuted(n * d), permuted_radius(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::copy_n(token(theta, order[j]).begin(), d, permuted.begin() + j * d);
    permuted_radius[j] = radius[order[j]];
  }
  for (const auto& [name, scheme] : all_schemes())
    BOOST_TEST_CONTEXT(name) {
      const State velocity = field(equation(scheme), theta, radius);
      const State of_permuted = field(equation(scheme), permuted, permuted_radius);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < d; ++i)
          BOOST_TEST(close(of_permuted[j * d + i], velocity[order[j] * d + i], 2e-15));
    }
}

BOOST_AUTO_TEST_CASE(consensus_does_not_turn_and_radii_grow_at_unit_rate) {
  State theta(n * d);
  for (std::size_t j = 0; j < n; ++j)
    std::copy_n(std::vector<double>{0.5, 0.5, -0.5, 0.5}.begin(), d, theta.begin() + j * d);
  for (const auto& [name, scheme] : all_schemes(0.0))
    BOOST_TEST_CONTEXT(name) {
      const TokenEquation eq = equation(scheme);
      const State velocity = field(eq, theta, State(n, 1.0));
      for (std::size_t i = 0; i < n * d; ++i)
        BOOST_TEST(std::abs(velocity[i]) < 1e-15);
      for (const double rate : eq.layout().radius(std::span<const double>(velocity)))
        BOOST_TEST(close(rate, 1.0, 1e-15));
    }
}

BOOST_AUTO_TEST_CASE(the_first_causal_token_never_turns) {
  const State theta = random_tokens(n, d, 4), radius = random_radii(n, 4);
  for (const auto& [name, scheme] : all_schemes())
    BOOST_TEST_CONTEXT(name) {
      const State velocity = field(equation(scheme, Variables::polar, attention::Mask::causal), theta, radius);
      for (std::size_t i = 0; i < d; ++i)
        BOOST_TEST(std::abs(velocity[i]) < 1e-15);
      BOOST_TEST(geometry::norm(token(velocity, 1)) > 1e-3);
    }
}

// x = r theta, so x' = r' theta + r theta'.
BOOST_AUTO_TEST_CASE(polar_and_cartesian_fields_agree) {
  const State theta = random_tokens(n, d, 5), radius = random_radii(n, 5);
  for (const auto& [name, scheme] : all_schemes()) {
    if (!schemes::has_radius(scheme))
      continue;
    BOOST_TEST_CONTEXT(name) {
      const State polar = field(equation(scheme), theta, radius);
      const State cartesian = field(equation(scheme, Variables::cartesian), theta, radius);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < d; ++i)
          BOOST_TEST(
              close(cartesian[j * d + i], polar[n * d + j] * theta[j * d + i] + radius[j] * polar[j * d + i], 2e-15));
      BOOST_TEST(close(cartesian.back(), polar.back(), 2e-15));
    }
  }
}

// N(x + h f) differs from the layer by O(h^2): the error falls by 4 when h is halved.
BOOST_AUTO_TEST_CASE(a_layer_is_the_flow_to_first_order) {
  const State theta = random_tokens(n, d, 6), radius = random_radii(n, 6);
  for (const auto& [name, scheme] : all_schemes())
    BOOST_TEST_CONTEXT(name) {
      const TokenEquation eq = equation(scheme);
      const State x = eq.state(theta, radius), velocity = field(eq, theta, radius);
      std::vector<double> errors;
      for (const double h : {1e-3, 5e-4}) {
        State next(x.size());
        eq.on(piece)->layer(x, next, 0.5, h);
        double error = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i)
          error = std::max(error, std::abs(next[i] - x[i] - h * velocity[i]));
        errors.push_back(error);
        BOOST_TEST(geometry::ProductSphere(n, d).constraint_violation(std::span(next).first(n * d)) < 4e-16);
      }
      BOOST_TEST(close(errors[0] / errors[1], 4.0, 0.02));
    }
}

// NA-2: with E = (1/n^2) sum exp(beta (<theta_j, theta_k> - 1)), dE/dt = (2 beta/n^2) sum_j Z_j |P A_j|^2 / s_j >= 0.
BOOST_AUTO_TEST_CASE(energy_grows_as_the_partition_function_says) {
  const State theta = random_tokens(n, d, 7), radius = random_radii(n, 7);
  for (const auto& [name, scheme] : all_schemes())
    BOOST_TEST_CONTEXT(name) {
      const TokenEquation eq = equation(scheme);
      const State velocity = field(eq, theta, radius);
      normdyn::dynamics::Motion motion;
      eq.on(piece)->motion(eq.state(theta, radius), 0.5, motion);
      double derivative = 0.0, predicted = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k)
          derivative += 2.0 * beta * std::exp(beta * (geometry::dot(token(theta, j), token(theta, k)) - 1.0)) *
                        geometry::dot(token(velocity, j), token(theta, k));
        predicted += 2.0 * beta * std::exp(motion.log_partition[j] - beta) * motion.token_speed[j] *
                     motion.token_speed[j] / motion.speed[j];
      }
      BOOST_TEST(close(derivative, predicted, 1e-14));
      BOOST_TEST(predicted > 0.0);
    }
}

BOOST_AUTO_TEST_CASE(the_model_chooses_the_kernel) {
  const State theta = random_tokens(n, d, 17), radius = random_radii(n, 17);
  const auto with = [&](const std::string& kernel) {
    const TokenEquation eq({.beta = beta, .kernel = kernel}, n, d, {});
    return field(eq, theta, radius);
  };
  const State expected = with("direct");
  for (const std::string& kernel : normdyn::attention::attention_kernel_names()) {
    const State velocity = with(kernel);
    for (std::size_t i = 0; i < velocity.size(); ++i)
      BOOST_TEST(close(velocity[i], expected[i], 4e-15));
  }
  BOOST_CHECK_THROW(with("none"), core::InputError);
}

// NA-8: starting speeds from orthogonal tokens, n = 256, beta = 5.
BOOST_AUTO_TEST_CASE(starting_speeds_are_those_of_theorem_4_1) {
  constexpr std::size_t many = 256;
  State theta(many * many, 0.0);
  for (std::size_t j = 0; j < many; ++j)
    theta[j * many + j] = 1.0;
  const double e = std::exp(5.0), post = 2.0 / (e + 255.0), peri = 2.0 / std::sqrt(e * e + 255.0);
  BOOST_TEST(close(post, 4.9576965e-3, 1e-9));
  BOOST_TEST(close(peri, 1.33985597e-2, 1e-9));
  for (const auto& [name, scheme] : all_schemes())
    if (name.find("formula") == std::string::npos && name.find('/') == std::string::npos)
      BOOST_TEST_CONTEXT(name) {
        const TokenEquation eq({.scheme = scheme, .beta = 5.0}, many, many, {});
        const State x = eq.state(theta, State(many, 1.0));
        State dxdt(x.size());
        (*eq.on(piece))(x, dxdt, 0.0);
        const double speed = dxdt[0 * many + 1] + dxdt[1 * many + 0]; // d<theta_0, theta_1>/dt
        BOOST_TEST(close(speed / (name == "peri_ln" || name == "ngpt" ? peri : post), 1.0, 1e-12));
      }
}

BOOST_AUTO_TEST_CASE(an_exact_antipodal_pair_is_singular_for_the_schemes_that_divide_by_the_drift) {
  const State theta = {1.0, 0.0, -1.0, 0.0};
  for (const auto& [name, scheme] : all_schemes())
    BOOST_TEST_CONTEXT(name) {
      const TokenEquation eq({.scheme = scheme, .beta = 0.0}, 2, 2, {});
      const State x = eq.state(theta, State(2, 1.0));
      State dxdt(x.size());
      const auto system = eq.on(piece);
      (*system)(x, dxdt, 0.0);
      const std::optional<normdyn::dynamics::Trouble> trouble = system->diagnose(x, 0.0);
      const bool divides = std::visit([](const auto& s) { return s.needs_drift(); }, scheme);
      BOOST_TEST(system->met_singularity() == divides);
      BOOST_TEST(trouble.has_value() == divides);
      if (trouble) {
        BOOST_TEST(trouble->text.find("token 0 at t = 0") != std::string::npos);
        BOOST_TEST((trouble->kind == normdyn::dynamics::Trouble::Kind::vanishing_drift));
      }
    }
}

BOOST_AUTO_TEST_CASE(a_frozen_ngpt_moves_nothing_and_is_not_singular) {
  const State theta = {1.0, 0.0, -1.0, 0.0};
  const TokenEquation eq({.scheme = normdyn::testing::make_scheme({{"name", "ngpt"}, {"alpha", 0.0}}), .beta = 0.0}, 2,
                         2, {});
  const State x = eq.state(theta, State(2, 1.0));
  State dxdt(x.size());
  const auto system = eq.on(piece);
  (*system)(x, dxdt, 0.0);
  for (const double v : dxdt)
    BOOST_TEST(v == 0.0);
  BOOST_TEST(!system->met_singularity());
}

BOOST_AUTO_TEST_CASE(a_vanished_radius_is_named) {
  const State theta = random_tokens(n, d, 8);
  State radius(n, 1.0);
  radius[3] = 1e-9;
  const TokenEquation eq({.scheme = schemes::PreLn{}, .beta = beta}, n, d, State(n, 1.0));
  const std::optional<normdyn::dynamics::Trouble> trouble = eq.on(piece)->diagnose(eq.state(theta, radius), 2.0);
  BOOST_REQUIRE(trouble.has_value());
  BOOST_TEST((trouble->kind == normdyn::dynamics::Trouble::Kind::vanishing_radius));
  BOOST_TEST(trouble->token == 3u);
  BOOST_TEST(trouble->text.find("pre_ln: token 3 at t = 2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_error_norm_is_rotation_invariant_and_infinite_for_nan) {
  const State theta = random_tokens(n, d, 9), radius = random_radii(n, 9);
  const TokenEquation eq = equation(schemes::PreLn{});
  const State x = eq.state(theta, radius);
  State error(x.size(), 0.0);
  const State noise = random_tokens(n, d, 10);
  std::transform(noise.begin(), noise.end(), error.begin(), [](double v) { return 1e-9 * v; });
  const Eigen::MatrixXd rotation = random_rotation();
  const State x_turned = eq.state(rotated(theta, rotation), radius);
  State error_turned = error;
  const State turned = rotated(State(error.begin(), error.begin() + n * d), rotation);
  std::copy(turned.begin(), turned.end(), error_turned.begin());
  const normdyn::dynamics::Tolerance tolerance{.rtol = 1e-8, .atol = 0.0, .radius_rtol = 1e-6, .radius_atol = 0.0};
  const double plain = eq.error(tolerance, x, error, x);
  BOOST_TEST(close(eq.error(tolerance, x_turned, error_turned, x_turned), plain, 1e-14));
  BOOST_TEST(plain < 0.1 + 1e-12);
  error[n * d + 2] = 1e-3 * radius[2];
  BOOST_TEST(close(eq.error(tolerance, x, error, x), 1e3, 1e-12));
  error[5] = std::nan("");
  BOOST_TEST(std::isinf(eq.error(tolerance, x, error, x)));
  State broken = x;
  broken[1] = std::numeric_limits<double>::infinity();
  BOOST_TEST(std::isinf(eq.error(tolerance, x, State(x.size(), 0.0), broken)));
}

BOOST_AUTO_TEST_SUITE_END()
