#include "initial_test_support.hpp"

#include <cmath>
#include <limits>
#include <numbers>

using namespace normdyn;
using namespace normdyn::initial;
using namespace normdyn::initial::test;

BOOST_AUTO_TEST_SUITE(initial)

BOOST_AUTO_TEST_CASE(orthogonal_tokens_are_the_basis) {
  const InitialState state = made({{"kind", "orthogonal"}, {"tokens", std::int64_t{3}}, {"dim", std::int64_t{4}}});
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t c = 0; c < 4; ++c)
      BOOST_TEST(token(state, j)[c] == (j == c ? 1.0 : 0.0));
  BOOST_TEST(state.radius[1] == 1.0);
  const InitialState square = made({{"kind", "orthogonal"}, {"tokens", std::int64_t{6}}, {"dim", "n"}});
  BOOST_TEST(square.dim == 6U);
}

BOOST_AUTO_TEST_CASE(equiangular_tokens_have_equal_cosines_to_rounding) {
  for (const std::int64_t n : {2, 3, 8, 50, 300})
    for (const double gamma : {-1.0, -0.5, -1e-3, 0.0, 1e-9, 0.3, 0.999, 1.0 - 1e-12}) {
      const double lowest = -1.0 / static_cast<double>(n - 1);
      const double wanted = gamma < 0.0 ? -lowest * gamma : gamma; // fractions of the lower end
      const InitialState state = made({{"kind", "equiangular"}, {"tokens", n}, {"dim", n}, {"gamma0", wanted}});
      check_state(state);
      double worst = 0.0;
      for (std::size_t j = 0; j < state.n_tokens; ++j)
        for (std::size_t k = 0; k < j; ++k)
          worst = std::max(worst, std::abs(exact_dot(token(state, j), token(state, k)) - wanted));
      BOOST_TEST(worst < 1e-15, "n " << n << " gamma " << wanted << ": " << worst);
    }
}

BOOST_AUTO_TEST_CASE(a_simplex_fits_into_one_dimension_less) {
  for (const std::int64_t n : {2, 3, 4, 17, 100}) {
    const InitialState state = made({{"kind", "equiangular"}, {"tokens", n}, {"dim", n - 1}, {"gamma0", "-1/(n-1)"}});
    check_state(state);
    for (std::size_t j = 0; j < state.n_tokens; ++j)
      for (std::size_t k = 0; k < j; ++k)
        BOOST_TEST(std::abs(exact_dot(token(state, j), token(state, k)) + 1.0 / static_cast<double>(n - 1)) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(equiangular_needs_room_and_a_possible_cosine) {
  BOOST_TEST(
      refusal({{"kind", "equiangular"}, {"tokens", std::int64_t{3}}, {"dim", std::int64_t{3}}, {"gamma0", -0.6}}) ==
      "study.toml: initial.gamma0: -0.6 is below -1/(n-1) = -0.5: no 3 tokens have these cosines; write \"-1/(n-1)\" "
      "for the lower end");
  BOOST_TEST(
      refusal({{"kind", "equiangular"}, {"tokens", std::int64_t{3}}, {"dim", std::int64_t{2}}, {"gamma0", 0.2}}) ==
      "study.toml: initial.dim: 2 is too small for 3 tokens with all cosines 0.2; take dim >= n = 3");
  BOOST_TEST(
      refusal({{"kind", "equiangular"}, {"tokens", std::int64_t{5}}, {"dim", std::int64_t{3}}, {"gamma0", -0.25}}) ==
      "study.toml: initial.dim: 3 is too small for 5 tokens with all cosines -0.25; take dim >= n - 1 = 4");
  BOOST_TEST(
      refusal({{"kind", "equiangular"}, {"tokens", std::int64_t{3}}, {"dim", std::int64_t{3}}, {"gamma0", 1.0}}) ==
      "study.toml: initial.gamma0: 1.0 is not below 1");
}

BOOST_AUTO_TEST_CASE(ring_has_the_symmetries_of_the_circle_exactly) {
  const InitialState square = made({{"kind", "ring"}, {"tokens", std::int64_t{4}}});
  const double corners[] = {1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0};
  for (std::size_t i = 0; i < 8; ++i)
    BOOST_TEST(square.theta[i] == corners[i]);
  for (const std::int64_t n : {1, 2, 3, 5, 8, 12, 31, 32}) {
    const InitialState ring = made({{"kind", "ring"}, {"tokens", n}, {"dim", std::int64_t{2}}});
    check_state(ring);
    for (std::size_t j = 0; j < ring.n_tokens; ++j) {
      const long double angle =
          2.0L * std::numbers::pi_v<long double> * static_cast<long double>(j) / static_cast<long double>(n);
      BOOST_TEST(std::abs(static_cast<double>(std::cos(angle)) - token(ring, j)[0]) < 3e-16);
      BOOST_TEST(std::abs(static_cast<double>(std::sin(angle)) - token(ring, j)[1]) < 3e-16);
      if (n % 2 == 0) // opposite tokens cancel
        BOOST_TEST(token(ring, j)[0] + token(ring, (j + ring.n_tokens / 2) % ring.n_tokens)[0] == 0.0);
    }
  }
}

BOOST_AUTO_TEST_CASE(ring_perturbation_is_the_mode_that_was_asked_for) {
  const InitialState state = made(
      {{"kind", "ring"}, {"tokens", std::int64_t{12}}, {"mode", std::int64_t{3}}, {"amplitude", 1e-3}, {"phase", 0.4}});
  for (std::size_t j = 0; j < 12; ++j) {
    const double even = 2.0 * std::numbers::pi * static_cast<double>(j) / 12.0;
    const double angle = even + 1e-3 * std::cos(3.0 * even + 0.4);
    BOOST_TEST(std::abs(token(state, j)[0] - std::cos(angle)) < 1e-15);
    BOOST_TEST(std::abs(token(state, j)[1] - std::sin(angle)) < 1e-15);
  }
  BOOST_TEST(refusal({{"kind", "ring"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}}) ==
             "study.toml: initial.dim: 3, but a ring lies on the circle; leave this key out, or write 2");
}

BOOST_AUTO_TEST_CASE(explicit_tokens_are_normalized_when_they_are_nearly_unit) {
  const InitialState state =
      made({{"kind", "explicit"}, {"theta", matrix({{0.577350, 0.577350, 0.577350}, {0.707107, -0.707107, 0.0}})}});
  check_state(state);
  BOOST_TEST(state.note == "explicit tokens renormalized, norms were off by up to 4.7e-07");
  BOOST_TEST(state.radius[0] == 1.0);
  const InitialState exact =
      made({{"kind", "explicit"}, {"theta", matrix({{0.6, 0.8}, {1.0, 0.0}})}, {"norms", list({2.0, 0.5})}});
  BOOST_TEST(exact.note == "");
  BOOST_TEST(exact.theta[1] == 0.8);
  BOOST_TEST(exact.radius[0] == 2.0);
  BOOST_TEST(exact.radius[1] == 0.5);
}

BOOST_AUTO_TEST_CASE(explicit_rows_with_norms_become_radii) {
  const InitialState state =
      made({{"kind", "explicit"}, {"x", matrix({{3.0, 4.0}, {0.0, -2.0}})}, {"labels", list({"a", "b"})}});
  check_state(state);
  BOOST_TEST(state.radius[0] == 5.0);
  BOOST_TEST(state.radius[1] == 2.0);
  BOOST_TEST(state.labels[1] == "b");
  BOOST_TEST(made({{"kind", "explicit"}, {"x", matrix({{3.0, 4.0}})}, {"norms", "unit"}}).radius[0] == 1.0);
}

BOOST_AUTO_TEST_CASE(explicit_tokens_that_are_none_are_refused) {
  BOOST_TEST(refusal({{"kind", "explicit"}, {"theta", matrix({{1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}})}}) ==
             "study.toml: initial.theta: row 1 has norm 2, but theta holds unit vectors; normalize it, or write x "
             "instead of theta to keep the norms as radii");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"theta", matrix({{1.0, 0.0}, {0.0, 0.0}})}}) ==
             "study.toml: initial.theta: row 1 is zero and has no direction; leave it out, or change it");
  BOOST_TEST(
      refusal({{"kind", "explicit"}, {"x", matrix({{1.0, 0.0}, {0.0, 0.0}})}, {"labels", list({"the", "of"})}}) ==
      "study.toml: initial.x: row 1 ('of') is zero and has no direction; leave it out, or change it");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"x", matrix({{1.0, 0.0}, {0.0, std::nan("")}})}}) ==
             "study.toml: initial.x: row 1 has nan in column 1; tokens need finite numbers");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"x", matrix({{std::numeric_limits<double>::infinity()}})}}) ==
             "study.toml: initial.x: row 0 has inf in column 0; tokens need finite numbers");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"x", matrix({{1.0, 0.0}, {1.0}})}}) ==
             "study.toml: initial.x: row 1 has 1 numbers and row 0 has 2");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"x", matrix({{}})}}) ==
             "study.toml: initial.x: the tokens have no components; dim is at least 1");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"x", list({})}}) ==
             "study.toml: initial.x: [] is no matrix; write rows: [[1, 0], [0, 1]]");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"x", matrix({{1.0}})}, {"theta", matrix({{1.0}})}}) ==
             "study.toml: initial.theta: is given, and x too; give unit tokens as theta = [[...], ...], or tokens with "
             "norms as x = [[...], ...]");
  BOOST_TEST(refusal({{"kind", "explicit"}, {"x", matrix({{1.0, 0.0}})}, {"dim", std::int64_t{3}}}) ==
             "study.toml: initial.dim: 3 is given, but the tokens have d = 2; leave this key out");
}

BOOST_AUTO_TEST_CASE(sizes_norms_and_kinds_are_checked) {
  BOOST_TEST(refusal({{"kind", "uniform"}, {"tokens", std::int64_t{0}}, {"dim", std::int64_t{3}}}) ==
             "study.toml: initial.tokens: 0 is below 1; the least is 1");
  BOOST_TEST(refusal({{"kind", "uniform"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{0}}}) ==
             "study.toml: initial.dim: 0 is below 1; the least is 1");
  BOOST_TEST(refusal({{"kind", "unifrom"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}}) ==
             "study.toml: initial.kind: 'unifrom' is not known; did you mean 'uniform'?");
  BOOST_TEST(refusal({{"kind", "orthogonal"}, {"tokens", std::int64_t{5}}, {"dim", std::int64_t{3}}}) ==
             "study.toml: initial.tokens: 5 orthogonal tokens do not exist in dimension 3; take at most 3 tokens, or "
             "dim >= 5");
  BOOST_TEST(refusal({{"kind", "uniform"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}, {"norms", -1.0}}) ==
             "study.toml: initial.norms: -1.0 is not above 0");
  BOOST_TEST(
      refusal(
          {{"kind", "uniform"}, {"tokens", std::int64_t{2}}, {"dim", std::int64_t{3}}, {"norms", list({1.0, 0.0})}}) ==
      "study.toml: initial.norms: 0.0 is not above 0");
  BOOST_TEST(
      refusal(
          {{"kind", "uniform"}, {"tokens", std::int64_t{3}}, {"dim", std::int64_t{3}}, {"norms", list({1.0, 2.0})}}) ==
      "study.toml: initial.norms: 2 numbers for 3 tokens; give one number for each token, or one for all");
  BOOST_TEST(refusal({{"kind", "uniform"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}, {"norms", "kep"}})
                 .find("'kep' is neither keep nor unit") != std::string::npos);
  BOOST_TEST(refusal({{"kind", "uniform"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}, {"delta", 0.1}}) ==
             "study.toml: initial.delta: is an option of the law cone, and this study's law is uniform");
  BOOST_TEST(
      refusal({{"kind", "uniform"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}, {"labels", list({"a"})}}) ==
      "study.toml: initial.labels: is an option of the law explicit or file, and this study's law is uniform");
  BOOST_TEST(refusal({{"kind", "gaussian"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}, {"st", 0.1}}) ==
             "study.toml: initial.st: unknown key; did you mean 'std'?");
  BOOST_TEST(refusal({{"kind", "cone"}, {"tokens", std::int64_t{4}}, {"dim", std::int64_t{3}}, {"delta", 0.0}}) ==
             "study.toml: initial.delta: 0.0 is not above 0");
}

BOOST_AUTO_TEST_CASE(one_dimension_is_allowed_where_it_has_a_meaning) {
  const InitialState state = made({{"kind", "uniform"}, {"tokens", std::int64_t{50}}, {"dim", std::int64_t{1}}});
  for (const double value : state.theta)
    BOOST_TEST(std::abs(value) == 1.0);
  for (const char* kind : {"cone", "hemisphere", "von_mises_fisher"}) {
    const std::string text = refusal({{"kind", kind}, {"tokens", std::int64_t{5}}, {"dim", std::int64_t{1}}});
    BOOST_TEST(text.starts_with("study.toml: initial.dim: 1 is too small: "));
    BOOST_TEST(text.ends_with("; the least is 2"));
  }
}

BOOST_AUTO_TEST_CASE(sizes_are_known_to_formulas_and_resolved_values_are_recorded) {
  core::Settings settings =
      config({{"kind", "gaussian"}, {"tokens", "2*d"}, {"dim", std::int64_t{9}}, {"std", "1/sqrt(d)"}});
  const InitialState state = read_initial(settings, {.seed = 1});
  BOOST_TEST(state.n_tokens == 18U);
  BOOST_TEST(core::toml_text(settings.resolved()) ==
             "{ initial = { kind = \"gaussian\", dim = 9, tokens = 18, std = 0.3333333333333333, norms = \"keep\" } }");
  BOOST_TEST(core::toml_text(settings.resolved(true)) ==
             "{ initial = { kind = \"gaussian\", dim = 9, tokens = 18, std = 0.3333333333333333 } }");
}

BOOST_AUTO_TEST_SUITE_END()
