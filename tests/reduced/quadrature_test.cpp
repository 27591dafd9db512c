#include "normdyn/reduced/quadrature.hpp"

#include "normdyn/core/error.hpp"
#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

// n = 8, beta = 2, alpha = 1, tau = 3: gamma(1), r(1), gamma(5), r(5) to 20 digits.
struct StartRow {
  const char *scheme, *r0, *cosine, *cosine_1, *r_1, *cosine_5, *r_5;
};
constexpr StartRow start_rows[] = {
    {"post", "1", "0.3", "0.7352429055783239817", "1", "0.99987390458616851702", "1"},
    {"pre", "1.5", "0.3", "0.54816136484951067604", "2.1076988295726049662", "0.92032255478241002962",
     "5.4543280161555979806"},
    {"mix", "1.5", "0.3", "0.7352429055783239817", "1.5", "0.99873956862270642569", "3.4948653139806267168"},
    {"peri", "1.5", "0.3", "0.61889016441075824936", "2.3454226200099760996", "0.93573306629626024735",
     "6.0866100502915057409"},
    {"ngpt", "1", "0.3", "0.82051473841142588629", "1", "0.99993108361811543965", "1"},
    {"sqrt", "1", "0.3", "0.6667351865099488694", "1", "0.99165191940071117219", "1"},
    {"post", "1", "-0.1", "-0.030251591144647765699", "1", "0.98394203872810176039", "1"},
    {"pre", "1.5", "-0.1", "-0.068439616491040206518", "2.018058430990691588", "0.1370564949659817722",
     "4.0791180063988349468"},
    {"mix", "1.5", "-0.1", "-0.030251591144647765699", "1.5", "0.87815343126133836645", "3.1087242425072289248"},
    {"peri", "1.5", "-0.1", "-0.033970856738087867794", "2.4711005663885002943", "0.38929632473738101747",
     "6.0066497756799677468"},
    {"ngpt", "1", "-0.1", "0.11268290966655582611", "1", "0.99895131547526207491", "1"},
    {"sqrt", "1", "-0.1", "-0.047522873088959604446", "1", "0.5036599911794448579", "1"},
    {"post", "1", "-0.14", "-0.13545578083666012301", "1", "0.20318014891937697951", "1"},
    {"pre", "1.5", "-0.14", "-0.13793435473296869555", "2.0242043822397892674", "-0.12491651222726972845",
     "4.1173201755020276265"},
    {"mix", "1.5", "-0.14", "-0.13545578083666012301", "1.5", "-0.009152161035261228186", "2.5317869097897793463"},
    {"peri", "1.5", "-0.14", "-0.13564133794774825188", "2.4982326425244085857", "-0.10174630191983791365",
     "6.4654161379776316553"},
    {"ngpt", "1", "-0.14", "-0.1253277451452008083", "1", "0.97956262435007937018", "1"},
    {"sqrt", "1", "-0.14", "-0.13657156032244177375", "1", "-0.097391948223307388888", "1"},
};

// beta = 5, n = 256, r0 = 1, from gamma = 0: the times at which gamma = 0.1, 0.5, 0.9, 0.99.
struct CrossingRow {
  const char *scheme, *alpha;
  std::array<double, 4> times;
};
constexpr CrossingRow crossing_rows[] = {
    {"post", "1", {2.54735, 3.81862, 4.93072, 6.13054}},  {"pre", "1", {4.18181, 8.15924, 14.8432, 35.2495}},
    {"mix", "1", {2.54735, 3.95803, 6.27387, 13.3441}},   {"peri", "1", {1.57654, 3.71410, 9.52312, 29.5986}},
    {"ngpt", "1", {0.955845, 1.62313, 2.57175, 3.74748}}, {"ngpt", "1/(1+t)", {1.60087, 4.06892, 12.0888, 41.4141}},
    {"sqrt", "1", {4.16960, 7.46407, 11.0087, 15.5264}},
};

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

// 20 digits, and cosines are printed to 20 digits of themselves.
BOOST_AUTO_TEST_CASE(starts_away_from_orthogonal_meet_the_printed_values) {
  for (const StartRow& row : start_rows) {
    const auto motion =
        quadrature_from<Digits50>(8, 2, Digits50(row.cosine), Digits50(row.r0), pace_named<Digits50>(row.scheme, 3));
    const std::vector<Digits50> times{1, 5};
    const auto points = motion.at(times);
    const Equiangular<Digits50> family(8, 2);
    BOOST_TEST_CONTEXT(row.scheme << " from " << row.cosine) {
      BOOST_TEST(agrees(family.position(points[0].log_ratio).cosine, Digits50(row.cosine_1), 5e-19));
      BOOST_TEST(agrees(family.position(points[1].log_ratio).cosine, Digits50(row.cosine_5), 5e-19));
      BOOST_TEST(agrees(points[0].radii, Digits50(row.r_1), 5e-20));
      BOOST_TEST(agrees(points[1].radii, Digits50(row.r_5), 5e-20));
    }
  }
}

// The curves of the paper's figure, by crossing times to 6 digits.
BOOST_AUTO_TEST_CASE(crossing_times_of_the_figure_at_beta_5_and_256_tokens) {
  for (const CrossingRow& row : crossing_rows) {
    const Equiangular<double> family(256, 5.0);
    const auto motion = quadrature_from(256, 5.0, 0.0, 1.0, pace_named<double>(row.scheme, 3.0, row.alpha));
    const std::array<double, 4> cosines{0.1, 0.5, 0.9, 0.99};
    for (std::size_t i = 0; i < 4; ++i)
      BOOST_TEST_CONTEXT(row.scheme << " to " << cosines[i])
    BOOST_TEST(agrees(motion.time(family.log_ratio(cosines[i])), row.times[i], 6e-6));
  }
}

BOOST_AUTO_TEST_CASE(time_and_state_are_inverse) {
  for (const char* name : {"post", "pre", "mix", "peri", "ngpt", "sqrt"}) {
    const auto motion = quadrature_from(32, 4.0, -0.02, 0.8, pace_named<double>(name, 1.5, "1/(1+t)"));
    for (const double t : {1e-3, 0.7, 1.5, 2.0, 40.0, 1000.0})
      BOOST_TEST_CONTEXT(name << " at " << t)
    BOOST_TEST(close(motion.time(motion.at(t).log_ratio), t, 1e-13));
  }
}

// (i) gamma_sqrt(t) = gamma_Post(2 sqrt(1+t) - 2)
BOOST_AUTO_TEST_CASE(sqrt_scaling_is_post_ln_by_its_clock) {
  const auto post = quadrature_from<Digits50>(9, 3, 0, 1, post_pace<Digits50>());
  const auto slow = quadrature_from<Digits50>(9, 3, 0, 1, sqrt_pace<Digits50>());
  for (const int t : {1, 7, 60})
    BOOST_TEST(
        agrees(slow.at(Digits50(t)).log_ratio, post.at(Digits50(2 * sqrt(Digits50(1 + t)) - 2)).log_ratio, 1e-45));
}

// (ii) nGPT with any alpha is the alpha = 1 curve at the integral of alpha; here alpha from a config, formula and
// table.
BOOST_AUTO_TEST_CASE(ngpt_with_any_alpha_is_one_curve_by_its_integral) {
  const auto unit = quadrature_from(9, 3.0, 0.0, 1.0, pace_named<double>("ngpt", 0.0));
  const auto configured = [](core::Schedule alpha) {
    return quadrature_from(9, 3.0, 0.0, 1.0, pace_of(schemes::AnyScheme(schemes::NGpt(std::move(alpha)))));
  };
  const auto decaying = configured(core::Schedule::power(2.0, 1.0, -1.0));
  for (const double t : {0.5, 3.0, 200.0})
    BOOST_TEST(close(decaying.at(t).log_ratio, unit.at(2.0 * std::log1p(t)).log_ratio, 1e-12));
  BOOST_TEST(close(decaying.time(decaying.at(5.0).log_ratio), 5.0, 1e-11));
  const auto stepped = configured(core::Schedule::table({0.0, 1.0, 2.5}, {1.0, 0.25, 3.0}, "test"));
  for (const auto& [t, integral_of_alpha] : {std::pair{0.5, 0.5}, {2.0, 1.25}, {4.0, 1.0 + 0.375 + 4.5}})
    BOOST_TEST(close(stepped.at(t).log_ratio, unit.at(integral_of_alpha).log_ratio, 1e-12));
}

// Synchronization under nGPT needs an alpha whose integral diverges: else gamma stops on the alpha = 1 curve.
BOOST_AUTO_TEST_CASE(an_integrable_alpha_stops_short_of_consensus) {
  const auto stopping = quadrature_from(
      8, 2.0, 0.0, 1.0, pace_of(schemes::AnyScheme(schemes::NGpt(core::Schedule::power(1.0, 1.0, -2.0)))));
  const auto unit = quadrature_from(8, 2.0, 0.0, 1.0, pace_named<double>("ngpt", 0.0));
  const Equiangular<double> family(8, 2.0);
  BOOST_TEST(close(stopping.at(1e12).log_ratio, unit.at(1.0 - 1e-12).log_ratio, 1e-12));
  BOOST_TEST(family.position(unit.at(1.0).log_ratio).cosine < 0.7);
  BOOST_TEST(stopping.time(family.log_ratio(0.9)) == std::numeric_limits<double>::infinity());
}

// (iii) Pre- and Peri-LN trace one curve r(gamma), with dt_Peri = |A| dt_Pre.
BOOST_AUTO_TEST_CASE(pre_and_peri_ln_trace_one_curve_at_different_speeds) {
  const Equiangular<Digits50> family(8, 1);
  const auto pre = quadrature_from<Digits50>(8, 1, 0, 2, pre_pace<Digits50>());
  const auto peri = quadrature_from<Digits50>(8, 1, 0, 2, peri_pace<Digits50>());
  const auto point = pre.at(Digits50(3));
  const auto same = peri.at(peri.time(point.log_ratio));
  BOOST_TEST(agrees(same.radii, point.radii, 1e-45));
  const Digits50 step("1e-12"), y = point.log_ratio;
  const Digits50 ratio = (peri.time(Digits50(y + step)) - peri.time(Digits50(y - step))) /
                         (pre.time(Digits50(y + step)) - pre.time(Digits50(y - step)));
  BOOST_TEST(agrees(ratio, family.drift(y, Digits50(1)).norm, 1e-22)); // central difference: step^2
}

// (iv) gamma(t; r0) = gamma(t/r0; 1), r(t; r0) = r0 r(t/r0; 1)
BOOST_AUTO_TEST_CASE(the_initial_radius_only_scales_time) {
  for (const char* name : {"pre", "peri"}) {
    const auto unit = quadrature_from(20, 4.0, 0.0, 1.0, pace_named<double>(name, 0.0));
    const auto large = quadrature_from(20, 4.0, 0.0, 2.5, pace_named<double>(name, 0.0));
    for (const double t : {0.3, 2.0, 90.0}) {
      BOOST_TEST(close(large.at(2.5 * t).log_ratio, unit.at(t).log_ratio, 1e-13));
      BOOST_TEST(close(large.at(2.5 * t).radii, 2.5 * unit.at(t).radii, 1e-13));
    }
  }
}

// Every scheme is at Post-LN's cosine when its clock shows Post-LN's time: clock' = 1/s by differences of the solution.
BOOST_AUTO_TEST_CASE(all_schemes_share_one_curve_of_cosine_against_clock) {
  const Equiangular<Digits50> family(8, 2);
  const Digits50 step("1e-10");
  for (const char* name : {"pre", "mix", "peri", "ngpt", "sqrt"}) {
    const auto motion = quadrature_from<Digits50>(8, 2, 0, 1, pace_named<Digits50>(name, 1));
    const std::vector<Digits50> times{Digits50(2) - step, 2, Digits50(2) + step};
    const auto points = motion.at(times);
    const Digits50 rate = clock_between(family, points[0].log_ratio, points[2].log_ratio) / (2 * step);
    const auto drift = family.drift(points[1].log_ratio, points[1].radii);
    const auto speed = [&](const auto& scheme) -> Digits50 {
      if constexpr (std::is_same_v<std::decay_t<decltype(scheme)>, schemes::FormulaScheme>)
        return 0;
      else
        return scheme.on({1.5, 2.5}).rates(drift, 2.0).speed;
    };
    // sqrt(1+t) of the scheme itself is a double
    BOOST_TEST(agrees(rate, std::visit(speed, scheme_named(name, 1.0)), 1e-15));
  }
}

BOOST_AUTO_TEST_CASE(tokens_at_rest_only_grow) {
  const double rest = std::exp(16.0 / 7.0), slope = (rest - 1.0) / (rest + 7.0);
  const auto at = [](const char* name, double t) {
    return quadrature_from(8, 2.0, -1.0 / 7.0, 1.5, pace_named<double>(name, 3.0)).at(t);
  };
  BOOST_TEST(at("post", 100.0).log_ratio == -std::numeric_limits<double>::infinity());
  BOOST_TEST(close(at("pre", 5.0).radii, 1.5 + 5.0 * slope, 1e-15));
  BOOST_TEST(close(at("peri", 5.0).radii, 6.5, 1e-15));
  BOOST_TEST(at("mix", 3.0).radii == 1.5);
  BOOST_TEST(close(at("mix", 5.0).radii, 1.5 + 2.0 * slope, 1e-15));
}

// The simplex is unstable with the linear rate 2n/((e^{beta c} + n - 1) s) of sigma.
BOOST_AUTO_TEST_CASE(the_simplex_is_left_at_the_predicted_rate) {
  const Equiangular<double> family(8, 2.0);
  const EquiangularCurve<double> curve(family, -30.0, 1.0);
  const EquiangularQuadrature<double> motion(curve, post_pace<double>());
  const double rate = 16.0 / (std::exp(16.0 / 7.0) + 7.0);
  BOOST_TEST(close(family.log_sum_share(motion.at(3.0).log_ratio) - family.log_sum_share(-30.0), 3.0 * rate, 1e-11));
}

// On the plateau of a large beta y hardly moves while r grows by t (1 - a is at most 2 e^{-beta u}), from any start.
BOOST_AUTO_TEST_CASE(a_deep_plateau_keeps_the_digits_of_the_radius) {
  for (const double beta : {30.0, 100.0, 700.0})
    for (const double cosine : {0.0, 0.05}) {
      const double t = 10.0, forgone = 2.0 * std::exp(-beta * (1.0 - cosine));
      for (const auto& pace : {pre_pace<double>(), peri_pace<double>()})
        BOOST_TEST(close(quadrature_from(3, beta, cosine, 1.0, pace).at(t).radii, 1.0 + t, 1e-14 + forgone));
    }
}

BOOST_AUTO_TEST_CASE(a_formula_has_no_quadrature) {
  core::Value section;
  section.set("name", core::Value("formula"));
  section.set("s", core::Value("r^2"));
  core::Settings settings(section, "study.toml");
  const schemes::AnyScheme scheme = schemes::read_scheme(settings, {.n_tokens = 4, .dim = 3});
  BOOST_TEST(refuses<core::InputError>([&] { static_cast<void>(pace_of(scheme)); }, "formula", "separate"));
  BOOST_TEST(refuses<core::InputError>([] { quadrature_from(4, 1.0, 0.0, -1.0, post_pace<double>()); }, "radius -1"));
}

BOOST_AUTO_TEST_SUITE_END()
