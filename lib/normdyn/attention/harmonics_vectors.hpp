#pragma once
// The inner loops of the series of spherical harmonics, compiled for each instruction set.
//
// A harmonic of degree l = m + k and order m is p(z) (x + i y)^m, with p = p_k^(m) the monic polynomial of degree k
// that is orthogonal for the weight (1 - z^2)^m:  p_{k+1} = z p_k - g_k p_{k-1},  p_k^(m)' = k p_{k-1}^(m+1).
// Polynomials of the coordinates: there is no angle, and nothing is singular at the poles. Rows of numbers are ordered
// by m, then k: harmonics_place(m, k, degree). Loops deal with one order after another, for a few hundred tokens, so
// that at any degree what they use stays in the cache.
//
// Range. p is between about 2^-k and 1, and at most 2^k times smaller than its mean square root, so that all numbers
// are within 2^(+-2 l) times their count: l may grow to 500. Powers of x + i y near the poles fall below any number
// there is; below 1e-150 they count as zero, where the harmonic is below 1e-20 of its largest value (l <= 430).

#include "normdyn/attention/series_basis.hpp"

#include <cstddef>

namespace normdyn::attention {

inline constexpr std::size_t harmonics_coefficients = 6; ///< numbers of each harmonic in HarmonicSeries
inline constexpr std::size_t harmonics_constants = 2;    ///< numbers before them

/// Number of pairs (m, k) with m + k <= degree.
[[nodiscard]] constexpr std::size_t harmonics_count(std::size_t degree) {
  return (degree + 1) * (degree + 2) / 2;
}
[[nodiscard]] constexpr std::size_t harmonics_place(std::size_t m, std::size_t k, std::size_t degree) {
  return m * (degree + 1) - m * (m - 1) / 2 + k;
}
/// Work space of harmonics_moments: the vectors of sums of one order, then these summed.
[[nodiscard]] constexpr std::size_t harmonics_work(std::size_t degree) {
  const std::size_t vectors = (2 * (degree + 1) + series_rows - 1) / series_rows * series_rows;
  return vectors * series_rows + vectors;
}

/// Adds all harmonics: real part, imaginary part. `recurrence`: g_k of each place. `work`: aligned. See
/// SeriesBasis::add_moments.
std::size_t harmonics_moments(const double* tokens, std::size_t count, std::size_t degree, const double* recurrence,
                              double* work, double* moments);

/// Series of a token. With Phi the series of coefficients 0 (of the real part) and 1 (of the imaginary part), Rho that
/// of 2 and 3, and Psi that of 4 and 5 with (x + i y)^(m - 1) instead of (x + i y)^m, which is d Phi / dz:
///   Z = total + beta Phi,  N = grad Phi + (radial + Rho - <theta, grad Phi>) theta
/// The coefficients begin with the constants total, radial.
struct HarmonicSeries {
  const double* recurrence;
  const double* coefficients;
  std::size_t degree;
  double beta;
};

/// See SeriesBasis::write_sums.
double harmonics_sums(const double* tokens, std::size_t count, const HarmonicSeries& series, const SeriesRows& out);

} // namespace normdyn::attention
