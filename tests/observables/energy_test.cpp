#include "observables/frames.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numbers>

using frames::frame_of;
using frames::measured;
using frames::Tokens;

namespace {

long double naive_energy(const Tokens& tokens, std::size_t dim, double beta) {
  const std::size_t n = tokens.size() / dim;
  const auto b = static_cast<long double>(beta);
  long double sum = 0.0L;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      sum += std::exp(b * frames::naive_cosine(tokens, dim, j, k) - std::abs(b));
  return sum / static_cast<long double>(n * n);
}

// One step of Post-LN with Q = K = V = I by the explicit Euler method.
void post_ln_step(Tokens& tokens, std::size_t dim, double beta, double h) {
  const std::size_t n = tokens.size() / dim;
  Tokens next = tokens;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> mean(dim, 0.0);
    double total = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const double w = std::exp(-0.5 * beta * static_cast<double>(frames::naive_square(tokens, dim, j, k)));
      total += w;
      for (std::size_t i = 0; i < dim; ++i)
        mean[i] += w * tokens[k * dim + i];
    }
    for (std::size_t i = 0; i < dim; ++i)
      next[j * dim + i] += h * mean[i] / total;
  }
  frames::normalize(next, dim);
  tokens = next;
}

} // namespace

BOOST_AUTO_TEST_SUITE(observables)

BOOST_AUTO_TEST_CASE(energy_agrees_with_its_definition_for_all_beta) {
  for (const Tokens& tokens : {frames::uniform(150, 7, 1), frames::near_consensus(150, 7, 1e-2, 2)})
    for (const double beta : {0.0, 1e-8, 1.0, 9.0, 800.0, -1.0, -9.0, -800.0}) {
      const double expected = static_cast<double>(naive_energy(tokens, 7, beta));
      const double value = measured("energy", frame_of(tokens, 7, beta))[0];
      // Exponents of size |beta| carry a rounding of |beta| eps each.
      BOOST_TEST(std::abs(value - expected) <= (1e-14 + std::abs(beta) * 2e-15) * expected, "beta = " << beta);
    }
}

BOOST_AUTO_TEST_CASE(energy_is_one_at_consensus_exactly) {
  const Tokens one = frames::uniform(1, 5, 3);
  Tokens tokens;
  for (int j = 0; j < 200; ++j)
    tokens.insert(tokens.end(), one.begin(), one.end());
  for (const double beta : {0.0, 9.0, 800.0, 1e300})
    BOOST_TEST(measured("energy", frame_of(tokens, 5, beta))[0] == 1.0);
  BOOST_TEST(measured("energy", frame_of({1.0, 0.0}, 2, 9.0))[0] == 1.0);
}

BOOST_AUTO_TEST_CASE(energy_of_basis_vectors_is_closed) {
  constexpr double n = 30.0;
  const Tokens tokens = frames::basis(30, 30);
  for (const double beta : {0.0, 0.5, 20.0})
    BOOST_TEST(std::abs(measured("energy", frame_of(tokens, 30, beta))[0] -
                        (1.0 / n + (1.0 - 1.0 / n) * std::exp(-beta))) < 1e-15);
}

BOOST_AUTO_TEST_CASE(energy_does_not_fall_along_post_ln) {
  for (const double beta : {0.0, 1e-8, 9.0, 800.0}) {
    Tokens tokens = frames::uniform(16, 3, 4);
    double last = measured("energy", frame_of(tokens, 3, beta))[0];
    const double first = last;
    for (int step = 0; step < 400; ++step) {
      post_ln_step(tokens, 3, beta, beta > 100.0 ? 1e-4 : 0.02);
      const double now = measured("energy", frame_of(tokens, 3, beta))[0];
      BOOST_TEST_REQUIRE(now >= last * (1.0 - 1e-12), "beta = " << beta << ", step " << step);
      last = now;
    }
    if (beta == 9.0)
      BOOST_TEST(last > 1.5 * first);
  }
}

BOOST_AUTO_TEST_SUITE_END()
