#pragma once
// The inner loops of the Fourier series, compiled for each instruction set. A token (x, y) is z = x + i y, and all
// that is needed of it are powers z^m: no angles, no trigonometric functions.
//
// Powers come in groups of three around w = z^(3 g + 2): the four products of the parts of w and z give w z and w / z
// by sums, so that a group costs eight multiplications, four of them for the next w.

#include "normdyn/attention/series_basis.hpp"

#include <cstddef>

namespace normdyn::attention {

inline constexpr std::size_t fourier_group_moments = 6;       ///< numbers kept of the moments of a group
inline constexpr std::size_t fourier_group_coefficients = 18; ///< numbers kept of the three series of a group
inline constexpr std::size_t fourier_constants = 3;           ///< of the three series, before the groups

/// Work space of fourier_moments: all vectors of sums, then these summed.
[[nodiscard]] constexpr std::size_t fourier_work(std::size_t n_groups) {
  const std::size_t vectors = (n_groups * fourier_group_moments + series_rows - 1) / series_rows * series_rows;
  return vectors * series_rows + vectors;
}

/// Adds the powers of `n_groups` groups, in order of rising power: real part, imaginary part. `work`: aligned. See
/// SeriesBasis::add_moments.
std::size_t fourier_moments(const double* tokens, std::size_t count, std::size_t n_groups, double* work,
                            double* moments);

/// Three series in the powers of a token: Z (the sum of its weights), N_x, N_y (of weights times tokens): a constant of
/// each, then for each group 6 numbers for Z, 6 for N_x, 6 for N_y.
struct FourierSeries {
  const double* coefficients;
  std::size_t n_groups;
};

/// See SeriesBasis::write_sums.
double fourier_sums(const double* tokens, std::size_t count, const FourierSeries& series, const SeriesRows& out);

} // namespace normdyn::attention
