#include "normdyn/reduced/local_exponents.hpp"

#include "reduced/reference.hpp"

#include <functional>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

// The last y at which `ratio` is off 1 by more than 1%: the outermost crossing, found from far out inwards.
double last_deviation(const std::function<double(double)>& ratio, double far) {
  const auto is_off = [&](double y) { return std::abs(ratio(y) - 1.0) > 0.01; };
  double high = far;
  while (!is_off(high - 0.25))
    high -= 0.25;
  double low = high - 0.25;
  for (int i = 0; i < 60; ++i)
    (is_off(low + 0.5 * (high - low)) ? low : high) = low + 0.5 * (high - low);
  return high;
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

// gamma0 = 0, r0 = 1: the last time off by more than 1%. The printed times were read off a grid and lie up to 0.7%
// above the crossing itself (80.9 for 80.73); the last row has two digits.
BOOST_AUTO_TEST_CASE(one_percent_windows_meet_the_printed_table) {
  struct Row {
    std::size_t n;
    double beta, post, ngpt, by_sqrt, by_sqrt_shifted, pre, peri, pre_radius, peri_radius, digits;
  };
  const Row rows[] = {{8, 1.0, 3.55, 2.55, 49.3, 6.71, 80.9, 37.1, 5.12, 4.10, 8e-3},
                      {256, 5.0, 6.14, 3.42, 49.3, 15.6, 672, 76.4, 11.4, 6.30, 8e-3},
                      {32, 9.0, 178, 176, 8072, 8071, 1.9e77, 5.8e76, 1.5e76, 1.4e76, 4e-2}};
  for (const Row& row : rows) {
    const Equiangular<double> family(row.n, row.beta);
    const auto motion = [&](const char* name) {
      return quadrature_from(row.n, row.beta, 0.0, 1.0, pace_named<double>(name, 0.0));
    };
    const auto post = motion("post"), ngpt = motion("ngpt"), slow = motion("sqrt"), pre = motion("pre"),
               peri = motion("peri");
    const EquiangularCurve<double> curve(family, family.log_ratio(0.0), 1.0);
    const auto check = [&](const auto& solution, double printed, const std::function<double(double)>& ratio) {
      BOOST_TEST(agrees(solution.time(last_deviation(ratio, 60.0)), printed, row.digits));
    };
    const auto by_clock = [&](double y) { return exponent_by_clock(family, y); };
    const auto by_radius = [&](double y) { return exponent_by_log_radius(family, y); };
    BOOST_TEST_CONTEXT("beta = " << row.beta << ", n = " << row.n) {
      check(post, row.post, by_clock);
      check(slow, row.by_sqrt_shifted, by_clock);
      check(ngpt, row.ngpt, [&](double y) { return exponent_by_alpha(family, y); });
      check(slow, row.by_sqrt, [&](double y) {
        const double t = slow.time(y);
        return by_clock(y) * std::sqrt(t / (1.0 + t));
      });
      check(pre, row.pre, [&](double y) {
        return exponent_by_log_time(family, y, pre.time(y), curve.radius(y - curve.begin()), false);
      });
      check(peri, row.peri, [&](double y) {
        return exponent_by_log_time(family, y, peri.time(y), curve.radius(y - curve.begin()), true);
      });
      check(pre, row.pre_radius, by_radius);
      check(peri, row.peri_radius, by_radius);
    }
  }
}

BOOST_AUTO_TEST_CASE(exponents_are_the_derivatives_they_name) {
  const Equiangular<double> family(8, 2.0);
  const double y = 1.3, h = 1e-5;
  const auto slope = [&](const std::function<double(double)>& variable) {
    return (family.log_gap(y + h) - family.log_gap(y - h)) / (variable(y + h) - variable(y - h));
  };
  const auto pre = quadrature_from(8, 2.0, 0.1, 1.5, pace_named<double>("pre", 0.0));
  const auto ngpt = quadrature_from(8, 2.0, 0.1, 1.0, pace_named<double>("ngpt", 0.0));
  const EquiangularCurve<double> curve(family, family.log_ratio(0.1), 1.5);
  const double t = pre.time(y), r = curve.radius(y - curve.begin());
  BOOST_TEST(
      close(slope([&](double z) { return clock_between(family, 0.0, z); }), -2.0 * exponent_by_clock(family, y), 1e-8));
  BOOST_TEST(close(slope([&](double z) { return ngpt.time(z); }), -2.0 * exponent_by_alpha(family, y), 1e-8));
  BOOST_TEST(close(slope([&](double z) { return std::log(pre.time(z)); }),
                   -2.0 * exponent_by_log_time(family, y, t, r, false), 1e-8));
  BOOST_TEST(close(slope([&](double z) { return std::log(curve.radius(z - curve.begin())); }),
                   -2.0 * exponent_by_log_radius(family, y), 1e-8));
}

BOOST_AUTO_TEST_SUITE_END()
