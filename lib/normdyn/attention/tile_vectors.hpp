#pragma once
// The inner loops of the tile kernel, compiled for each instruction set: all that happens between one tile of queries
// and one tile of keys. Exponentials of a tile are computed from scores that never leave the registers, are written
// once to the cache, and used there for the sums of one side or of both.
//
// Panels: `panel_rows` numbers that fill some vectors. Keys lie as [token / rows][component][token % rows] ("across":
// vectors hold neighboring tokens); queries, values and sums as [component / rows][token][component % rows] ("along":
// vectors hold neighboring components), filled up with zeros. Sizes are arbitrary.
//
// T is the scalar of scores, exponentials and sums.

#include "normdyn/attention/head_kernel.hpp"

namespace normdyn::attention {

template <class T>
inline constexpr std::size_t tile_tokens = 96; ///< a multiple of panel_rows and of the columns of the register tile
template <class T>
inline constexpr std::size_t tile_total_lanes = 64 / sizeof(T); ///< partial totals kept for each query

template <class T>
struct TilePair {
  const T* keys;    ///< of this tile, across
  const T* queries; ///< of this tile, along; panels are query_panel apart
  std::size_t query_panel, depth;
  const T* key_values;   ///< along; panels are value_panel apart
  const T* query_values; ///< for the sums of the keys
  std::size_t value_panel, n_values;
  std::size_t n_queries, n_keys; ///< that exist in these tiles
  const double* shift;           ///< of the queries
  std::ptrdiff_t first_seen;     ///< query j of the tile sees the first j + first_seen keys of the tile
  T* query_sums;                 ///< along; panels are query_panel of the sums apart
  T* key_sums;                   ///< null: only the queries' side is wanted
  std::size_t sum_panel;
  T* query_totals; ///< tile_total_lanes for each query
  double* key_totals;
  T* exponentials; ///< room for tile_tokens^2
};

template <class T>
struct TileLoops {
  std::size_t panel_rows; ///< numbers in a panel: 32 doubles with AVX-512
  /// Tile number `tile` of `tokens`, times beta in units of the exponential, into `across` (all tiles).
  void (*pack_across)(const Rows& tokens, std::size_t tile, double beta, T* across);
  /// Tile number `tile` of `tokens` into `along`, whose panels hold `n_padded` tokens each.
  void (*pack_along)(const Rows& tokens, std::size_t tile, std::size_t n_padded, T* along);
  /// The same way back: sums of `count` tokens from tile `tile` to rows of `size` numbers.
  void (*unpack)(const T* along, std::size_t tile, std::size_t n_padded, std::size_t size, std::size_t count,
                 double* rows, std::size_t stride);
  /// Adds what these tiles have for each other.
  void (*add)(const TilePair<T>& pair);
};

/// The loops for the instruction set in use; T is double or float.
template <class T>
[[nodiscard]] const TileLoops<T>& tile_loops();

} // namespace normdyn::attention
