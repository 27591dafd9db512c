#pragma once
// The inner loops of the Fourier kernel, compiled for each instruction set. A token (x, y) is z = x + i y, and all
// that is needed of it are powers z^m: no angles, no trigonometric functions.
//
// Powers come in groups of three around w = z^(3 g + 2): the four products of the parts of w and z give w z and w / z
// by sums, so that a group costs eight multiplications, four of them for the next w.

#include <cstddef>

namespace normdyn::attention {

inline constexpr std::size_t fourier_group_moments = 6;       ///< numbers kept of the moments of a group
inline constexpr std::size_t fourier_group_coefficients = 18; ///< numbers kept of the three series of a group
inline constexpr std::size_t fourier_widest = 8;              ///< doubles of the longest vector

/// Sums over `count` tokens of the powers of `n_groups` groups, in order of rising power: real part, imaginary part.
/// `lanes`: work space for n_groups * fourier_group_moments * fourier_widest numbers, aligned. Returns whether all
/// tokens are unit vectors to rounding.
bool fourier_moments(const double* tokens, std::size_t count, std::size_t n_groups, double* lanes, double* moments);

/// Three series in the powers of a token: Z (the sum of its weights), N_x, N_y (of weights times tokens). For each
/// group: 6 numbers for Z, 6 for N_x, 6 for N_y, made by fourier_group.
struct FourierSeries {
  const double* coefficients;
  std::size_t n_groups;
  double constant[3];
};

/// What comes of the sums of a token.
struct FourierOutput {
  double* drift;  ///< rows of two: N / Z if factor = 0, else N * factor
  double* totals; ///< Z
  double factor;
};

/// Returns the smallest Z. The numbers of a token depend on that token alone, bit for bit.
double fourier_sums(const double* tokens, std::size_t count, const FourierSeries& series, const FourierOutput& out);

/// The same under a causal mask: token j sees the moments `before` of all tokens before the first, and the tokens up
/// to itself. Rows of `padded` numbers, one for each power from 0 on, filled up with zeros to a multiple of
/// fourier_widest:
///   before   real parts, imaginary parts
///   weights  of Re(F conj(z^m)) in Z, in Re(N conj(z)), and of Im(F conj(z^m)) in Im(N conj(z))
/// `running`: work space for two rows, aligned like the others. Tokens before `first_written` are seen, not written;
/// the output starts with that token.
struct FourierRunning {
  const double* before;
  const double* weights;
  double* running;
  std::size_t padded;
};
double fourier_running_sums(const double* tokens, std::size_t count, std::size_t first_written,
                            const FourierRunning& series, const FourierOutput& out);

} // namespace normdyn::attention
