#include "initial_test_support.hpp"

#include <cmath>
#include <numbers>
#include <vector>

using namespace normdyn;
using namespace normdyn::initial;
using namespace normdyn::initial::test;

namespace {

// Mean of f over the tokens and its standard error.
template <class F>
std::pair<double, double> mean_of(const InitialState& state, F f) {
  double sum = 0.0, square = 0.0;
  for (std::size_t j = 0; j < state.n_tokens; ++j) {
    const double value = f(j);
    sum += value;
    square += value * value;
  }
  const double n = static_cast<double>(state.n_tokens), mean = sum / n;
  return {mean, std::sqrt((square / n - mean * mean) / n)};
}

template <class F>
void check_mean(const InitialState& state, double expected, F f) {
  const auto [mean, error] = mean_of(state, f);
  BOOST_TEST(std::abs(mean - expected) < 4.0 * error,
             "mean " << mean << ", expected " << expected << ", standard error " << error);
}

} // namespace

BOOST_AUTO_TEST_SUITE(initial)

BOOST_AUTO_TEST_CASE(uniform_tokens_have_the_moments_of_the_sphere) {
  for (const std::int64_t d : {3, 10}) {
    const InitialState state = made({{"kind", "uniform"}, {"tokens", std::int64_t{100'000}}, {"dim", d}});
    const auto dim = static_cast<double>(d);
    for (const std::size_t c : {std::size_t{0}, static_cast<std::size_t>(d - 1)}) {
      check_mean(state, 0.0, [&](std::size_t j) { return token(state, j)[c]; });
      check_mean(state, 1.0 / dim, [&](std::size_t j) { return std::pow(token(state, j)[c], 2); });
      check_mean(state, 3.0 / (dim * (dim + 2.0)), [&](std::size_t j) { return std::pow(token(state, j)[c], 4); });
    }
    check_mean(state, 1.0 / (dim * (dim + 2.0)),
               [&](std::size_t j) { return std::pow(token(state, j)[0] * token(state, j)[1], 2); });
  }
}

BOOST_AUTO_TEST_CASE(tokens_of_a_member_do_not_depend_on_how_many_there_are) {
  const std::vector<std::vector<std::pair<const char*, core::Value>>> laws{
      {{"kind", "uniform"}},
      {{"kind", "gaussian"}},
      {{"kind", "orthogonal"}, {"rotate", true}},
      {{"kind", "cone"}, {"delta", 0.3}},
      {{"kind", "hemisphere"}},
      {{"kind", "von_mises_fisher"}, {"clusters", std::int64_t{3}}, {"concentration", 20.0}},
  };
  for (const auto& law : laws) {
    std::vector<InitialState> states;
    for (const std::int64_t tokens : {4, 9}) {
      core::Value root;
      for (const auto& [key, value] : law)
        root.set(std::string("initial.") + key, value);
      root.set("initial.tokens", tokens);
      root.set("initial.dim", std::int64_t{10});
      for (const std::uint64_t member : {0U, 5U}) {
        core::Settings settings(root);
        states.push_back(read_initial(settings, {.seed = 3, .member = member}));
        check_state(states.back());
      }
    }
    for (const std::size_t member : {0U, 1U}) {
      const InitialState &fewer = states[member], &more = states[2 + member];
      BOOST_TEST(std::equal(fewer.theta.begin(), fewer.theta.end(), more.theta.begin()));
      BOOST_TEST(std::equal(fewer.radius.begin(), fewer.radius.end(), more.radius.begin()));
    }
    BOOST_TEST((states[0].theta != states[1].theta));
  }
}

BOOST_AUTO_TEST_CASE(gaussian_tokens_keep_their_norms) {
  const InitialState state =
      made({{"kind", "gaussian"}, {"tokens", std::int64_t{20'000}}, {"dim", std::int64_t{5}}, {"std", 2.0}});
  check_mean(state, 20.0, [&](std::size_t j) { return std::pow(state.radius[j], 2); });
  check_mean(state, 16.0 * 35.0, [&](std::size_t j) { return std::pow(state.radius[j], 4); });
  const InitialState unit = made({{"kind", "gaussian"},
                                  {"tokens", std::int64_t{20'000}},
                                  {"dim", std::int64_t{5}},
                                  {"std", 2.0},
                                  {"norms", "unit"}});
  BOOST_TEST((unit.theta == state.theta));
  BOOST_TEST(unit.radius[7] == 1.0);
  const InitialState set =
      made({{"kind", "gaussian"}, {"tokens", std::int64_t{3}}, {"dim", std::int64_t{4}}, {"norms", "1/sqrt(d)"}});
  BOOST_TEST(set.radius[2] == 0.5);
}

BOOST_AUTO_TEST_CASE(rotated_orthogonal_tokens_are_orthonormal_and_have_no_preferred_sign) {
  const InitialState state =
      made({{"kind", "orthogonal"}, {"tokens", std::int64_t{60}}, {"dim", std::int64_t{60}}, {"rotate", true}});
  check_state(state);
  int n_positive = 0;
  for (std::size_t j = 0; j < 60; ++j) {
    n_positive += token(state, j)[j] > 0.0 ? 1 : 0;
    for (std::size_t k = 0; k < j; ++k)
      BOOST_TEST(std::abs(geometry::dot(token(state, j), token(state, k))) < 2e-15);
  }
  BOOST_TEST(std::abs(n_positive - 30) < 4.0 * std::sqrt(15.0));
}

BOOST_AUTO_TEST_CASE(cone_tokens_are_uniform_on_their_cap) {
  // Cosine z of the polar angle has density ~ (1 - z^2)^{(d-3)/2} on [cos rho, 1]: for d = 3 uniform.
  for (const double delta : {1e-6, 0.1, 0.9, 1.9, 2.0}) {
    const InitialState state =
        made({{"kind", "cone"}, {"tokens", std::int64_t{20'000}}, {"dim", std::int64_t{3}}, {"delta", delta}});
    const double gap = 1.0 - std::sqrt(1.0 - 0.5 * delta);
    const auto from_pole = [&](std::size_t j) { // 1 - z without cancellation
      const std::span<const double> x = token(state, j);
      return (x[1] * x[1] + x[2] * x[2]) / (1.0 + x[0]);
    };
    check_mean(state, 0.5 * gap, from_pole);
    check_mean(state, gap * gap / 3.0, [&](std::size_t j) { return std::pow(from_pole(j), 2); });
    check_mean(state, 0.0, [&](std::size_t j) { return token(state, j)[2]; });
  }
}

BOOST_AUTO_TEST_CASE(cone_tokens_obey_the_bound_on_all_pairs_in_any_dimension) {
  for (const std::int64_t dim : {2, 3, 30, 1000})
    for (const double delta : {1e-8, 0.01, 0.5, 1.5, 1.999}) {
      const InitialState state = made({{"kind", "cone"}, {"tokens", std::int64_t{40}}, {"dim", dim}, {"delta", delta}});
      check_state(state);
      double largest = 0.0;
      for (std::size_t j = 0; j < 40; ++j)
        for (std::size_t k = 0; k < j; ++k)
          largest = std::max(largest, 0.5 * geometry::distance_squared(token(state, j), token(state, k)));
      BOOST_TEST(largest <= delta * (1.0 + 1e-12));
      BOOST_TEST(largest > 0.2 * delta);
    }
}

BOOST_AUTO_TEST_CASE(cone_in_high_dimension_has_the_right_polar_angle_by_both_rejections) {
  // E[z] = int z (1-z^2)^{(d-3)/2} / int (1-z^2)^{(d-3)/2} over [c, 1], by Simpson's rule; d = 16, 1/sqrt(d) = 0.25.
  for (const double c : {0.1, 0.2499, 0.2501, 0.6}) {
    const double delta = 2.0 * (1.0 - c * c);
    const InitialState state =
        made({{"kind", "cone"}, {"tokens", std::int64_t{50'000}}, {"dim", std::int64_t{16}}, {"delta", delta}});
    double weight = 0.0, first = 0.0;
    const int n = 20'000;
    for (int i = 0; i <= n; ++i) {
      const double z = c + (1.0 - c) * i / n;
      const double w = std::pow(1.0 - z * z, 6.5) * (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0);
      weight += w;
      first += w * z;
    }
    check_mean(state, first / weight, [&](std::size_t j) { return token(state, j)[0]; });
  }
}

BOOST_AUTO_TEST_CASE(hemisphere_tokens_are_uniform_on_the_half) {
  const InitialState state = made({{"kind", "hemisphere"}, {"tokens", std::int64_t{50'000}}, {"dim", std::int64_t{3}}});
  for (std::size_t j = 0; j < state.n_tokens; ++j)
    BOOST_REQUIRE(token(state, j)[0] > 0.0);
  check_mean(state, 0.5, [&](std::size_t j) { return token(state, j)[0]; });
  check_mean(state, 1.0 / 3.0, [&](std::size_t j) { return std::pow(token(state, j)[0], 2); });
  check_mean(state, 0.0, [&](std::size_t j) { return token(state, j)[1]; });
}

BOOST_AUTO_TEST_CASE(von_mises_fisher_tokens_have_the_mean_and_spread_of_the_law) {
  // E<c, x> = A_d(kappa) = I_{d/2}(kappa) / I_{d/2-1}(kappa); E<c, x>^2 = 1 - (d-1) A_d(kappa)/kappa.
  for (const std::int64_t dim : {2, 3, 7})
    for (const double kappa : {0.5, 5.0, 80.0}) {
      core::Value center(core::Value::Array(static_cast<std::size_t>(dim), core::Value(1.0)));
      const InitialState state = made({{"kind", "von_mises_fisher"},
                                       {"tokens", std::int64_t{20'000}},
                                       {"dim", dim},
                                       {"concentration", kappa},
                                       {"centers", list({center})}});
      const double d = static_cast<double>(dim);
      const double mean = std::cyl_bessel_i(0.5 * d, kappa) / std::cyl_bessel_i(0.5 * d - 1.0, kappa);
      const auto cosine = [&](std::size_t j) {
        double sum = 0.0;
        for (const double component : token(state, j))
          sum += component / std::sqrt(d);
        return sum;
      };
      check_mean(state, mean, cosine);
      check_mean(state, 1.0 - (d - 1.0) * mean / kappa, [&](std::size_t j) { return std::pow(cosine(j), 2); });
    }
}

BOOST_AUTO_TEST_CASE(von_mises_fisher_keeps_its_digits_at_large_concentration) {
  // Near the center |x - c|^2 is chi-squared with d - 1 degrees, divided by the concentration.
  const double kappa = 1e12;
  const InitialState state = made({{"kind", "von_mises_fisher"},
                                   {"tokens", std::int64_t{20'000}},
                                   {"dim", std::int64_t{4}},
                                   {"concentration", kappa},
                                   {"centers", matrix({{0.0, 0.0, 1.0, 0.0}})}});
  const std::vector<double> center{0.0, 0.0, 1.0, 0.0};
  check_mean(state, 3.0, [&](std::size_t j) { return kappa * geometry::distance_squared(token(state, j), center); });
}

BOOST_AUTO_TEST_CASE(von_mises_fisher_clusters_are_assigned_as_asked) {
  const auto centers = matrix({{1.0, 0.0}, {0.0, 2.0}, {-1.0, 0.0}});
  const auto cluster_of = [](std::span<const double> x) { return x[1] > 0.7 ? 1U : x[0] > 0.0 ? 0U : 2U; };
  const InitialState cyclic = made({{"kind", "von_mises_fisher"},
                                    {"tokens", std::int64_t{30}},
                                    {"dim", std::int64_t{2}},
                                    {"clusters", std::int64_t{3}},
                                    {"concentration", 1e4},
                                    {"centers", centers},
                                    {"assignment", "cyclic"}});
  for (std::size_t j = 0; j < 30; ++j)
    BOOST_TEST(cluster_of(token(cyclic, j)) == j % 3);
  const InitialState random = made({{"kind", "von_mises_fisher"},
                                    {"tokens", std::int64_t{9000}},
                                    {"dim", std::int64_t{2}},
                                    {"clusters", std::int64_t{3}},
                                    {"concentration", 1e4},
                                    {"centers", centers}});
  for (const unsigned cluster : {0U, 1U, 2U})
    check_mean(random, 1.0 / 3.0, [&](std::size_t j) { return cluster_of(token(random, j)) == cluster ? 1.0 : 0.0; });
}

BOOST_AUTO_TEST_SUITE_END()
