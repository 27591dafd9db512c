#pragma once
// The inner loops of the small-d kernel, compiled for each instruction set.
//
//   sum_j = sum_k E_jk v_k,  total_j = sum_k E_jk,  E_jk = exp(beta <q_j, k_k> - shift_j)
//
// Tokens lie component after component ("planes", `stride` doubles apart), so that a vector holds neighboring tokens.
// `width` is the number of components, filled up with zeros to one of small_d_width.

#include <cstddef>

namespace normdyn::attention {

inline constexpr std::size_t small_d_limit = 12;      ///< components of keys, and of values, in each head
inline constexpr std::size_t small_d_block = 32;      ///< queries are dealt with in blocks of this many
inline constexpr std::size_t small_d_key_chunk = 256; ///< keys are summed in chunks of this many, chunks in order

/// The number of components that the loops exist for: 2, 3, 4, 6, 8 or 12.
[[nodiscard]] constexpr std::size_t small_d_width(std::size_t components) {
  return components <= 2 ? 2 : components <= 4 ? components : components <= 8 ? (components + 1) / 2 * 2 : 12;
}

struct SmallDRows {
  const double* query; ///< width planes
  const double* shift; ///< stride
  const double* seen;  ///< stride: how many keys the query sees, the first so many; not decreasing
  const double* keys;  ///< n_keys rows of 2 width: key, then value
  std::size_t width, stride;
  double beta;
  double* sums; ///< width + 1 planes, the last for the totals
};

/// Sums of the queries of one block. Each depends on its own query and the keys it sees, bit for bit: not on its place,
/// nor on how many keys follow.
void small_d_rows(const SmallDRows& problem, std::size_t block);

struct SmallDSymmetric {
  const double* tokens; ///< width planes; q = k = v
  const double* scaled; ///< the same times beta in units of the exponential, by small_d_scale
  std::size_t width, stride, n_tokens;
  double shift; ///< of every token
};

/// Adds to `sums` (width + 1 planes, zero at first) the pairs (i, j), j >= i, of rows i in [begin, end), both multiples
/// of 8 or n_tokens: each exponential is computed once and used for both tokens.
void small_d_symmetric(const SmallDSymmetric& problem, std::size_t begin, std::size_t end, double* sums);

/// Factor of `scaled`: beta in units of the exponential of the instruction set in use.
[[nodiscard]] double small_d_scale(double beta);

} // namespace normdyn::attention
