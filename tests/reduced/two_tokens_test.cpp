#include "normdyn/reduced/two_tokens.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/reduced/quadrature.hpp"
#include "reduced/reference.hpp"

#include <boost/numeric/odeint.hpp>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

template <class Scalar>
Quadrature<TwoTokenCurve<Scalar>> two_tokens(const Scalar& beta, const Scalar& cosine, const Scalar& r1,
                                             const Scalar& r2, TwoTokenMask mask, SchemePace<Scalar> pace) {
  const Scalar y0 = Equiangular<Scalar>(2, beta).log_ratio(cosine);
  return {TwoTokenCurve<Scalar>(beta, y0, {r1, r2}, mask), std::move(pace)};
}

// (phi, r_1, r_2) in the plane, from the definition of attention and the scheme's own rates.
using Plane = std::vector<double>;

template <class Scheme>
Plane integrated(const Scheme& scheme, double beta, TwoTokenMask mask, Plane x, double end) {
  const auto field = [&](const Plane& at, Plane& rate, double t) {
    const double other = std::exp(-beta * (1.0 - std::cos(at[0]))), p = other * std::sin(at[0]) / (1.0 + other);
    const double a = (1.0 + other * std::cos(at[0])) / (1.0 + other), norm = std::hypot(a, p);
    const bool is_full = mask == TwoTokenMask::full;
    const schemes::Rates<double> second = scheme.rates(schemes::Drift<double>{at[2], a, norm, p}, t);
    const schemes::Rates<double> first = is_full ? scheme.rates(schemes::Drift<double>{at[1], a, norm, p}, t)
                                                 : scheme.rates(schemes::Drift<double>{at[1], 1.0, 1.0, 0.0}, t);
    rate[0] = -(second.speed + (is_full ? first.speed : 0.0)) * p;
    rate[1] = first.radial;
    rate[2] = second.radial;
  };
  namespace odeint = boost::numeric::odeint;
  using Stepper = odeint::runge_kutta_fehlberg78<Plane>;
  odeint::integrate_adaptive(odeint::make_controlled<Stepper>(1e-15, 1e-15), field, x, 0.0, end, 1e-3);
  return x;
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

// beta = 2, cos phi(0) = -0.4, r(0) = (0.6, 2.1): values to 18 digits.
BOOST_AUTO_TEST_CASE(two_tokens_with_unequal_radii_meet_the_printed_values) {
  struct Row {
    const char *scheme, *time, *cosine, *r1, *r2;
  };
  for (const Row& row : {Row{"pre", "1", "-0.325041917528474121", "1.51584589213249313", "3.01584589213249313"},
                         Row{"pre", "5", "-0.167264957312472323", "5.13153307110331679", "6.63153307110331679"},
                         Row{"peri", "1", "-0.319856197918101801", "1.59797705377332089", "3.09797705377332089"},
                         Row{"peri", "5", "-0.152646359362873058", "5.58322973600764987", "7.08322973600764987"}}) {
    const auto motion = two_tokens(Digits50(2), Digits50("-0.4"), Digits50("0.6"), Digits50("2.1"), TwoTokenMask::full,
                                   pace_named<Digits50>(row.scheme, 0));
    const auto point = motion.at(Digits50(row.time));
    BOOST_TEST(agrees(Equiangular<Digits50>(2, 2).position(point.log_ratio).cosine, Digits50(row.cosine), 5e-18));
    BOOST_TEST(agrees(point.radii[0], Digits50(row.r1), 4e-18));
    BOOST_TEST(agrees(point.radii[1], Digits50(row.r2), 2e-18));
  }
}

BOOST_AUTO_TEST_CASE(quadrature_agrees_with_the_integrated_plane_for_every_scheme_and_mask) {
  const double beta = 1.7, cosine = 0.2, r1 = 2.2, r2 = 0.7, end = 3.0;
  for (const TwoTokenMask mask : {TwoTokenMask::full, TwoTokenMask::causal})
    for (const char* name : {"post", "pre", "peri", "ngpt", "sqrt"}) {
      const schemes::AnyScheme scheme = scheme_named(name, 0.0, "1/(1+t)");
      const auto run = [&](const auto& s) { return integrated(s, beta, mask, {std::acos(cosine), r1, r2}, end); };
      const Plane expected = std::visit(
          [&]<class Scheme>(const Scheme& s) -> Plane {
            if constexpr (std::is_same_v<Scheme, schemes::FormulaScheme>)
              return {};
            else
              return run(s);
          },
          scheme);
      const auto point = two_tokens(beta, cosine, r1, r2, mask, pace_named<double>(name, 0.0, "1/(1+t)")).at(end);
      BOOST_TEST_CONTEXT(name << (mask == TwoTokenMask::full ? ", full" : ", causal")) {
        BOOST_TEST(close(Equiangular<double>(2, beta).position(point.log_ratio).cosine, std::cos(expected[0]), 1e-13));
        BOOST_TEST(close(point.radii[0], expected[1], 1e-13));
        BOOST_TEST(close(point.radii[1], expected[2], 1e-13));
      }
    }
}

BOOST_AUTO_TEST_CASE(equal_radii_are_the_equiangular_family_of_two) {
  for (const char* name : {"post", "pre", "mix", "peri", "ngpt", "sqrt"}) {
    const auto two = two_tokens(3.0, -0.3, 1.4, 1.4, TwoTokenMask::full, pace_named<double>(name, 0.5));
    const auto one = quadrature_from(2, 3.0, -0.3, 1.4, pace_named<double>(name, 0.5));
    for (const double t : {0.2, 1.0, 30.0}) {
      BOOST_TEST(close(two.at(t).log_ratio, one.at(t).log_ratio, 1e-14));
      BOOST_TEST(close(two.at(t).radii[0], one.at(t).radii, 1e-14));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_causal_mask_halves_the_speed) {
  const auto full = two_tokens(2.0, 0.1, 1.0, 1.0, TwoTokenMask::full, post_pace<double>());
  const auto causal = two_tokens(2.0, 0.1, 1.0, 1.0, TwoTokenMask::causal, post_pace<double>());
  for (const double t : {0.1, 1.0, 20.0})
    BOOST_TEST(close(causal.at(2.0 * t).log_ratio, full.at(t).log_ratio, 1e-14));
}

BOOST_AUTO_TEST_CASE(antipodal_tokens_keep_their_direction_and_grow) {
  const auto pre = two_tokens(1.5, -1.0, 0.5, 2.0, TwoTokenMask::full, pre_pace<double>()).at(4.0);
  BOOST_TEST(pre.log_ratio == -std::numeric_limits<double>::infinity());
  BOOST_TEST(close(pre.radii[0], 0.5 + 4.0 * std::tanh(1.5), 1e-15));
  const auto peri = two_tokens(1.5, -1.0, 0.5, 2.0, TwoTokenMask::full, peri_pace<double>()).at(4.0);
  BOOST_TEST(close(peri.radii[1], 6.0, 1e-15));
}

BOOST_AUTO_TEST_CASE(a_radius_that_is_no_length_is_refused) {
  BOOST_TEST(refuses<core::InputError>([] { two_tokens(1.0, 0.0, 1.0, 0.0, TwoTokenMask::full, pre_pace<double>()); },
                                       "radii 1 and 0"));
}

BOOST_AUTO_TEST_SUITE_END()
