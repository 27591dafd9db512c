#pragma once
// The equiangular motion in as many digits as one asks for, by quadrature in 60-digit arithmetic: no differential
// equation is integrated. Values of a config are taken as the decimals that they are written as, so that beta = 0.1 is
// one tenth and not the double next to it.

#include "normdyn/reduced/stop_request.hpp"
#include "normdyn/schemes/registry.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace normdyn::reduced {

inline constexpr int most_digits = 50;

/// alpha(t) = scale (shift + t)^exponent; a constant has exponent 0.
struct PowerSchedule {
  double scale = 1.0, shift = 1.0, exponent = 0.0;
};

struct DigitsModel {
  schemes::AnyScheme scheme = schemes::PostLn{}; ///< not `formula`, which need not separate (pace.hpp)
  PowerSchedule alpha{};                         ///< of nGPT, in place of the scheme's own schedule
  std::size_t n_tokens = 2;
  double beta = 1.0;
  double cosine = 0.0; ///< gamma(0), above -1/(n-1): a simplex does not move in y
  double radius = 1.0; ///< r(0)
};

/// A row of EquiangularRow's quantities and of u'/u, each with the digits asked for.
struct DigitsRow {
  std::string time, cosine, gap, log_ratio, radius, clock, log_derivative;
};

/// Rows at times that increase, counted from 0, rounded to `digits` significant digits (1 ... most_digits). Throws
/// core::InputError for a scheme that does not separate, a simplex, or sizes that Equiangular refuses. Fewer rows if
/// `stop`, which is asked before each panel of the quadrature, says so.
[[nodiscard]] std::vector<DigitsRow> rows_in_digits(const DigitsModel& model, std::span<const double> times, int digits,
                                                    const StopRequest& stop = {});

} // namespace normdyn::reduced
