#include "normdyn/reduced/equiangular.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "reduced/reference.hpp"

#include <numeric>

using namespace normdyn;
using namespace normdyn::testing;
using normdyn::reduced::Equiangular;

namespace {

struct Attention {
  double own, cross, norm, tangential;
};

// <theta_0, A_0>, <theta_1, A_0>, |A_0|, |P A_0| of explicit tokens, straight from the definition.
Attention by_definition(std::size_t n, double beta, double cosine) {
  const std::vector<double> theta = equiangular_tokens(n, cosine);
  const auto token = [&](std::size_t j) { return std::span(theta).subspan(j * n, n); };
  std::vector<double> drift(n, 0.0), tangent(n);
  double partition = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const double weight = std::exp(beta * (geometry::dot(token(0), token(k)) - 1.0));
    partition += weight;
    for (std::size_t i = 0; i < n; ++i)
      drift[i] += weight * token(k)[i];
  }
  for (double& value : drift)
    value /= partition;
  const double own = geometry::project_tangent(token(0), drift, tangent);
  return {own, geometry::dot(token(1), drift), geometry::norm(drift), geometry::norm(tangent)};
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

BOOST_AUTO_TEST_CASE(drift_of_the_family_is_that_of_explicit_tokens) {
  for (const std::size_t n : {2U, 5U, 17U})
    for (const double beta : {0.0, 0.7, 4.0, 30.0, -0.7, -4.0, -30.0})
      for (const double share : {0.02, 0.3, 0.5, 0.8, 0.999}) {
        const double cosine = -1.0 / (static_cast<double>(n) - 1.0) * (1.0 - share) + share;
        const Equiangular<double> family(n, beta);
        const double y = family.log_ratio(cosine);
        const Attention expected = by_definition(n, beta, cosine);
        const schemes::Drift<double> drift = family.drift(y, 2.5);
        BOOST_TEST(close(family.position(y).cosine, cosine, 1e-15));
        BOOST_TEST(close(drift.radial, expected.own, 4e-15));
        BOOST_TEST(close(drift.norm, expected.norm, 4e-15));
        BOOST_TEST(close(drift.tangential, expected.tangential, 4e-15));
        BOOST_TEST(close(family.cross_drift(y), expected.cross, 4e-15));
        BOOST_TEST(drift.radius == 2.5);
      }
}

// The full vector field of n tokens, for every scheme: gamma' = 2 <theta_0', theta_1>, r' and clock'.
BOOST_AUTO_TEST_CASE(rates_of_every_scheme_are_those_of_the_full_system) {
  constexpr std::size_t n = 6;
  const double beta = 2.0, cosine = 0.35, r = 1.7, t = 0.4;
  const Equiangular<double> family(n, beta);
  const double y = family.log_ratio(cosine);
  for (const char* name : {"post", "pre", "mix", "peri", "ngpt", "sqrt"}) {
    for (const double tau : {0.1, 3.0}) {
      dynamics::TokenModel model;
      model.scheme = scheme_named(name, tau, "1/(1+t)");
      model.beta = core::Schedule(beta);
      const dynamics::TokenEquation equation(model, n, n, std::vector<double>(n, r));
      const geometry::State x = equation.state(equiangular_tokens(n, cosine), std::vector<double>(n, r));
      geometry::State dxdt(x.size());
      const core::Interval piece{0.35, 0.45};
      (*equation.on(piece))(x, dxdt, t);
      const std::span<const double> rate(dxdt), state(x);
      const auto scheme_rates = [&](const auto& scheme) {
        return family.rates(scheme.on(piece), y, equation.has_radius() ? r : 1.0, t);
      };
      const normdyn::reduced::EquiangularRates<double> got = std::visit(scheme_rates, model.scheme);
      const double cosine_rate = 2.0 * geometry::dot(rate.first(n), state.subspan(n, n));
      const auto at = family.position(y);
      BOOST_TEST_CONTEXT(name) {
        BOOST_TEST(close(at.gap * at.sum / static_cast<double>(n) * got.log_ratio, cosine_rate, 1e-14));
        BOOST_TEST(close(got.clock, dxdt.back(), 1e-14));
        if (equation.has_radius())
          BOOST_TEST(close(got.radius, dxdt[n * n], 1e-14));
      }
    }
  }
}

// k copies of every token change nothing: n = 8 tokens in m = 4 equal clusters move like m = 4 tokens.
BOOST_AUTO_TEST_CASE(copies_of_every_token_change_nothing) {
  constexpr std::size_t m = 4, copies = 2, n = m * copies;
  const double beta = 3.0, cosine = 0.2;
  const std::vector<double> one = equiangular_tokens(m, cosine);
  std::vector<double> theta;
  for (std::size_t k = 0; k < copies; ++k)
    theta.insert(theta.end(), one.begin(), one.end());
  dynamics::TokenModel model;
  model.beta = core::Schedule(beta);
  const dynamics::TokenEquation equation(model, n, m, {});
  const geometry::State x = equation.state(theta, std::vector<double>(n, 1.0));
  geometry::State dxdt(x.size());
  (*equation.on({0.0, 1.0}))(x, dxdt, 0.5);
  const std::span<const double> rate(dxdt), state(x);
  const Equiangular<double> family(m, beta);
  const double y = family.log_ratio(cosine);
  const auto at = family.position(y);
  BOOST_TEST(close(2.0 * geometry::dot(rate.first(m), state.subspan(m, m)),
                   at.gap * at.sum / m * family.rates(schemes::PostLn{}, y, 1.0, 0.5).log_ratio, 1e-14));
}

BOOST_AUTO_TEST_CASE(no_digit_is_lost_at_either_end) {
  for (const std::size_t n : {2U, 8U, 1000U})
    for (const double beta : {0.0, 1e-9, 3.0, 200.0})
      for (const double y : {-300.0, -30.0, -1e-9, 1e-12, 0.5, 20.0, 300.0}) {
        const Equiangular<double> coarse(n, beta);
        const Equiangular<Digits50> fine(n, Digits50(beta));
        const Digits50 y_fine(y);
        const auto check = [&](double got, const Digits50& expected) {
          BOOST_TEST(agrees(Digits50(got), expected, beta > 100 ? 1e-13 : 1e-15)); // e^{beta u} has beta u ulp
        };
        BOOST_TEST_CONTEXT("n = " << n << ", beta = " << beta << ", y = " << y) {
          check(coarse.position(y).cosine, fine.position(y_fine).cosine);
          check(coarse.position(y).gap, fine.position(y_fine).gap);
          check(coarse.position(y).sum, fine.position(y_fine).sum);
          check(coarse.drift(y, 1.0).radial, fine.drift(y_fine, Digits50(1)).radial);
          check(coarse.drift(y, 1.0).norm, fine.drift(y_fine, Digits50(1)).norm);
          check(coarse.drift(y, 1.0).tangential, fine.drift(y_fine, Digits50(1)).tangential);
          BOOST_TEST(close(coarse.log_gap(y), static_cast<double>(fine.log_gap(y_fine)), 1e-15));
          check(coarse.log_sum_share(y), fine.log_sum_share(y_fine));
          if (y > 0) // a gap near its largest value does not resolve y
            BOOST_TEST(agrees(fine.log_ratio_of_gap(fine.position(y_fine).gap), y_fine, 1e-45, 1.0));
        }
      }
}

BOOST_AUTO_TEST_CASE(the_ends_are_the_simplex_and_consensus) {
  const Equiangular<double> family(8, 2.0);
  const double simplex = family.log_ratio(-1.0 / 7.0), consensus = family.log_ratio(1.0);
  BOOST_TEST(simplex == -std::numeric_limits<double>::infinity());
  BOOST_TEST(consensus == std::numeric_limits<double>::infinity());
  BOOST_TEST(family.position(simplex).sum == 0.0);
  BOOST_TEST(close(family.position(simplex).gap, 8.0 / 7.0, 1e-15));
  BOOST_TEST(family.position(consensus).gap == 0.0);
  BOOST_TEST(family.position(consensus).sum == 8.0);
  // theory: r' = (e^{beta c} - 1)/(e^{beta c} + n - 1) on the simplex for Pre-LN, exactly 1 for Peri-LN
  const double e = std::exp(16.0 / 7.0);
  BOOST_TEST(close(family.rates(schemes::PreLn{}, simplex, 1.0, 0.0).radius, (e - 1.0) / (e + 7.0), 1e-15));
  BOOST_TEST(family.rates(schemes::PeriLn{}, simplex, 1.0, 0.0).radius == 1.0);
  BOOST_TEST(family.rates(schemes::PreLn{}, consensus, 1.0, 0.0).radius == 1.0);
}

BOOST_AUTO_TEST_CASE(what_is_no_equiangular_family_is_refused) {
  BOOST_TEST(refuses<core::InputError>([] { Equiangular<double>(1, 1.0); }, "1 tokens"));
  BOOST_TEST(refuses<core::InputError>([] { Equiangular<double>(4, -INFINITY); }, "beta = -inf"));
  BOOST_TEST(refuses<core::InputError>([] { static_cast<void>(Equiangular<double>(4, 1.0).log_ratio(-0.4)); }, "-0.4",
                                       "[-1/3, 1]"));
  BOOST_TEST(refuses<core::InputError>([] { static_cast<void>(Equiangular<double>(4, 1.0).log_ratio(1.5)); }, "1.5"));
}

BOOST_AUTO_TEST_SUITE_END()
