#include "normdyn/geometry/product_sphere.hpp"

#include "normdyn/core/random.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/geometry/state.hpp"
#include "support/checks.hpp"

using namespace normdyn::geometry;
using normdyn::core::Purpose;
using normdyn::core::RandomStream;
using normdyn::testing::close;

namespace {

constexpr std::size_t n = 7, d = 5;

State random_block(std::uint64_t seed) {
  State x(n * d);
  RandomStream stream(seed, Purpose::token_direction, 0, 0);
  for (double& v : x)
    v = stream.normal();
  return x;
}

} // namespace

BOOST_AUTO_TEST_SUITE(geometry)

BOOST_AUTO_TEST_CASE(retraction_lands_on_the_manifold_and_is_idempotent) {
  const ProductSphere sphere(n, d);
  State x = random_block(1);
  sphere.retract(x);
  BOOST_TEST(sphere.constraint_violation(x) <= 4e-16);
  State again = x;
  sphere.retract(again);
  for (std::size_t i = 0; i < x.size(); ++i)
    BOOST_TEST(close(again[i], x[i], 2.3e-16));
}

BOOST_AUTO_TEST_CASE(tangent_projection_is_orthogonal_to_the_tokens_and_idempotent) {
  const ProductSphere sphere(n, d);
  State x = random_block(2), y = random_block(3);
  sphere.retract(x);
  sphere.tangent(x, y);
  State again = y;
  sphere.tangent(x, again);
  for (std::size_t j = 0; j < n; ++j) {
    const std::span<const double> token = std::span<const double>(x).subspan(j * d, d);
    BOOST_TEST(std::abs(dot(token, std::span<const double>(y).subspan(j * d, d))) < 1e-15 * 10);
  }
  for (std::size_t i = 0; i < y.size(); ++i)
    BOOST_TEST(close(again[i], y[i], 1e-15));
}

BOOST_AUTO_TEST_CASE(distance_is_a_metric) {
  const ProductSphere sphere(n, d);
  State x = random_block(4), y = random_block(5), z = random_block(6);
  for (State* block : {&x, &y, &z})
    sphere.retract(*block);
  BOOST_TEST(sphere.distance(x, x) == 0.0);
  BOOST_TEST(sphere.distance(x, y) == sphere.distance(y, x));
  BOOST_TEST(sphere.distance(x, z) <= sphere.distance(x, y) + sphere.distance(y, z) + 1e-15);
}

BOOST_AUTO_TEST_CASE(angles_keep_their_digits_at_both_ends) {
  for (const double phi : {1e-12, 1e-6, 0.5, 3.0, 3.14159265}) {
    const std::vector<double> a = {1.0, 0.0}, b = {std::cos(phi), std::sin(phi)};
    BOOST_TEST(std::abs(angle(a, b) - phi) <= 4e-16 * std::max(phi, 1.0));
    BOOST_TEST(std::abs(angle_from_gap(0.5 * distance_squared(a, b)) - phi) <= 1e-8 * phi);
  }
  const std::vector<double> a = {1.0, 0.0}, opposite = {-1.0, 0.0};
  BOOST_TEST(close(angle(a, opposite), 3.14159265358979323846, 1e-16));
}

BOOST_AUTO_TEST_CASE(norms_neither_overflow_nor_underflow) {
  BOOST_TEST(close(norm(std::vector<double>{3e200, 4e200}) / 5e200, 1.0, 1e-15));
  BOOST_TEST(close(norm(std::vector<double>{3e-200, 4e-200}) / 5e-200, 1.0, 1e-15));
  BOOST_TEST(norm(std::vector<double>{0.0, 0.0}) == 0.0);
  BOOST_TEST(std::isnan(norm(std::vector<double>{1.0, std::nan("")})));
}

BOOST_AUTO_TEST_CASE(a_nan_displacement_has_no_finite_length) {
  const ProductSphere sphere(2, 2);
  const std::vector<double> x = {1.0, 0.0, 0.0, 1.0};
  BOOST_TEST(std::isnan(sphere.tangent_norm(x, std::vector<double>{std::nan(""), 0.0, 1.0, 1.0})));
  BOOST_TEST(std::isnan(sphere.tangent_norm(x, std::vector<double>{0.0, 1.0, 1.0, std::nan("")})));
  BOOST_TEST(sphere.tangent_norm(x, std::vector<double>{5.0, 0.25, -0.5, 7.0}) == 0.5);
}

BOOST_AUTO_TEST_CASE(a_state_holds_directions_then_radii_then_the_clock) {
  const Layout with{.n_tokens = 3, .dim = 2, .has_radius = true}, without{.n_tokens = 3, .dim = 2};
  BOOST_TEST(with.size() == 10u);
  BOOST_TEST(with.clock_index() == 9u);
  BOOST_TEST(without.size() == 7u);
  State x(10);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = double(i);
  BOOST_TEST(with.radius(std::span(x))[0] == 6.0);
  BOOST_TEST(with.token(with.directions(std::span<const double>(x)), 1)[0] == 2.0);
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
