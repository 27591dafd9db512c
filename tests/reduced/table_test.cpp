#include "normdyn/reduced/table.hpp"

#include "normdyn/reduced/layer_map.hpp"
#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

BOOST_AUTO_TEST_SUITE(reduced)

BOOST_AUTO_TEST_CASE(rows_are_those_of_the_quadrature) {
  const std::vector<double> times{0.0, 0.5, 3.0, 40.0};
  for (const char* name : {"post", "pre", "mix", "peri", "ngpt", "sqrt"}) {
    const EquiangularEquation equation(
        {.scheme = scheme_named(name, 3.0, "1/(1+t)"), .n_tokens = 16, .beta = core::Schedule(3.0)}, 1.5);
    const EquiangularTable table = tabulate(equation, -0.05, 0.0, times);
    const auto expected = quadrature_from(16, 3.0, -0.05, 1.5, pace_named<double>(name, 3.0, "1/(1+t)"))
                              .at(std::span<const double>(times));
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST((table.outcome.kind == integrate::Outcome::Kind::completed));
      BOOST_REQUIRE_EQUAL(table.rows.size(), times.size());
      const Equiangular<double> family(16, 3.0);
      for (std::size_t i = 0; i < times.size(); ++i) {
        BOOST_TEST(table.rows[i].time == times[i]);
        BOOST_TEST(close(table.rows[i].log_ratio, expected[i].log_ratio, 1e-13));
        BOOST_TEST(close(table.rows[i].cosine, family.position(expected[i].log_ratio).cosine, 1e-13));
        BOOST_TEST(agrees(table.rows[i].gap, family.position(expected[i].log_ratio).gap, 1e-12));
        BOOST_TEST(close(table.rows[i].radius, expected[i].radii, 1e-13));
        BOOST_TEST(
            close(table.rows[i].clock, clock_between(family, family.log_ratio(-0.05), expected[i].log_ratio), 1e-13));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(layers_are_tabulated_by_the_same_call) {
  const EquiangularEquation equation({.scheme = schemes::PreLn{}, .n_tokens = 16, .beta = core::Schedule(3.0)}, 1.5);
  integrate::SolveOptions options;
  options.method = integrate::Method::layers;
  options.step = 0.5;
  const std::vector<double> times{0.5, 1.5};
  const EquiangularTable table = tabulate(equation, 0.1, 0.0, times, options);
  const Equiangular<double> family(16, 3.0);
  LayerResult<double> at{family.log_ratio(0.1), 1.5};
  for (int l = 0; l < 3; ++l)
    at = layer(family, schemes::PreLn{}, at.log_ratio, at.radius, 0.5 * l, 0.5);
  BOOST_REQUIRE_EQUAL(table.rows.size(), 2U);
  BOOST_TEST(table.rows[1].log_ratio == at.log_ratio);
  BOOST_TEST(table.rows[1].radius == at.radius);
}

// On the simplex r' = a = (e^{beta c} - 1)/(e^{beta c} + n - 1) for Pre-LN, and the clock is the integral of 1/r.
BOOST_AUTO_TEST_CASE(tokens_on_a_simplex_only_grow) {
  const double infinity = std::numeric_limits<double>::infinity();
  const EquiangularEquation equation({.scheme = schemes::PreLn{}, .n_tokens = 4, .beta = core::Schedule(2.0)}, 1.5);
  const std::vector<double> times{0.0, 1.0, 3.0};
  const double e = std::exp(2.0 * 4.0 / 3.0), a = (e - 1.0) / (e + 3.0);
  const EquiangularTable flow = tabulate(equation, -1.0 / 3.0, 0.0, times);
  integrate::SolveOptions options;
  options.method = integrate::Method::layers;
  options.step = 1.0;
  const EquiangularTable layers = tabulate(equation, -1.0 / 3.0, 0.0, times, options);
  BOOST_REQUIRE_EQUAL(flow.rows.size(), 3U);
  BOOST_REQUIRE_EQUAL(layers.rows.size(), 3U);
  for (std::size_t i = 0; i < times.size(); ++i) {
    BOOST_TEST(flow.rows[i].log_ratio == -infinity);
    BOOST_TEST(layers.rows[i].log_ratio == -infinity);
    BOOST_TEST(flow.rows[i].gap == 4.0 / 3.0);
    BOOST_TEST(close(flow.rows[i].radius, 1.5 + a * times[i], 1e-14));
    BOOST_TEST(close(layers.rows[i].radius, 1.5 + a * times[i], 1e-14));
    BOOST_TEST(close(flow.rows[i].clock, std::log(flow.rows[i].radius / 1.5) / a, 1e-13));
  }
  // consensus: a = 1
  const EquiangularTable consensus = tabulate(equation, 1.0, 0.0, times);
  BOOST_REQUIRE_EQUAL(consensus.rows.size(), 3U);
  BOOST_TEST(consensus.rows[2].log_ratio == infinity);
  BOOST_TEST(consensus.rows[2].gap == 0.0);
  BOOST_TEST(close(consensus.rows[2].radius, 4.5, 1e-14));
}

BOOST_AUTO_TEST_CASE(a_run_that_cannot_go_on_keeps_its_rows_and_says_why) {
  // uniform attention on a simplex: A = 0 and Peri-LN is undefined
  const EquiangularEquation equation({.scheme = schemes::PeriLn{}, .n_tokens = 4, .beta = core::Schedule(0.0)}, 1.0);
  const std::vector<double> times{0.0, 1.0};
  const EquiangularTable table = tabulate(equation, -1.0 / 3.0, 0.0, times);
  BOOST_TEST(table.rows.size() == 1U);
  BOOST_TEST(table.outcome.is_failure());
  BOOST_TEST(table.outcome.text.find("peri_ln") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
