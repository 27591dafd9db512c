#pragma once
// The inner loops of the small-d kernel, compiled for each instruction set.
//
//   sum_j = sum_k E_jk v_k,  total_j = sum_k E_jk,  E_jk = exp(beta <q_j, k_k> - shift_j)
//
// Tokens lie in groups of small_d_group, within a group component after component, so that a vector holds neighboring
// tokens and the loops walk through memory in order. `width` is the number of components, filled up with zeros to one
// of small_d_width. T is the scalar of scores, exponentials and sums.

#include <cstddef>

namespace normdyn::attention {

inline constexpr std::size_t small_d_limit = 12;      ///< components of keys, and of values, in each head
inline constexpr std::size_t small_d_key_chunk = 256; ///< keys are summed in chunks of this many, chunks in order

template <class T>
inline constexpr std::size_t small_d_block = 256 / sizeof(T); ///< queries are dealt with in blocks of this many
template <class T>
inline constexpr std::size_t small_d_group = 64 / sizeof(T); ///< tokens of a group, at least as many as a vector holds

/// The number of components that the loops exist for: 2, 3, 4, 6, 8 or 12.
[[nodiscard]] constexpr std::size_t small_d_width(std::size_t components) {
  return components <= 2 ? 2 : components <= 4 ? components : components <= 8 ? (components + 1) / 2 * 2 : 12;
}

template <class T>
struct SmallDRows {
  const T* query; ///< groups of 2 width components: tokens, then the same times beta SmallDLoops::steps_per_unit
  const T* shift; ///< one per query
  const T* seen;  ///< one per query: how many keys it sees, the first so many; not decreasing
  const T* keys;  ///< n_keys rows of 2 width: key, then value
  std::size_t width;
  bool is_bounded; ///< no exponent is below the floor of the exponential
  T* sums;         ///< groups of width + 1 components, the last for the totals
};

template <class T>
struct SmallDSymmetric {
  const T* tokens; ///< groups, as SmallDRows::query; q = k = v
  std::size_t width, n_tokens;
  double shift;    ///< of every token
  bool is_bounded; ///< as SmallDRows
};

template <class T>
struct SmallDLoops {
  /// Sums of the queries of one block. Each depends on its own query and the keys it sees, bit for bit: not on its
  /// place, nor on how many keys follow.
  void (*rows)(const SmallDRows<T>& problem, std::size_t block);
  /// Adds to `sums` (as SmallDRows::sums, zero at first) the pairs (i, j), j >= i, of rows i in [begin, end), both
  /// multiples of small_d_group or n_tokens: each exponential is computed once and used for both tokens.
  void (*symmetric)(const SmallDSymmetric<T>& problem, std::size_t begin, std::size_t end, T* sums);
  double exponent_floor; ///< smaller exponents give zero
  double steps_per_unit; ///< scores are wanted in steps of the exponential, of which a unit has so many
};

/// The loops for the instruction set in use; T is double or float.
template <class T>
[[nodiscard]] const SmallDLoops<T>& small_d_loops();

} // namespace normdyn::attention
