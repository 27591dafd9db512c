#pragma once
// The list of all schemes, for laws that every scheme must obey: a scheme that joins the registry is tested with it.

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

/// The value with which an option's help shows its use: a text in quotes or a number.
inline core::Value example_of(const schemes::OptionHelp& option) {
  const std::string text(option.example.empty() ? option.default_text : option.example);
  return text.starts_with('"') ? core::Value(text.substr(1, text.size() - 2)) : core::Value(std::stod(text));
}

/// Every scheme of the registry, its required options as in its help (Mix-LN switches at `tau`), and two that obey the
/// laws in ways of their own: nGPT with alpha(t), and a formula with a radius.
inline std::vector<NamedScheme> all_schemes(double tau = 1.0) {
  std::vector<NamedScheme> list;
  for (const schemes::SchemeFacts& facts : schemes::all_schemes()) {
    std::vector<std::pair<std::string, core::Value>> options{{"name", facts.name}};
    for (const schemes::OptionHelp& option : facts.options)
      if (option.default_text.empty())
        options.emplace_back(option.key, option.key == "tau" ? core::Value(tau) : example_of(option));
    list.push_back({facts.name, make_scheme(options)});
  }
  list.push_back({"ngpt 1/(1+t)", make_scheme({{"name", "ngpt"}, {"alpha", "1/(1+t)"}})});
  list.push_back(
      {"formula with dr", make_scheme({{"name", "formula"}, {"s", "r^0.5 * norm_A"}, {"dr", "r * A_r / s"}})});
  return list;
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
