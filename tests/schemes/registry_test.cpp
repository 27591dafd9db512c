#include "normdyn/schemes/registry.hpp"

#include "normdyn/core/error.hpp"
#include "support/checks.hpp"

using namespace normdyn;
using namespace normdyn::schemes;
using normdyn::testing::close;
using normdyn::testing::refuses;

namespace {

AnyScheme read(core::Value section, const SchemeContext& context = {.n_tokens = 4, .dim = 3, .beta = {2.0}}) {
  core::Value root;
  root.set("scheme", std::move(section));
  core::Settings settings(root, "study.toml");
  core::Settings scheme_section = settings.section("scheme");
  AnyScheme scheme = read_scheme(scheme_section, context);
  settings.refuse_unread();
  return scheme;
}

core::Value named(const char* name) {
  core::Value section;
  section.set("name", core::Value(name));
  return section;
}

Rates<double> rates(const AnyScheme& scheme, const Drift<double>& drift, double t, core::Interval piece) {
  return std::visit([&](const auto& s) { return s.on(piece).rates(drift, t); }, scheme);
}

Layer<double> layer(const AnyScheme& scheme, const Drift<double>& drift, double t, double h) {
  return std::visit([&](const auto& s) { return s.on({t, t + h}).layer(drift, t, h); }, scheme);
}

constexpr Drift<double> drift{.radius = 2.0, .radial = 0.3, .norm = 0.5, .tangential = 0.4};

} // namespace

BOOST_AUTO_TEST_SUITE(schemes)

// The table of the paper (arXiv:2510.22026, Table 2), row by row: 1/s_j and r_j'.
BOOST_AUTO_TEST_CASE(every_scheme_has_the_rates_of_the_papers_table) {
  const core::Interval early{0.0, 1.0}, late{5.0, 6.0};
  const auto check = [](Rates<double> got, double speed, double radial) {
    BOOST_TEST(close(got.speed, speed, 1e-15));
    BOOST_TEST(close(got.radial, radial, 1e-15));
  };
  check(rates(read(named("post_ln")), drift, 0.5, early), 1.0, 0.0);
  check(rates(read(named("pre_ln")), drift, 0.5, early), 0.5, 0.3);
  check(rates(read(named("peri_ln")), drift, 0.5, early), 1.0, 0.6);
  check(rates(read(named("sqrt_scaling")), drift, 3.0, early), 0.5, 0.0);
  core::Value mix = named("mix_ln");
  mix.set("tau", core::Value(3.0));
  check(rates(read(mix), drift, 0.5, early), 1.0, 0.0);
  check(rates(read(mix), drift, 5.5, late), 0.5, 0.3);
  core::Value ngpt = named("ngpt");
  ngpt.set("alpha", core::Value("1/(1+t)"));
  check(rates(read(ngpt), drift, 3.0, early), 0.5, 0.0);
}

BOOST_AUTO_TEST_CASE(mix_ln_is_decided_by_the_piece_and_not_by_the_time_asked) {
  core::Value mix = named("mix_ln");
  mix.set("tau", core::Value(1.0));
  const AnyScheme scheme = read(mix);
  BOOST_TEST(rates(scheme, drift, 1.0, {0.0, 1.0}).speed == 1.0);
  BOOST_TEST(rates(scheme, drift, 1.0, {1.0, 2.0}).speed == 0.5);
}

// y = keep theta + push A, written out for each rule of the network.
BOOST_AUTO_TEST_CASE(every_scheme_has_the_layer_of_its_network) {
  const double h = 0.25;
  const Layer<double> post = layer(read(named("post_ln")), drift, 0.0, h);
  BOOST_TEST(post.keep == 1.0);
  BOOST_TEST(post.push == h);
  const Layer<double> pre = layer(read(named("pre_ln")), drift, 0.0, h);
  BOOST_TEST(pre.keep == 2.0);
  BOOST_TEST(pre.push == h);
  BOOST_TEST(pre.moves_radius);
  const Layer<double> peri = layer(read(named("peri_ln")), drift, 0.0, h);
  BOOST_TEST(peri.keep == 2.0);
  BOOST_TEST(peri.push == h / 0.5);
  core::Value ngpt = named("ngpt");
  ngpt.set("alpha", core::Value(0.5));
  const Layer<double> n_gpt = layer(read(ngpt), drift, 0.0, h);
  BOOST_TEST(n_gpt.keep == 1.0 - 0.125);
  BOOST_TEST(n_gpt.push == 0.125 / 0.5);
  BOOST_TEST(layer(read(named("sqrt_scaling")), drift, 3.0, h).push == h / 2.0);
}

BOOST_AUTO_TEST_CASE(formulas_reproduce_the_built_in_schemes) {
  const auto formula = [](const char* s, const char* dr) {
    core::Value section = named("formula");
    section.set("s", core::Value(s));
    if (*dr)
      section.set("dr", core::Value(dr));
    return read(section);
  };
  const core::Interval piece{0.0, 1.0};
  const auto agree = [&](const AnyScheme& a, const AnyScheme& b) {
    const Rates<double> got = rates(a, drift, 3.0, piece), expected = rates(b, drift, 3.0, piece);
    BOOST_TEST(close(got.speed, expected.speed, 1e-15));
    BOOST_TEST(close(got.radial, expected.radial, 1e-15));
    BOOST_TEST(has_radius(a) == has_radius(b));
  };
  agree(formula("1", ""), read(named("post_ln")));
  agree(formula("r", "A_r"), read(named("pre_ln")));
  agree(formula("r*norm_A", "A_r/norm_A"), read(named("peri_ln")));
  agree(formula("norm_A", ""), read(named("ngpt")));
  agree(formula("sqrt(1+t)", ""), read(named("sqrt_scaling")));
}

BOOST_AUTO_TEST_CASE(formulas_know_their_parameters_sizes_and_beta) {
  core::Value section = named("formula");
  section.set("s", core::Value("p*n*d*beta*A_t"));
  section.set("dr", core::Value("s + q"));
  section.set("params.p", core::Value(0.5));
  section.set("params.q", core::Value(0.25));
  const Rates<double> got = rates(read(section), drift, 0.0, {0.0, 1.0});
  BOOST_TEST(close(1.0 / got.speed, 0.5 * 4 * 3 * 2 * 0.4, 1e-15));
  BOOST_TEST(close(got.radial, 0.5 * 4 * 3 * 2 * 0.4 + 0.25, 1e-15));
}

BOOST_AUTO_TEST_CASE(a_speed_factor_that_is_not_positive_and_finite_gives_no_speed) {
  for (const char* s : {"r - 2", "-1", "1/0", "log(-1)"}) {
    core::Value section = named("formula");
    section.set("s", core::Value(s));
    BOOST_TEST_CONTEXT(s)
    BOOST_TEST(std::isnan(rates(read(section), drift, 0.0, {0.0, 1.0}).speed));
  }
}

BOOST_AUTO_TEST_CASE(wrong_scheme_sections_are_refused_with_the_fix) {
  BOOST_TEST(refuses<core::InputError>([] { (void)read(named("preln")); }, "preln", "did you mean 'pre_ln'?"));
  BOOST_TEST(refuses<core::InputError>([] { (void)read(named("mix_ln")); }, "scheme.tau", "missing"));
  core::Value post = named("post_ln");
  post.set("tau", core::Value(1.0));
  BOOST_TEST(refuses<core::InputError>([&] { (void)read(post); }, "scheme.tau", "option of scheme mix_ln"));
  core::Value mix = named("mix_ln");
  mix.set("tau", core::Value(-1.0));
  BOOST_TEST(refuses<core::InputError>([&] { (void)read(mix); }, "scheme.tau", "-1"));
  core::Value ngpt = named("ngpt");
  ngpt.set("alpha", core::Value(-0.5));
  BOOST_TEST(refuses<core::InputError>([&] { (void)read(ngpt); }, "scheme.alpha", "-0.5"));
  core::Value formula = named("formula");
  formula.set("s", core::Value("r * normA"));
  BOOST_TEST(refuses<core::InputError>([&] { (void)read(formula); }, "normA", "did you mean 'norm_A'?", "^"));
}

BOOST_AUTO_TEST_CASE(aliases_name_the_same_scheme) {
  BOOST_TEST(name_of(read(named("pre"))) == "pre_ln");
  BOOST_TEST(name_of(read(named("sqrt"))) == "sqrt_scaling");
}

BOOST_AUTO_TEST_SUITE_END()
