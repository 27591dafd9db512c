#include "normdyn/reduced/constants.hpp"

#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

// u and r of a scheme at time t, in 50 digits.
struct Seen {
  Digits50 gap, radius;
};
Seen seen(const Equiangular<Digits50>& family, const Digits50& y0, const Digits50& r0, const char* scheme,
          const Digits50& t, const Digits50& tau = 3) {
  const EquiangularQuadrature<Digits50> motion(EquiangularCurve<Digits50>(family, y0, r0),
                                               pace_named<Digits50>(scheme, tau));
  const auto point = motion.at(t);
  return {family.position(point.log_ratio).gap, point.radii};
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

// gamma0 = 0, r0 = 1, tau = 3, to the digits printed. The last row is reached through logarithms only.
BOOST_AUTO_TEST_CASE(constants_meet_the_printed_table) {
  struct Row {
    std::size_t n;
    double beta, r2, k, post, pre, sqrt, kn, d_pre, d_peri, mix;
  };
  const Row rows[] = {
      {8, 1.0, 1.53315, 12.2652, 24.5304, 3.0663, 1339.314, 2.92106, -0.8352501, 0.3322826, 0.0592349},
      {256, 5.0, 8.339066, 2134.801, 4269.602, 16.67813, 233112.4, 18.08327, -6.663542, -0.8681868, 2.002122}};
  for (const Row& row : rows) {
    const Equiangular<double> family(row.n, row.beta);
    const double y0 = family.log_ratio(0.0);
    BOOST_TEST(agrees(std::exp(log_power_constant(family, y0)), row.r2, 4e-6));
    BOOST_TEST(agrees(std::exp(log_exponential_constant(family, y0)), row.k, 5e-6));
    BOOST_TEST(agrees(std::exp(log_post_rate(family, y0)), row.post, 3e-6));
    BOOST_TEST(agrees(std::exp(log_radius_rate(family, y0, 1.0)), row.pre, 2e-5));
    BOOST_TEST(agrees(std::exp(log_sqrt_rate(family, y0)), row.sqrt, 5e-7));
    BOOST_TEST(agrees(std::exp(log_drift_constant(family, y0)), row.kn, 2e-6));
    BOOST_TEST(agrees(time_shift(family, y0, false).over_radius(), row.d_pre, 1e-7));
    BOOST_TEST(agrees(time_shift(family, y0, true).over_radius(), row.d_peri, 2e-7));
    BOOST_TEST(agrees(std::exp(log_mix_rate(family, y0, 1.0, 3.0)), row.mix, 1e-6));
  }
  const Equiangular<double> family(32, 9.0);
  const double y0 = family.log_ratio(0.0), ten = std::log(10.0);
  const auto meets = [&](double logarithm, double mantissa, int exponent) {
    return agrees(std::exp(logarithm - exponent * ten), mantissa, 2e-4); // 4 digits
  };
  BOOST_TEST(meets(log_power_constant(family, y0), 5.484, 150));
  BOOST_TEST(meets(log_exponential_constant(family, y0), 1.755, 152));
  BOOST_TEST(meets(log_post_rate(family, y0), 3.510, 152));
  BOOST_TEST(meets(log_radius_rate(family, y0, 1.0), 1.097, 151));
  BOOST_TEST(meets(log_sqrt_rate(family, y0), 1.916, 154));
  BOOST_TEST(meets(log_drift_constant(family, y0), 6.811, 150));
  BOOST_TEST(agrees(time_shift(family, y0, false).over_radius(), -1.94e75, 3e-3)); // 3 digits
  BOOST_TEST(agrees(time_shift(family, y0, true).over_radius(), -6.94e74, 1e-3));
}

BOOST_AUTO_TEST_CASE(plateau_exponents_meet_the_printed_table) {
  const std::size_t tokens[] = {2, 8, 32, 64, 256, 1024};
  struct Row {
    double beta;
    std::array<double, 6> exponent, rounding; // half a unit of the last printed digit
  };
  const Row rows[] = {{1, {0.4711, 0.2137, 0.0840, 0.0505, 0.0171, 0.0054}, {5e-5, 5e-5, 5e-5, 5e-5, 5e-5, 5e-5}},
                      {3, {3.171, 1.637, 0.7114, 0.4438, 0.1587, 0.0522}, {5e-4, 5e-4, 5e-5, 5e-5, 5e-5, 5e-5}},
                      // 1.0605 is half the logarithm of R_2 = 8.339066
                      {5, {15.63, 9.129, 4.358, 2.817, 1.0605, 0.3609}, {5e-3, 5e-4, 5e-4, 5e-4, 5e-5, 5e-5}},
                      {6, {35.36, 21.75, 10.81, 7.093, 2.730, 0.9424}, {5e-3, 5e-3, 5e-3, 5e-4, 5e-4, 5e-5}},
                      {7, {81.8, 52.5, 27.05, 17.99, 7.062, 2.469}, {5e-2, 5e-2, 5e-3, 5e-3, 5e-4, 5e-4}},
                      {9, {463, 318, 173.5, 118.1, 47.95, 17.13}, {0.5, 0.5, 5e-2, 5e-2, 5e-3, 5e-3}}};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < 6; ++i) {
      const Equiangular<double> family(tokens[i], row.beta);
      const double lambda = plateau_exponent(family, family.log_ratio(0.0));
      BOOST_TEST_CONTEXT("beta = " << row.beta << ", n = " << tokens[i])
      BOOST_TEST(std::abs(lambda - row.exponent[i]) <= 1.01 * row.rounding[i]);
    }
}

BOOST_AUTO_TEST_CASE(constants_hold_their_digits_in_double) {
  for (const auto& [n, beta] : {std::pair<std::size_t, double>{2, 0.5}, {8, 1.0}})
    for (const double cosine : {0.6}) {
      const Equiangular<double> coarse(n, beta);
      const Equiangular<Digits50> fine(n, Digits50(beta));
      const double y = coarse.log_ratio(cosine);
      BOOST_TEST(
          close(log_power_constant(coarse, y), static_cast<double>(log_power_constant(fine, Digits50(y))), 2e-14));
      BOOST_TEST(
          close(log_drift_constant(coarse, y), static_cast<double>(log_drift_constant(fine, Digits50(y))), 2e-14));
      BOOST_TEST(close(time_shift(coarse, y, true).weight,
                       static_cast<double>(time_shift(fine, Digits50(y), true).weight), 2e-14));
    }
}

// The laws against the curves at large t, from a start that is not orthogonal and with r0 != 1.
BOOST_AUTO_TEST_CASE(curves_reach_their_terminal_laws_with_the_exact_constants) {
  const Equiangular<Digits50> family(8, 1);
  const Digits50 y0 = family.log_ratio(Digits50("0.2")), r0("1.5");
  const auto is_one = [](const Digits50& ratio, double tolerance) { return agrees(ratio, Digits50(1), tolerance); };
  const Digits50 k = exp(log_exponential_constant(family, y0)), kn = exp(log_drift_constant(family, y0));
  BOOST_TEST(is_one(seen(family, y0, 1, "post", 40).gap / (k * exp(Digits50(-80))), 1e-33));
  BOOST_TEST(is_one(seen(family, y0, 1, "ngpt", 40).gap / (kn * exp(Digits50(-80))), 1e-33));
  BOOST_TEST(is_one(seen(family, y0, 1, "sqrt", 399).gap / (k * exp(Digits50(4 - 80))), 1e-31));
  const Digits50 r2 = exp(log_power_constant(family, y0)), t(2000);
  for (const bool by_drift : {false, true}) {
    const Digits50 shift = r0 * time_shift(family, y0, by_drift).over_radius(), arrival = t + shift;
    const Seen at = seen(family, y0, r0, by_drift ? "peri" : "pre", t);
    // u r^2 = R_2 r0^2 (1 - (beta/n) u), r = t + D + (n-1) R_2 r0^2/(n t), half of that for Peri-LN
    BOOST_TEST(
        is_one(at.gap * at.radius * at.radius / (r2 * r0 * r0 * (1 - radius_correction(family) * at.gap)), 1e-12));
    const Digits50 next = 7 * r2 * r0 * r0 / ((by_drift ? 16 : 8) * t);
    BOOST_TEST(is_one((at.radius - arrival) / next, 2e-3));
    BOOST_TEST(is_one(at.gap * arrival * arrival / (r2 * r0 * r0), 1e-5));
  }
  const Digits50 law = exp(log_mix_rate(family, y0, r0, Digits50(3))) / 2;
  BOOST_TEST(is_one(seen(family, y0, r0, "mix", t).gap * t * t / law, 2e-3)); // the shift is not in this form
}

// u = law (1 - coefficient u + O(u^2)): the coefficient from two curves at u near 1e-8.
BOOST_AUTO_TEST_CASE(first_corrections_are_the_predicted_ones) {
  for (const auto& [n, beta] : {std::pair<std::size_t, int>{8, 1}, {256, 5}}) {
    const Equiangular<Digits50> family(n, Digits50(beta));
    const Digits50 y0 = family.log_ratio(Digits50(0)), gap("1e-8"), y = family.log_ratio_of_gap(gap);
    const auto coefficient = [&](const Digits50& law) -> Digits50 { return (1 - gap / law) / gap; };
    const Digits50 post = exp(log_exponential_constant(family, y0) - 2 * clock_between(family, y0, y));
    BOOST_TEST(agrees(coefficient(post), exponential_correction(family), 2e-6));
    const EquiangularQuadrature<Digits50> ngpt(EquiangularCurve<Digits50>(family, y0, Digits50(1)),
                                               pace_named<Digits50>("ngpt", 0));
    const Digits50 drift = exp(log_drift_constant(family, y0) - 2 * ngpt.time(y));
    BOOST_TEST(agrees(coefficient(drift), drift_correction(family), 2e-6));
    const Digits50 radius = exp(log_power_constant(family, y0) - 2 * log_radius_growth(family, y0, y));
    BOOST_TEST(agrees(coefficient(radius), radius_correction(family), 2e-6));
  }
}

BOOST_AUTO_TEST_SUITE_END()
