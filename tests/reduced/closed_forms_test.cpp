#include "normdyn/reduced/closed_forms.hpp"

#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

// The integral of (e^{beta u} - 1)/n over [a, b]: no exponential integral in it.
template <class Scalar>
Scalar excess_by_quadrature(const Equiangular<Scalar>& family, const Scalar& a, const Scalar& b, const Scalar& width) {
  const auto growth = [&](const Scalar& y) -> Scalar {
    using std::expm1;
    return expm1(Scalar(family.beta() * family.position(y).gap)) / family.n();
  };
  return integral(growth, a, b, width);
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

BOOST_AUTO_TEST_CASE(exponential_integrals_meet_tabulated_values) {
  // Abramowitz and Stegun, tables 5.1 and 5.2, and DLMF 6.6: Ei(1), E1(1), Ei(10), E1(10).
  const double euler = 0.57721566490153286061;
  BOOST_TEST(close(regular_ei(1.0), 1.8951178163559367555 - euler, 1e-15));
  BOOST_TEST(close(regular_e1(1.0), 0.21938393439552027368 + euler, 1e-15));
  BOOST_TEST(close(regular_ei(10.0), 2492.2289762418777591 - euler - std::log(10.0), 1e-15));
  BOOST_TEST(agrees(scaled_e1(10.0), 4.1569689296853242775e-6 * std::exp(10.0), 1e-14));
}

BOOST_AUTO_TEST_CASE(pieces_of_the_exponential_integrals_join) {
  for (const double x : {1.0, 2.0, 500.0}) {
    const Digits50 below = Digits50(x) * (1 - Digits50("1e-45")), above = Digits50(x) * (1 + Digits50("1e-45"));
    BOOST_TEST(agrees(scaled_e1(below), scaled_e1(above), 1e-43));
    if (x < 100) {
      BOOST_TEST(agrees(regular_ei(below), regular_ei(above), 1e-43));
      BOOST_TEST(agrees(regular_e1(below), regular_e1(above), 1e-43));
    }
  }
}

BOOST_AUTO_TEST_CASE(excess_is_the_integral_of_its_derivative_to_45_digits) {
  for (const auto& [n, beta] :
       {std::pair<std::size_t, double>{2, 0.25}, {8, 1.0}, {256, 5.0}, {32, 9.0}, {2, -0.25}, {8, -5.0}, {32, -40.0}}) {
    const Equiangular<Digits50> family(n, Digits50(beta));
    for (const double from : {-4.0, 0.0, 3.0}) {
      const Digits50 a(from), b(from + 2.5);
      const Digits50 scale = abs(excess(family, a)) + 1;
      const Digits50 difference =
          excess(family, b) - excess(family, a) - excess_by_quadrature(family, a, b, panel_width(family.beta()));
      BOOST_TEST(static_cast<double>(abs(difference) / scale) < 1e-46);
    }
  }
}

BOOST_AUTO_TEST_CASE(excess_in_double_is_right_to_rounding_everywhere) {
  for (const std::size_t n : {2U, 8U, 256U})
    for (const double beta : {1e-12, 0.01, 0.4, 0.9, 1.0, 3.0, 9.0, 40.0, -1e-12, -0.4, -1.0, -9.0, -40.0})
      for (const double y : {-800.0, -40.0, -1.0, 0.0, 2.0, 10.0, 36.0, 700.0}) {
        const double expected = static_cast<double>(excess(Equiangular<Digits50>(n, Digits50(beta)), Digits50(y)));
        const double reach =
            std::max(1.0, std::exp(beta * Equiangular<double>(n, beta).position(y).gap) / static_cast<double>(n));
        BOOST_TEST_CONTEXT("n = " << n << ", beta = " << beta << ", y = " << y)
        BOOST_TEST(std::abs(excess(Equiangular<double>(n, beta), y) - expected) <=
                   2e-15 * (1.0 + std::abs(beta)) * std::max(reach, std::abs(expected)));
      }
}

BOOST_AUTO_TEST_CASE(negative_beta_overflows_nowhere) {
  for (const std::size_t n : {2U, 8U, 256U})
    for (const double beta : {-300.0, -2000.0, -1e6})
      for (const double y : {-800.0, -40.0, 0.0, 5.0, 36.0}) {
        const Equiangular<double> family(n, beta);
        const double expected = static_cast<double>(excess(Equiangular<Digits50>(n, Digits50(beta)), Digits50(y)));
        BOOST_TEST_CONTEXT("n = " << n << ", beta = " << beta << ", y = " << y) {
          BOOST_TEST(std::abs(excess(family, y) - expected) <= 2e-13 * (1.0 + std::abs(expected)));
          BOOST_TEST(std::isfinite(family.drift(y, 1.0).radial));
          BOOST_TEST(std::isfinite(family.log_partition(y)));
        }
      }
}

BOOST_AUTO_TEST_CASE(large_beta_does_not_overflow_past_the_plateau) {
  const Equiangular<double> family(4, 2000.0);
  const double y = 12.0; // beta u = 0.05
  const double expected = -static_cast<double>(
      excess_by_quadrature(Equiangular<Digits50>(4, 2000), Digits50(y), Digits50(60), Digits50(1)));
  BOOST_TEST(close(excess(family, y), expected, 1e-14));
}

BOOST_AUTO_TEST_CASE(radius_and_clock_are_tied_by_the_sum_of_tokens) {
  const Equiangular<Digits50> family(12, Digits50(4));
  const Digits50 y0 = family.log_ratio(Digits50(-1) / 20), y(3);
  const Digits50 rho = exp(log_radius_growth(family, y0, y)), clock = clock_between(family, y0, y);
  BOOST_TEST(agrees(rho, Digits50(exp(clock + (family.log_sum_share(y0) - family.log_sum_share(y)) / 2)), 1e-47));
}

BOOST_AUTO_TEST_CASE(clock_inverts_for_short_and_long_plateaus) {
  for (const auto& [n, beta] : {std::pair<std::size_t, double>{2, 0.0}, {8, 1.0}, {256, 5.0}, {32, 9.0}}) {
    const Equiangular<double> family(n, beta);
    for (const double y0 : {-5.0, 0.0})
      for (const double clock : {0.0, 1e-6, 0.3, 4.0, 100.0, 1000.0}) {
        const double y = log_ratio_at_clock(family, y0, clock);
        const double resolved = 4e-16 * (1.0 + std::abs(y)) * family.cost(y); // what one ulp of y is worth
        BOOST_TEST(std::abs(clock_between(family, y0, y) - clock) <= 4e-15 * (1.0 + clock) + resolved);
      }
  }
}

BOOST_AUTO_TEST_CASE(uniform_attention_is_elementary) {
  const Equiangular<double> family(7, 0.0);
  const double y0 = family.log_ratio(0.1), r0 = 1.3;
  BOOST_TEST(close(uniform_post_log_ratio(y0, 2.0), log_ratio_at_clock(family, y0, 2.0), 1e-15));
  const auto by_quadrature = quadrature_from(7, 0.0, 0.1, r0, pre_pace<double>());
  for (const double y : {y0, y0 + 1e-6, y0 + 0.5, y0 + 3.0, y0 + 20.0}) {
    const double r = uniform_pre_radius(family, y0, r0, y);
    BOOST_TEST(close(r, r0 * std::sqrt(0.9 / family.position(y).gap), 1e-14));
    BOOST_TEST(close(uniform_pre_time(family, y0, r0, y), by_quadrature.time(y), 1e-14));
  }
}

BOOST_AUTO_TEST_SUITE_END()
