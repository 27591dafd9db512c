#pragma once
// The type list of all schemes, for laws that every scheme must obey: a new scheme is tested by joining this list.

#include "normdyn/core/random.hpp"
#include "normdyn/geometry/product_sphere.hpp"
#include "normdyn/geometry/state.hpp"
#include "normdyn/schemes/registry.hpp"

#include <string>
#include <vector>

namespace normdyn::testing {

struct NamedScheme {
  std::string name;
  schemes::AnyScheme scheme;
};

/// A scheme from its options as they would stand in a config: {"name", "mix_ln"}, {"tau", 1.0}.
inline schemes::AnyScheme make_scheme(const std::vector<std::pair<std::string, core::Value>>& options,
                                      const schemes::SchemeContext& context = {.n_tokens = 6, .dim = 4}) {
  core::Value root;
  for (const auto& [key, value] : options)
    root.set("scheme." + key, value);
  core::Settings settings(root, "test");
  core::Settings section = settings.section("scheme");
  return schemes::read_scheme(section, context);
}

/// All six, nGPT with two alphas, Mix-LN switching at `tau`, and formulas of the user's own.
inline std::vector<NamedScheme> all_schemes(double tau = 1.0) {
  const auto formula = [](const char* s, const char* dr) {
    return make_scheme({{"name", "formula"}, {"s", s}, {"dr", dr}});
  };
  return {{"post_ln", make_scheme({{"name", "post_ln"}})},
          {"pre_ln", make_scheme({{"name", "pre_ln"}})},
          {"mix_ln", make_scheme({{"name", "mix_ln"}, {"tau", tau}})},
          {"peri_ln", make_scheme({{"name", "peri_ln"}})},
          {"ngpt", make_scheme({{"name", "ngpt"}})},
          {"ngpt 1/(1+t)", make_scheme({{"name", "ngpt"}, {"alpha", "1/(1+t)"}})},
          {"sqrt_scaling", make_scheme({{"name", "sqrt_scaling"}})},
          {"formula between", formula("r^0.5 * norm_A", "r * A_r / s")}};
}

/// n unit tokens in R^d, uniform on the sphere.
inline geometry::State random_tokens(std::size_t n, std::size_t d, std::uint64_t seed) {
  geometry::State theta(n * d);
  for (std::size_t j = 0; j < n; ++j) {
    core::RandomStream stream(seed, core::Purpose::token_direction, 0, j);
    for (std::size_t i = 0; i < d; ++i)
      theta[j * d + i] = stream.normal();
  }
  geometry::ProductSphere(n, d).retract(theta);
  return theta;
}

/// Radii in (0.5, 2).
inline geometry::State random_radii(std::size_t n, std::uint64_t seed) {
  geometry::State radius(n);
  for (std::size_t j = 0; j < n; ++j)
    radius[j] = 0.5 + 1.5 * core::RandomStream(seed, core::Purpose::token_norm, 0, j).uniform();
  return radius;
}

} // namespace normdyn::testing
