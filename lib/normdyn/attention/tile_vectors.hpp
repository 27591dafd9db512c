#pragma once
// The inner loops of the tile kernel, compiled for each instruction set: all that happens between one tile of queries
// and one tile of keys. Exponentials of a tile are computed from scores that never leave the registers, are written
// once to the cache, and used there for the sums of one side or of both.
//
// Panels: `rows` = tile_panel_rows() numbers that fill some vectors. Keys lie as [token / rows][component][token %
// rows]
// ("across": vectors hold neighboring tokens); queries, values and sums as [component / rows][token][component % rows]
// ("along": vectors hold neighboring components), filled up with zeros. Sizes are arbitrary.

#include "normdyn/attention/head_kernel.hpp"

namespace normdyn::attention {

inline constexpr std::size_t tile_tokens = 96;     ///< a multiple of rows and of the columns of the register tile
inline constexpr std::size_t tile_total_lanes = 8; ///< partial totals kept for each query

/// Numbers in a panel: 32 with AVX-512.
[[nodiscard]] std::size_t tile_panel_rows();

/// Tile number `tile` of `tokens`, times beta in units of the exponential, into `across` (all tiles).
void tile_pack_across(const Rows& tokens, std::size_t tile, double beta, double* across);
/// Tile number `tile` of `tokens` into `along`, whose panels hold `n_padded` tokens each.
void tile_pack_along(const Rows& tokens, std::size_t tile, std::size_t n_padded, double* along);
/// The same way back: sums of `count` tokens from tile `tile` to rows of `size` numbers.
void tile_unpack(const double* along, std::size_t tile, std::size_t n_padded, std::size_t size, std::size_t count,
                 double* rows, std::size_t stride);

struct TilePair {
  const double* keys;    ///< of this tile, across
  const double* queries; ///< of this tile, along; panels are query_panel apart
  std::size_t query_panel, depth;
  const double* key_values;   ///< along; panels are value_panel apart
  const double* query_values; ///< for the sums of the keys
  std::size_t value_panel, n_values;
  std::size_t n_queries, n_keys; ///< that exist in these tiles
  const double* shift;           ///< of the queries
  std::ptrdiff_t first_seen;     ///< query j of the tile sees the first j + first_seen keys of the tile
  double* query_sums;            ///< along; panels are query_panel of the sums apart
  double* key_sums;              ///< null: only the queries' side is wanted
  std::size_t sum_panel;
  double* query_totals; ///< tile_total_lanes for each query
  double* key_totals;
  double* exponentials; ///< room for tile_tokens^2
};

/// Adds what these tiles have for each other.
void tile_add(const TilePair& pair);

} // namespace normdyn::attention
