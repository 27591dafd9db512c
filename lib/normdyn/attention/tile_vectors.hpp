#pragma once
// The inner loops of the tile kernel, compiled for each instruction set: all that happens between one tile of queries
// and one tile of keys. Exponentials of a tile are computed from scores that never leave the registers, are written
// once to the cache, and used there for the sums of one side or of both.
//
// Panels: `rows` = panel_rows numbers that fill some vectors. Within its tile, a key lies as
// [token / rows][component][token % rows] ("across": vectors hold neighboring tokens); queries, values and sums lie as
// [component / width][token][component % width] ("along": vectors hold neighboring components), rows numbers for each
// token, filled up with zeros: all panels get about the same number of vectors, which fill `width`
// numbers.
// All of a tile is in one piece: panels far apart cost more in address translation than the sums they feed. Sizes are
// arbitrary. T is the scalar of scores, exponentials and sums.

#include "normdyn/attention/head_kernel.hpp"

namespace normdyn::attention {

template <class T>
inline constexpr std::size_t tile_tokens = 96; ///< a multiple of panel_rows and of the columns of the register tile
template <class T>
inline constexpr std::size_t tile_total_lanes = 64 / sizeof(T); ///< partial totals kept for each query

/// Pointers are to the begin of a tile.
template <class T>
struct TilePair {
  const T* keys;    ///< across
  const T* queries; ///< along
  std::size_t depth, query_width;
  const T* key_values;   ///< along
  const T* query_values; ///< for the sums of the keys
  std::size_t n_values, value_width;
  std::size_t n_queries, n_keys; ///< that exist in these tiles
  const double* shift;           ///< of the queries
  std::ptrdiff_t first_seen;     ///< query j of the tile sees the first j + first_seen keys of the tile
  T* query_sums;                 ///< along
  T* key_sums;                   ///< null: only the queries' side is wanted
  bool is_first;                 ///< sums of both sides are set, not added to
  bool is_diagonal; ///< a tile with itself, both sides wanted, first_seen = 1: each two tokens are dealt with once
  T* query_totals;  ///< tile_total_lanes for each query; totals are always added to
  double* key_totals;
  T* exponentials; ///< room for tile_tokens^2
};

template <class T>
struct TileLoops {
  std::size_t panel_rows, lanes; ///< numbers in a panel and in a vector: 32 and 8 doubles with AVX-512
  /// Tile number `tile` of `tokens`, times beta in units of the exponential, into `across`.
  void (*pack_across)(const Rows& tokens, std::size_t tile, double beta, T* across);
  /// Tile number `tile` of `tokens` into `along`.
  void (*pack_along)(const Rows& tokens, std::size_t tile, std::size_t width, T* along);
  /// The same way back: sums of `count` tokens in all from tile `tile` to its rows of `size` numbers.
  void (*unpack)(const T* along, std::size_t tile, std::size_t width, std::size_t size, std::size_t count, double* rows,
                 std::size_t stride);
  /// Adds what these tiles have for each other.
  void (*add)(const TilePair<T>& pair);
};

/// The loops for the instruction set in use; T is double or float.
template <class T>
[[nodiscard]] const TileLoops<T>& tile_loops();

} // namespace normdyn::attention
