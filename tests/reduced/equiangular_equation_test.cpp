#include "normdyn/reduced/equiangular_equation.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/integrate/solve.hpp"
#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

struct Silent final : integrate::Sink {
  void state(const observables::Frame&) override {}
  void series(const observables::Frame&, std::span<const double>) override {}
  void event(const integrate::EventHit&) override {}
  bool progress(const integrate::Progress&) override { return false; }
};

// The one step loop over odeint's steppers. Fehlberg's estimate k_0 + k_10 - k_11 - k_12 vanishes where the rate
// depends on time alone, as y' does near consensus, so that method is held to short steps; the others see their
// errors.
void integrate_to(const EquiangularEquation& equation, geometry::State& x, double begin, double end, double tolerance,
                  integrate::Method method = integrate::Method::bulirsch_stoer) {
  integrate::SolveOptions options;
  options.method = method;
  options.tolerance = {tolerance, tolerance, tolerance, tolerance};
  if (method == integrate::Method::fehlberg78)
    options.largest_step = 0.25;
  Silent sink;
  const integrate::SolveSummary summary = integrate::solve(equation, x, {begin, end}, options, {}, sink);
  BOOST_REQUIRE_MESSAGE(summary.outcome.kind == integrate::Outcome::Kind::completed, summary.outcome.text);
  x = summary.final_state;
}

EquiangularEquation equation_of(const ReferenceKey& key) {
  const double tau = key.tau.empty() ? 0.0 : std::stod(key.tau);
  return {{.scheme = scheme_named(key.scheme, tau, key.alpha),
           .n_tokens = std::stoul(key.n),
           .beta = core::Schedule(std::stod(key.beta))},
          std::stod(key.r0)};
}

EquiangularEquation formula(const char* s, const char* dr, std::size_t n, double beta) {
  core::Value section;
  section.set("name", core::Value("formula"));
  section.set("s", core::Value(s));
  section.set("dr", core::Value(dr));
  core::Settings settings(section, "study.toml");
  schemes::AnyScheme scheme = schemes::read_scheme(settings, {.n_tokens = n, .dim = n, .beta = core::Schedule(beta)});
  return {{.scheme = std::move(scheme), .n_tokens = n, .beta = core::Schedule(beta)}, 1.5};
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

// All 240 rows: 1 - gamma to 1e-13 (1 + |y|) relative, r to 1e-13 relative, with odeint in double.
BOOST_AUTO_TEST_CASE(odeint_in_double_meets_every_reference_row) {
  for (const integrate::Method method :
       {integrate::Method::bulirsch_stoer, integrate::Method::fehlberg78, integrate::Method::dop853})
    for (const auto& [key, rows] : equiangular_reference())
      BOOST_TEST_CONTEXT(integrate::method_name(method) << ", " << key.text()) {
        const EquiangularEquation equation = equation_of(key);
        const Equiangular<double> family(equation.model().n_tokens, std::stod(key.beta));
        geometry::State x = equation.state(0.0);
        double t = 0.0;
        for (const ReferenceRow& row : rows)
          BOOST_TEST_CONTEXT("t = " << row.time) {
            integrate_to(equation, x, t, std::stod(row.time), 1e-15, method);
            t = std::stod(row.time);
            const double y = equation.log_ratio(x);
            BOOST_TEST(agrees(family.position(y).gap, std::stod(row.gap), 1e-13 * (1.0 + std::abs(y))));
            BOOST_TEST(agrees(equation.radius(x), std::stod(row.radius), 1e-13));
            BOOST_TEST(close(equation.clock(x), clock_between(family, family.log_ratio(0.0), y), 2e-13));
          }
      }
}

// Written as formulas, Pre- and Peri-LN are themselves.
BOOST_AUTO_TEST_CASE(a_formula_moves_like_the_scheme_it_spells) {
  for (const auto& [s, dr, name] : {std::tuple{"r", "A_r", "pre"}, {"r*norm_A", "A_r/norm_A", "peri"}}) {
    const EquiangularEquation equation = formula(s, dr, 8, 2.0);
    geometry::State x = equation.state(0.3);
    integrate_to(equation, x, 0.0, 5.0, 1e-14);
    const auto expected = quadrature_from(8, 2.0, 0.3, 1.5, pace_named<double>(name, 0.0)).at(5.0);
    BOOST_TEST(close(equation.log_ratio(x), expected.log_ratio, 1e-13));
    BOOST_TEST(close(equation.radius(x), expected.radii, 1e-13));
  }
}

// The family x' = r^{1-p} A/|A|^q: s = r^p |A|^q, and consensus runs like r ~ (p t)^{1/p}, u ~ t^{-2/p}.
BOOST_AUTO_TEST_CASE(a_power_of_the_radius_gives_its_power_law) {
  const EquiangularEquation equation = formula("r^3*norm_A^0.5", "A_r/(r^2*norm_A^0.5)", 4, 1.0);
  const Equiangular<double> family(4, 1.0);
  geometry::State x = equation.state(0.0);
  integrate_to(equation, x, 0.0, 1e9, 1e-13);
  const double first = family.log_gap(equation.log_ratio(x));
  BOOST_TEST(close(equation.radius(x) / std::cbrt(3e9), 1.0, 1e-4));
  integrate_to(equation, x, 1e9, 2e9, 1e-13);
  BOOST_TEST(close((family.log_gap(equation.log_ratio(x)) - first) / std::log(2.0), -2.0 / 3.0, 1e-4));
}

// beta(t) in two constant parts: the curve continues on the second family.
BOOST_AUTO_TEST_CASE(a_jump_of_beta_is_a_breakpoint) {
  const EquiangularEquation equation(
      {.scheme = schemes::PostLn{}, .n_tokens = 8, .beta = core::Schedule::table({0.0, 1.0}, {3.0, 1.0}, "test")}, 1.0);
  geometry::State x = equation.state(0.0);
  integrate_to(equation, x, 0.0, 2.0, 1e-14);
  const double at_jump = log_ratio_at_clock(Equiangular<double>(8, 3.0), 0.0, 1.0);
  BOOST_TEST(close(equation.log_ratio(x), log_ratio_at_clock(Equiangular<double>(8, 1.0), at_jump, 1.0), 1e-13));
}

BOOST_AUTO_TEST_CASE(a_simplex_stays_and_its_radius_grows) {
  const EquiangularEquation equation({.scheme = schemes::PreLn{}, .n_tokens = 8, .beta = core::Schedule(2.0)}, 1.5);
  geometry::State x = equation.state(-1.0 / 7.0), rate(x.size());
  (*equation.on({0.0, 1.0}))(x, rate, 0.0);
  const double e = std::exp(16.0 / 7.0);
  BOOST_TEST(equation.log_ratio(x) == -std::numeric_limits<double>::infinity());
  BOOST_TEST(std::isfinite(rate[0]));
  BOOST_TEST(close(rate[1], (e - 1.0) / (e + 7.0), 1e-15));
}

BOOST_AUTO_TEST_CASE(layers_of_the_system_are_the_layer_map) {
  const EquiangularEquation equation({.scheme = schemes::PeriLn{}, .n_tokens = 8, .beta = core::Schedule(2.0)}, 1.5);
  const std::unique_ptr<dynamics::System> system = equation.on({0.0, 0.5});
  const geometry::State x = equation.state(0.1);
  geometry::State next(x.size());
  system->layer(x, next, 0.0, 0.5);
  const Equiangular<double> family(8, 2.0);
  BOOST_TEST(equation.clock(next) == 0.5 * family.rates(schemes::PeriLn{}, x[0], 1.5, 0.0).clock);
  BOOST_TEST(next[0] > x[0]);
  BOOST_TEST(next[1] > 1.5);
  BOOST_TEST(system->n_evaluations() == 1);
}

BOOST_AUTO_TEST_CASE(motion_is_that_of_one_token) {
  const EquiangularEquation equation({.scheme = schemes::PreLn{}, .n_tokens = 4, .beta = core::Schedule(2.0)}, 2.0);
  dynamics::Motion motion;
  const geometry::State x = equation.state(0.25);
  equation.on({0.0, 1.0})->motion(x, 0.0, motion);
  const double own = std::exp(2.0), other = std::exp(0.5), z = own + 3.0 * other;
  BOOST_TEST(close(motion.log_partition[0], std::log(z), 1e-15));
  BOOST_TEST(close(motion.entropy[0], -own / z * std::log(own / z) - 3.0 * other / z * std::log(other / z), 1e-15));
  BOOST_TEST(close(motion.drift[0], (own + 0.75 * other) / z, 1e-15));
  BOOST_TEST(close(motion.radial_rate[0], (own + 0.75 * other) / z, 1e-15));
  BOOST_TEST(motion.speed[0] == 0.5);
}

BOOST_AUTO_TEST_CASE(troubles_are_named) {
  const EquiangularEquation peri({.scheme = schemes::PeriLn{}, .n_tokens = 4, .beta = core::Schedule(0.0)}, 1.0);
  const std::unique_ptr<dynamics::System> system = peri.on({0.0, 1.0});
  BOOST_TEST(!system->diagnose(peri.state(0.0), 0.0).has_value());
  const auto drift = system->diagnose(peri.state(-1.0 / 3.0), 0.5); // uniform attention on a simplex: A = 0
  BOOST_REQUIRE(drift.has_value());
  BOOST_TEST((drift->kind == dynamics::Trouble::Kind::vanishing_drift));
  BOOST_TEST(drift->text.find("peri_ln") != std::string::npos);
  geometry::State x = peri.state(0.0), rate(x.size());
  x[1] = 1e-9;
  (*system)(x, rate, 0.0);
  BOOST_TEST(system->met_singularity());
  BOOST_TEST((system->diagnose(x, 0.0)->kind == dynamics::Trouble::Kind::vanishing_radius));
  x[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST((system->diagnose(x, 0.0)->kind == dynamics::Trouble::Kind::non_finite));
  BOOST_TEST(peri.error({}, x, rate, x) == std::numeric_limits<double>::infinity());
  BOOST_TEST(refuses<core::InputError>([] { EquiangularEquation({.n_tokens = 1}, 1.0); }, "1 tokens"));
  BOOST_TEST(refuses<core::InputError>([] { EquiangularEquation({.n_tokens = 3}, 0.0); }, "radius 0"));
}

BOOST_AUTO_TEST_CASE(error_is_relative_to_the_gap_and_the_radius) {
  const EquiangularEquation equation({.scheme = schemes::PreLn{}, .n_tokens = 8}, 2.0);
  const dynamics::Tolerance tolerance{.rtol = 1e-6, .atol = 0.0, .radius_rtol = 1e-3, .radius_atol = 0.0};
  geometry::State x = equation.state_at(99.0), e(x.size(), 0.0);
  e[0] = 1e-4; // of 1 + |y| = 100
  BOOST_TEST(close(equation.error(tolerance, x, e, x), 1.0, 1e-12));
  e[1] = 4e-3; // of r = 2
  BOOST_TEST(close(equation.error(tolerance, x, e, x), 2.0, 1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
