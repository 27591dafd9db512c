#pragma once
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/initial/initial_state.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

namespace normdyn::initial::test {

using Options = std::initializer_list<std::pair<const char*, core::Value>>;

/// A config with these keys in [initial].
inline core::Settings config(Options options) {
  core::Value root;
  for (const auto& [key, value] : options)
    root.set(std::string("initial.") + key, value);
  return core::Settings(root, "study.toml");
}

inline InitialState made(Options options, const InitialContext& context = {.seed = 11}) {
  core::Settings settings = config(options);
  InitialState state = read_initial(settings, context);
  settings.refuse_unread();
  return state;
}

inline std::span<const double> token(const InitialState& state, std::size_t j) {
  return std::span(state.theta).subspan(j * state.dim, state.dim);
}

inline core::Value matrix(std::initializer_list<std::initializer_list<double>> rows) {
  core::Value::Array array;
  for (const auto& row : rows)
    array.emplace_back(core::Value::Array(row.begin(), row.end()));
  return core::Value(array);
}

inline core::Value list(std::initializer_list<core::Value> items) {
  return core::Value(core::Value::Array(items));
}

/// The text of the InputError that these options cause; empty if there is none.
inline std::string refusal(Options options) {
  try {
    (void)made(options);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}

/// <a, b> without rounding to speak of.
inline double exact_dot(std::span<const double> a, std::span<const double> b) {
  long double sum = 0.0L;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += static_cast<long double>(a[c]) * static_cast<long double>(b[c]);
  return static_cast<double>(sum);
}

/// All rows are unit vectors to rounding and all radii positive.
inline void check_state(const InitialState& state) {
  BOOST_TEST_REQUIRE(state.theta.size() == state.n_tokens * state.dim);
  BOOST_TEST_REQUIRE(state.radius.size() == state.n_tokens);
  for (std::size_t j = 0; j < state.n_tokens; ++j) {
    BOOST_TEST(std::abs(std::sqrt(exact_dot(token(state, j), token(state, j))) - 1.0) < 2e-15);
    BOOST_TEST(state.radius[j] > 0.0);
  }
}

} // namespace normdyn::initial::test
