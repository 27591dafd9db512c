#pragma once
// What a normalization scheme is (Karagodin, Ge, Polyanskiy, Rigollet, arXiv:2510.22026, Table 2): it regulates speed.
//
//   theta_j' = (1/s_j) P_{theta_j} A_j,      r_j' = radial rate
//
// A scheme returns its speed 1/s_j, its radial rate and its layer update from (r, <theta,A>, |A|, |P A|, t), and
// nothing else. One header per scheme, one line in registry.hpp.

#include "normdyn/core/interval.hpp"
#include "normdyn/core/schedule.hpp"
#include "normdyn/core/settings.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace normdyn::schemes {

/// One token's attention drift A, seen from its direction theta.
template <class Scalar>
struct Drift {
  Scalar radius;     ///< r_j; 1 where the scheme carries none
  Scalar radial;     ///< <theta_j, A_j>
  Scalar norm;       ///< |A_j|
  Scalar tangential; ///< |P A_j|
};

/// Continuous time: theta' = speed * P A, r' = radial.
template <class Scalar>
struct Rates {
  Scalar speed;  ///< 1/s_j
  Scalar radial; ///< r_j'
};

/// One layer of step h: y = keep * theta + push * A, theta <- y/|y|, and r <- |y| if moves_radius.
template <class Scalar>
struct Layer {
  Scalar keep, push;
  bool moves_radius;
};

/// What a scheme may know of the study when it reads its options.
struct SchemeContext {
  std::size_t n_tokens = 0;
  std::size_t dim = 0;
  core::Schedule beta{1.0};
  double begin = 0.0; ///< first time of the run
};

/// A line of help for an option of a scheme; `default_text` empty means required, and then `example` is a value, as
/// TOML, with which a study runs (for templates).
struct OptionHelp {
  std::string_view key, default_text, meaning;
  std::string_view example{};
};

/// `read(settings, context)` builds the scheme from its section of the config; `on(interval)` fixes the smooth piece.
template <class T>
concept NormScheme = requires(const T scheme, const Drift<double>& drift, double t, core::Interval piece,
                              core::Settings& settings, const SchemeContext& context) {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::alias } -> std::convertible_to<std::string_view>;
  { T::equation } -> std::convertible_to<std::string_view>;
  { T::layer_map } -> std::convertible_to<std::string_view>;
  { T::options().begin()->key } -> std::convertible_to<std::string_view>;
  { T::read(settings, context) } -> std::same_as<T>;
  { scheme.has_radius() } -> std::same_as<bool>;
  { scheme.needs_drift() } -> std::same_as<bool>; ///< undefined where A_j = 0
  { scheme.breakpoints() } -> std::same_as<std::vector<double>>;
  { scheme.on(piece) } -> std::same_as<T>;
  { scheme.rates(drift, t) } -> std::same_as<Rates<double>>;
  { scheme.layer(drift, t, t) } -> std::same_as<Layer<double>>;
};

} // namespace normdyn::schemes
