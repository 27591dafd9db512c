#pragma once
// Frames for tests: tokens drawn with std::mt19937_64, and naive long double loops to compare with.

#include "normdyn/core/settings.hpp"
#include "normdyn/observables/observable.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace frames {

using Tokens = std::vector<double>;

inline void normalize(Tokens& tokens, std::size_t dim) {
  for (std::size_t j = 0; j < tokens.size() / dim; ++j) {
    long double square = 0.0L;
    for (std::size_t i = 0; i < dim; ++i)
      square += static_cast<long double>(tokens[j * dim + i]) * static_cast<long double>(tokens[j * dim + i]);
    for (std::size_t i = 0; i < dim; ++i)
      tokens[j * dim + i] = static_cast<double>(static_cast<long double>(tokens[j * dim + i]) / std::sqrt(square));
  }
}

inline Tokens uniform(std::size_t n, std::size_t dim, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Tokens tokens(n * dim);
  for (double& v : tokens)
    v = normal(engine);
  normalize(tokens, dim);
  return tokens;
}

/// Tokens within about `spread` of a common point.
inline Tokens near_consensus(std::size_t n, std::size_t dim, double spread, unsigned seed) {
  const Tokens center = uniform(1, dim, seed);
  Tokens tokens = uniform(n, dim, seed + 1);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = center[i % dim] + spread * tokens[i];
  normalize(tokens, dim);
  return tokens;
}

inline Tokens on_circle(const std::vector<double>& angles) {
  Tokens tokens;
  for (const double angle : angles)
    tokens.insert(tokens.end(), {std::cos(angle), std::sin(angle)});
  return tokens;
}

inline Tokens basis(std::size_t n, std::size_t dim) {
  Tokens tokens(n * dim, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    tokens[j * dim + j] = 1.0;
  return tokens;
}

/// Regular simplex: n unit vectors in R^n with cosines -1/(n-1).
inline Tokens simplex(std::size_t n) {
  Tokens tokens(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      tokens[j * n + i] = (i == j ? 1.0 : 0.0) - 1.0 / static_cast<double>(n);
  normalize(tokens, n);
  return tokens;
}

inline Tokens permuted(const Tokens& tokens, std::size_t dim, const std::vector<std::size_t>& order) {
  Tokens result;
  for (const std::size_t j : order)
    result.insert(result.end(), tokens.begin() + static_cast<std::ptrdiff_t>(j * dim),
                  tokens.begin() + static_cast<std::ptrdiff_t>((j + 1) * dim));
  return result;
}

inline normdyn::observables::Frame frame_of(const Tokens& tokens, std::size_t dim, double beta = 1.0) {
  normdyn::observables::Frame frame;
  frame.n_tokens = tokens.size() / dim;
  frame.dim = dim;
  frame.theta = tokens;
  frame.initial_theta = tokens;
  frame.beta = beta;
  return frame;
}

/// An [output] section with the given entries.
inline normdyn::core::Settings output(normdyn::core::Value::Table table = {}) {
  return normdyn::core::Settings(normdyn::core::Value(std::move(table)), "test");
}

/// All values of one observable or variable.
inline std::vector<double> measured(const std::string& name, const normdyn::observables::Frame& frame,
                                    normdyn::core::Value::Table options = {}) {
  auto settings = output(std::move(options));
  const auto made = normdyn::observables::make_observables(
      {name}, settings, {.n_tokens = frame.n_tokens, .dim = frame.dim, .has_radius = !frame.radius.empty()}, false);
  settings.refuse_unread();
  std::size_t width = 0;
  for (const auto& variable : made.front()->variables())
    width += variable.width();
  std::vector<double> out(width, 12345.0);
  made.front()->measure(frame, out);
  return out;
}

inline long double naive_square(const Tokens& tokens, std::size_t dim, std::size_t j, std::size_t k) {
  long double sum = 0.0L;
  for (std::size_t i = 0; i < dim; ++i) {
    const long double difference =
        static_cast<long double>(tokens[j * dim + i]) - static_cast<long double>(tokens[k * dim + i]);
    sum += difference * difference;
  }
  return sum;
}

/// 1 - |theta_j - theta_k|^2 / 2 in long double.
inline long double naive_cosine(const Tokens& tokens, std::size_t dim, std::size_t j, std::size_t k) {
  return 1.0L - 0.5L * naive_square(tokens, dim, j, k);
}

template <class Visit>
void naive_pairs(const Tokens& tokens, std::size_t dim, Visit&& visit) {
  for (std::size_t j = 0; j < tokens.size() / dim; ++j)
    for (std::size_t k = j + 1; k < tokens.size() / dim; ++k)
      visit(j, k);
}

} // namespace frames
