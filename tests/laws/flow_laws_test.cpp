// Laws of whole trajectories, for every scheme in the list.
#include "normdyn/geometry/sphere.hpp"
#include "support/checks.hpp"
#include "support/recording.hpp"
#include "support/scheme_list.hpp"

#include <cmath>
#include <numbers>

using namespace normdyn;
using geometry::State;
using integrate::Method;
using normdyn::testing::all_schemes;
using normdyn::testing::close;
using normdyn::testing::make_scheme;
using normdyn::testing::random_radii;
using normdyn::testing::random_tokens;
using normdyn::testing::run;
using normdyn::testing::with_tolerance;

namespace {

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

State basis(std::size_t n) {
  State theta(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    theta[j * n + j] = 1.0;
  return theta;
}

double cosine(const std::vector<double>& theta, std::size_t d) {
  return geometry::dot(std::span(theta).first(d), std::span(theta).subspan(d, d));
}

} // namespace

BOOST_AUTO_TEST_SUITE(laws)

// The starting table of the field reports: n = 4, beta = 1, orthogonal, t = 5, and n = 2, beta = 0 in closed form.
BOOST_AUTO_TEST_CASE(small_orthogonal_systems_reach_their_known_values) {
  struct Known {
    std::vector<std::pair<std::string, core::Value>> scheme;
    std::size_t n;
    double beta, t, gamma, radius;
  };
  const double phi = 4.0 * std::atan(std::tan(std::numbers::pi / 8.0) * std::exp(-1.0));
  const std::vector<Known> table = {
      {{{"name", "post_ln"}}, 2, 0.0, 2.0, std::tanh(2.0), 0.0},
      {{{"name", "ngpt"}}, 2, 0.0, 1.0, std::cos(phi), 0.0},
      {{{"name", "sqrt_scaling"}}, 2, 0.0, 3.0, std::tanh(2.0), 0.0},
      {{{"name", "pre_ln"}}, 2, 0.0, 3.0, 0.9193266056, 3.5207471351},
      {{{"name", "peri_ln"}}, 2, 0.0, 1.0, 0.7071067812, 1.8477590650},
      {{{"name", "mix_ln"}, {"tau", 1.0}}, 2, 0.0, 2.0, 0.9365152548, 1.9378660668},
      {{{"name", "post_ln"}}, 4, 1.0, 5.0, 0.9996532986, 0.0},
      {{{"name", "pre_ln"}}, 4, 1.0, 5.0, 0.9211609485, 4.8710628771},
      {{{"name", "mix_ln"}, {"tau", 1.0}}, 4, 1.0, 5.0, 0.9706172124, 4.6141050216},
      {{{"name", "peri_ln"}}, 4, 1.0, 5.0, 0.9398730601, 5.5920326151},
      {{{"name", "ngpt"}}, 4, 1.0, 5.0, 0.9998655248, 0.0},
      {{{"name", "sqrt_scaling"}}, 4, 1.0, 5.0, 0.9773486855, 0.0},
  };
  for (const Known& known : table) {
    const auto result = run({.scheme = make_scheme(known.scheme), .beta = known.beta}, basis(known.n),
                            State(known.n, 1.0), known.n, {0.0, known.t}, {known.t}, with_tolerance(1e-11));
    BOOST_TEST_CONTEXT(known.scheme.front().second.text() << " n = " << known.n) {
      const auto& state = result.record.states.back();
      BOOST_TEST(close(cosine(state.theta, known.n), known.gamma, 1.1e-10)); // the table has ten digits
      if (known.radius > 0.0)
        BOOST_TEST(close(state.radius[0], known.radius, 1.1e-10));
    }
  }
}

BOOST_AUTO_TEST_CASE(consensus_stays_and_radii_grow_exactly) {
  State theta(8 * 3);
  for (std::size_t i = 0; i < theta.size(); ++i)
    theta[i] = i % 3 == 0 ? 1.0 / 3.0 : 2.0 / 3.0;
  for (const auto& [name, scheme] : all_schemes(0.0)) {
    const auto result = run({.scheme = scheme, .beta = 2.0}, theta, State(8, 1.0), 3, {0.0, 3.0}, {0.0, 1.5, 3.0},
                            with_tolerance(1e-10));
    BOOST_TEST_CONTEXT(name) {
      BOOST_REQUIRE(result.record.states.size() == 3);
      const auto& last = result.record.states.back();
      BOOST_TEST(difference(last.theta, {theta.begin(), theta.end()}) < 1e-14);
      for (const double r : last.radius)
        if (name.find("formula") == std::string::npos)
          BOOST_TEST(close(r, 4.0, 1e-12));
    }
  }
}

BOOST_AUTO_TEST_CASE(polar_and_cartesian_trajectories_agree) {
  constexpr std::size_t n = 6, d = 4;
  const State theta = random_tokens(n, d, 11), radius = random_radii(n, 11);
  for (const auto& [name, scheme] : all_schemes()) {
    if (!schemes::has_radius(scheme))
      continue;
    BOOST_TEST_CONTEXT(name) {
      const auto at = [&](dynamics::Variables variables) {
        integrate::SolveOptions options = with_tolerance(1e-11);
        return run({.scheme = scheme, .beta = 2.0, .variables = variables}, theta, radius, d, {0.0, 8.0}, {8.0},
                   options);
      };
      const auto polar = at(dynamics::Variables::polar), cartesian = at(dynamics::Variables::cartesian);
      BOOST_TEST(difference(polar.record.states[0].theta, cartesian.record.states[0].theta) < 1e-9);
      BOOST_TEST(difference(polar.record.states[0].radius, cartesian.record.states[0].radius) < 1e-9);
      BOOST_TEST(close(polar.record.states[0].clock, cartesian.record.states[0].clock, 1e-9));
    }
  }
}

// NA-3, the exact time changes: sqrt-scaling at t is Post-LN at 2 (sqrt(1+t) - 1); nGPT with any alpha is nGPT with
// alpha = 1 at the integral of alpha; Pre-LN with equal radii is Post-LN at the clock.
BOOST_AUTO_TEST_CASE(time_changes_are_exact) {
  constexpr std::size_t n = 16, d = 5;
  const State theta = random_tokens(n, d, 12), radius(n, 1.5);
  const auto end = [&](const schemes::AnyScheme& scheme, double t) {
    return run({.scheme = scheme, .beta = 3.0}, theta, radius, d, {0.0, t}, {t}, with_tolerance(1e-11))
        .record.states[0];
  };
  const schemes::AnyScheme post = schemes::PostLn{}, ngpt = make_scheme({{"name", "ngpt"}});
  for (const double t : {2.0, 10.0}) {
    const auto slowed = end(schemes::SqrtScaling{}, t);
    BOOST_TEST(difference(slowed.theta, end(post, 2.0 * (std::sqrt(1.0 + t) - 1.0)).theta) < 1e-8);
    BOOST_TEST(close(slowed.clock, 2.0 * (std::sqrt(1.0 + t) - 1.0), 1e-9));
    const auto decaying = end(make_scheme({{"name", "ngpt"}, {"alpha", "1/(1+t)"}}), t);
    BOOST_TEST(difference(decaying.theta, end(ngpt, std::log1p(t)).theta) < 1e-8);
  }
  // Equal radii stay equal only where <theta, A> is the same for all: orthogonal starts.
  const auto orthogonal = [&](const schemes::AnyScheme& scheme, double t) {
    return run({.scheme = scheme, .beta = 3.0}, basis(d), State(d, 1.5), d, {0.0, t}, {t}, with_tolerance(1e-11))
        .record.states[0];
  };
  const auto pre = orthogonal(schemes::PreLn{}, 10.0);
  BOOST_TEST(difference(pre.theta, orthogonal(post, pre.clock).theta) < 1e-8);
}

// NA-2: E(t) - E(0) is the integral of (2 beta/n^2) sum_j Z_j |theta_j'|^2 s_j, by Simpson's rule on a fine grid.
BOOST_AUTO_TEST_CASE(energy_gained_is_the_integral_of_its_rate) {
  constexpr std::size_t n = 8, d = 3;
  constexpr double beta = 2.0, end = 2.0;
  const State theta = random_tokens(n, d, 13), radius = random_radii(n, 13);
  const std::vector<double> times = integrate::linear_grid(0.0, end, 201);
  for (const auto& [name, scheme] : all_schemes(0.0)) {
    const dynamics::TokenModel model{.scheme = scheme, .beta = beta};
    const auto result = run(model, theta, radius, d, {0.0, end}, times, with_tolerance(1e-11));
    const dynamics::TokenEquation equation(model, n, d, radius);
    const auto system = equation.on({0.0, end});
    const auto energy = [&](const std::vector<double>& tokens) {
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k)
          sum += std::exp(
              beta * (geometry::dot(std::span(tokens).subspan(j * d, d), std::span(tokens).subspan(k * d, d)) - 1.0));
      return sum / (n * n);
    };
    double integral = 0.0;
    for (std::size_t row = 0; row < times.size(); ++row) {
      const auto& state = result.record.states[row];
      dynamics::Motion motion;
      system->motion(equation.state(state.theta, state.radius), times[row], motion);
      double rate = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        rate += 2.0 * beta * std::exp(motion.log_partition[j] - beta) * motion.token_speed[j] * motion.token_speed[j] /
                motion.speed[j];
      const double weight = row == 0 || row + 1 == times.size() ? 1.0 : row % 2 == 1 ? 4.0 : 2.0;
      integral += weight * rate / (n * n) * (end / 200.0) / 3.0;
    }
    BOOST_TEST_CONTEXT(name)
    BOOST_TEST(
        close(energy(result.record.states.back().theta) - energy(result.record.states.front().theta), integral, 1e-7));
  }
}

// NA-0: the error of the layer maps against the flow halves when h is halved.
BOOST_AUTO_TEST_CASE(layers_converge_to_the_flow_at_order_one) {
  constexpr std::size_t n = 6, d = 4;
  const State theta = random_tokens(n, d, 14), radius = random_radii(n, 14);
  for (const auto& [name, scheme] : all_schemes(2.0)) {
    const dynamics::TokenModel model{.scheme = scheme, .beta = 2.0};
    const auto flow = run(model, theta, radius, d, {0.0, 5.0}, {5.0}, with_tolerance(1e-11));
    std::vector<double> errors;
    for (const double h : {1.0 / 128, 1.0 / 256}) {
      const auto layers = run(model, theta, radius, d, {0.0, 5.0}, {5.0}, {.method = Method::layers, .step = h});
      BOOST_REQUIRE(layers.record.states.size() == 1);
      errors.push_back(difference(layers.record.states[0].theta, flow.record.states[0].theta));
    }
    BOOST_TEST_CONTEXT(name << " errors " << errors[0] << " " << errors[1])
    BOOST_TEST(close(std::log2(errors[0] / errors[1]), 1.0, 0.05));
  }
}

// Schemes without radius add A itself in a layer and not P A, so their copies say `layer`; the others need not.
BOOST_AUTO_TEST_CASE(formula_copies_follow_the_built_in_schemes) {
  constexpr std::size_t n = 6, d = 4;
  const State theta = random_tokens(n, d, 15), radius = random_radii(n, 15);
  const std::vector<std::pair<std::vector<std::pair<std::string, core::Value>>, schemes::AnyScheme>> pairs = {
      {{{"s", "1"}, {"layer.keep", "1"}, {"layer.push", "h"}}, schemes::PostLn{}},
      {{{"s", "r"}, {"dr", "A_r"}}, schemes::PreLn{}},
      {{{"s", "r*norm_A"}, {"dr", "A_r/norm_A"}}, schemes::PeriLn{}},
      {{{"s", "norm_A*(1+t)"}, {"layer.keep", "1 - h/(1+t)"}, {"layer.push", "h/s"}},
       make_scheme({{"name", "ngpt"}, {"alpha", "1/(1+t)"}})},
      {{{"s", "sqrt(1+t)"}, {"layer.keep", "1"}, {"layer.push", "h/s"}}, schemes::SqrtScaling{}},
  };
  for (auto [options, built_in] : pairs) {
    options.insert(options.begin(), {"name", "formula"});
    for (const Method method : {Method::dopri5, Method::layers}) {
      integrate::SolveOptions solver = with_tolerance(1e-11, method);
      solver.step = 0.25;
      const auto a = run({.scheme = make_scheme(options), .beta = 2.0}, theta, radius, d, {0.0, 5.0}, {5.0}, solver);
      const auto b = run({.scheme = built_in, .beta = 2.0}, theta, radius, d, {0.0, 5.0}, {5.0}, solver);
      BOOST_TEST_CONTEXT(schemes::name_of(built_in) << " " << integrate::method_name(method)) {
        BOOST_TEST(difference(a.record.states[0].theta, b.record.states[0].theta) < 1e-12);
        BOOST_TEST(difference(a.record.states[0].radius, b.record.states[0].radius) < 1e-12);
      }
    }
  }
}

// V = -I and one pair: r' < 0, the radius reaches 0 in finite time; the run ends in bounded work and names the token.
BOOST_AUTO_TEST_CASE(a_radius_that_vanishes_ends_the_run_in_bounded_work) {
  const dynamics::TokenModel model{.scheme = make_scheme({{"name", "formula"}, {"s", "r"}, {"dr", "-A_r"}}),
                                   .beta = 1.0};
  const auto result = run(model, basis(2), State(2, 1.0), 2, {0.0, 10.0}, {10.0}, with_tolerance(1e-8));
  BOOST_TEST((result.summary.outcome.kind == integrate::Outcome::Kind::singular));
  BOOST_TEST(result.summary.outcome.text.find("token 0") != std::string::npos);
  BOOST_TEST(result.summary.outcome.time < 10.0);
  BOOST_TEST(result.summary.steps_accepted + result.summary.steps_rejected < 2000);
}

BOOST_AUTO_TEST_SUITE_END()
