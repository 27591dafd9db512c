#pragma once
// The inner loops of the kernel of spherical harmonics, compiled for each instruction set.
//
// A harmonic of degree l = m + k and order m is p(z) (x + i y)^m, with p = p_k^(m) the monic polynomial of degree k
// that is orthogonal for the weight (1 - z^2)^m:  p_{k+1} = z p_k - g_k p_{k-1},  p_k^(m)' = k p_{k-1}^(m+1).
// Polynomials of the coordinates: there is no angle, and nothing is singular at the poles. Rows of numbers are ordered
// by m, then k: harmonics_place(m, k, degree).

#include <cstddef>

namespace normdyn::attention {

inline constexpr std::size_t harmonics_widest = 8;       ///< doubles of the longest vector
inline constexpr std::size_t harmonics_coefficients = 6; ///< numbers of each harmonic in HarmonicSeries

/// Number of pairs (m, k) with m + k <= degree.
[[nodiscard]] constexpr std::size_t harmonics_count(std::size_t degree) {
  return (degree + 1) * (degree + 2) / 2;
}
[[nodiscard]] constexpr std::size_t harmonics_place(std::size_t m, std::size_t k, std::size_t degree) {
  return m * (degree + 1) - m * (m - 1) / 2 + k;
}

/// Sums of all harmonics over `count` tokens (x, y, z): real part, imaginary part. `recurrence`: g_k of each place.
/// `lanes`: work space for 2 * harmonics_count * harmonics_widest numbers, aligned. Returns whether all tokens are unit
/// vectors to rounding.
bool harmonics_moments(const double* tokens, std::size_t count, std::size_t degree, const double* recurrence,
                       double* lanes, double* moments);

/// Series of a token. With Phi the series of coefficients 0 (of the real part) and 1 (of the imaginary part), Rho that
/// of 2 and 3, and Psi that of 4 and 5 with (x + i y)^(m - 1) instead of (x + i y)^m, which is d Phi / dz:
///   Z = total + beta Phi,  N = grad Phi + (radial + Rho - <theta, grad Phi>) theta
struct HarmonicSeries {
  const double* recurrence;
  const double* coefficients;
  std::size_t degree;
  double beta, total, radial;
};

/// What comes of the sums of a token.
struct HarmonicsOutput {
  double* drift;  ///< rows of three: N / Z if factor = 0, else N * factor
  double* totals; ///< Z
  double factor;
};

/// Returns the smallest Z. The numbers of a token depend on that token alone, bit for bit.
double harmonics_sums(const double* tokens, std::size_t count, const HarmonicSeries& series,
                      const HarmonicsOutput& out);

} // namespace normdyn::attention
