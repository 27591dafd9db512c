#include "normdyn/attention/tile_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/tile_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <hwy/cache_control.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// The register tile: `columns` broadcast numbers times `vectors` vectors, as large as the registers allow.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON
constexpr std::size_t vectors = 4;
#else
constexpr std::size_t vectors = 2;
#endif
constexpr std::size_t columns = 6;
constexpr std::size_t panel_rows = vectors * lanes;
static_assert(tile_tokens % panel_rows == 0 && tile_tokens % columns == 0 && lanes <= tile_total_lanes);

template <std::size_t V>
using RegisterTile = Vector[columns][V];

// tile[j][v] += sum_{k < depth} a[k, v] b(k, j), b(k, j) = b[k * k_stride + j * column_stride].
template <std::size_t V>
HWY_INLINE void multiply(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t k_stride,
                         std::size_t column_stride, std::size_t depth, RegisterTile<V>& tile) {
  for (std::size_t k = 0; k < depth; ++k) {
    Vector left[V];
    for (std::size_t v = 0; v < V; ++v)
      left[v] = hn::Load(tag, a + k * panel_rows + v * lanes);
    for (std::size_t j = 0; j < columns; ++j) {
      const Vector right = hn::Set(tag, b[k * k_stride + j * column_stride]);
      for (std::size_t v = 0; v < V; ++v)
        tile[j][v] = hn::MulAdd(left[v], right, tile[j][v]);
    }
  }
}

// Exponentials of one panel of keys, from key i on, with `columns` queries from query j on.
HWY_INLINE void exponentiate_panel(const TilePair& p, std::size_t i, std::size_t j, const std::size_t* seen) {
  RegisterTile<vectors> tile;
  for (std::size_t c = 0; c < columns; ++c) {
    const Vector start = hn::Set(tag, j + c < p.n_queries ? -p.shift[j + c] * steps_per_unit : 0.0);
    for (std::size_t v = 0; v < vectors; ++v)
      tile[c][v] = start;
  }
  const double* keys = p.keys + i * p.depth;
  for (std::size_t k = 0; k < p.depth; k += panel_rows)
    multiply<vectors>(keys + k * panel_rows, p.queries + k / panel_rows * p.query_panel + j * panel_rows, 1, panel_rows,
                      std::min(panel_rows, p.depth - k), tile);
  Vector key_totals[vectors];
  for (std::size_t v = 0; v < vectors; ++v)
    key_totals[v] = p.key_sums ? hn::Load(tag, p.key_totals + i + v * lanes) : hn::Zero(tag);
  const std::size_t n_columns = std::min(columns, p.n_queries - j);
  for (std::size_t c = 0; c < n_columns; ++c) {
    exponentiate(tile[c]);
    const std::size_t count = seen[c] > i ? seen[c] - i : 0;
    if (count < panel_rows)
      for (std::size_t v = 0; v < vectors; ++v)
        tile[c][v] = hn::IfThenElseZero(hn::FirstN(tag, count > v * lanes ? count - v * lanes : 0), tile[c][v]);
    Vector sum = tile[c][0];
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::Store(tile[c][v], tag, p.exponentials + (j + c) * tile_tokens + i + v * lanes);
      key_totals[v] = hn::Add(key_totals[v], tile[c][v]);
      if (v > 0)
        sum = hn::Add(sum, tile[c][v]);
    }
    double* total = p.query_totals + (j + c) * tile_total_lanes;
    hn::Store(hn::Add(hn::Load(tag, total), sum), tag, total);
  }
  if (p.key_sums)
    for (std::size_t v = 0; v < vectors; ++v)
      hn::Store(key_totals[v], tag, p.key_totals + i + v * lanes);
}

// sums[column] += sum_{k < depth} values[k] b(k, column) for `columns` columns of one panel of V vectors.
template <std::size_t V>
HWY_NOINLINE void add_product(const double* values, const double* b, std::size_t k_stride, std::size_t column_stride,
                              std::size_t depth, double* sums) {
  RegisterTile<V> tile;
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t v = 0; v < V; ++v) {
      tile[j][v] = hn::Zero(tag);
      hwy::Prefetch(sums + j * panel_rows + v * lanes);
    }
  multiply<V>(values, b, k_stride, column_stride, depth, tile);
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t v = 0; v < V; ++v) {
      double* sum = sums + j * panel_rows + v * lanes;
      hn::Store(hn::Add(hn::Load(tag, sum), tile[j][v]), tag, sum);
    }
}

HWY_INLINE void add_product_of(std::size_t n_vectors, const double* values, const double* b, std::size_t k_stride,
                               std::size_t column_stride, std::size_t depth, double* sums) {
  if (n_vectors == 1)
    return add_product<1>(values, b, k_stride, column_stride, depth, sums);
  if (n_vectors == 2)
    return add_product<2>(values, b, k_stride, column_stride, depth, sums);
  if constexpr (vectors == 4) {
    if (n_vectors == 3)
      return add_product<3>(values, b, k_stride, column_stride, depth, sums);
    add_product<4>(values, b, k_stride, column_stride, depth, sums);
  }
}

void add_tiles(const TilePair& p) {
  std::size_t seen[tile_tokens + columns]; // of the keys of this tile
  for (std::size_t j = 0; j < tile_tokens + columns; ++j) {
    const std::ptrdiff_t count = p.first_seen + static_cast<std::ptrdiff_t>(std::min(j, p.n_queries - 1));
    seen[j] = count <= 0 ? 0 : std::min(static_cast<std::size_t>(count), p.n_keys);
  }
  for (std::size_t j = 0; j < p.n_queries; j += columns)
    for (std::size_t i = 0; i < seen[j + columns - 1]; i += panel_rows)
      exponentiate_panel(p, i, j, seen + j);
  for (std::size_t c = 0; c < p.n_values; c += panel_rows) {
    const std::size_t n_vectors = std::min(vectors, (p.n_values - c + lanes - 1) / lanes), panel = c / panel_rows;
    const double* values = p.key_values + panel * p.value_panel;
    double* sums = p.query_sums + panel * p.sum_panel;
    for (std::size_t j = 0; j < p.n_queries; j += columns)
      if (seen[j + columns - 1] > 0)
        add_product_of(n_vectors, values, p.exponentials + j * tile_tokens, 1, tile_tokens, seen[j + columns - 1],
                       sums + j * panel_rows);
    if (!p.key_sums)
      continue;
    values = p.query_values + panel * p.value_panel;
    sums = p.key_sums + panel * p.sum_panel;
    for (std::size_t i = 0; i < p.n_keys; i += columns)
      add_product_of(n_vectors, values, p.exponentials + i, tile_tokens, 1, p.n_queries, sums + i * panel_rows);
  }
}

std::size_t panel_rows_here() {
  return panel_rows;
}

void pack_across(const Rows& tokens, std::size_t tile, double beta, double* across) {
  const double scale = beta * steps_per_unit;
  for (std::size_t begin = tile * tile_tokens; begin < (tile + 1) * tile_tokens; begin += panel_rows) {
    double* panel = across + begin * tokens.size;
    const std::size_t count = begin < tokens.count ? std::min(panel_rows, tokens.count - begin) : 0;
    constexpr std::size_t block = 8; // components taken from each token at once: one cache line
    for (std::size_t c = 0; c < tokens.size; c += block) {
      const std::size_t n_components = std::min(block, tokens.size - c);
      for (std::size_t i = 0; i < panel_rows; ++i)
        for (std::size_t k = 0; k < n_components; ++k)
          panel[(c + k) * panel_rows + i] = i < count ? tokens.row(begin + i)[c + k] * scale : 0.0;
    }
  }
}

void pack_along(const Rows& tokens, std::size_t tile, std::size_t n_padded, double* along) {
  const std::size_t begin = tile * tile_tokens;
  for (std::size_t c = 0; c < tokens.size; c += panel_rows) {
    double* panel = along + c * n_padded;
    const std::size_t size = std::min(panel_rows, tokens.size - c);
    for (std::size_t j = begin; j < begin + tile_tokens; ++j) {
      double* out = panel + j * panel_rows;
      const std::size_t n = j < tokens.count ? size : 0;
      if (n > 0)
        std::copy_n(tokens.row(j) + c, n, out);
      std::fill(out + n, out + panel_rows, 0.0);
    }
  }
}

void unpack(const double* along, std::size_t tile, std::size_t n_padded, std::size_t size, std::size_t count,
            double* rows, std::size_t stride) {
  const std::size_t begin = tile * tile_tokens, end = std::min(begin + tile_tokens, count);
  for (std::size_t j = begin; j < end; ++j)
    for (std::size_t c = 0; c < size; c += panel_rows)
      std::copy_n(along + c * n_padded + j * panel_rows, std::min(panel_rows, size - c), rows + j * stride + c);
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(add_tiles);
HWY_EXPORT(panel_rows_here);
HWY_EXPORT(pack_across);
HWY_EXPORT(pack_along);
HWY_EXPORT(unpack);

std::size_t tile_panel_rows() {
  return HWY_DYNAMIC_DISPATCH(panel_rows_here)();
}

void tile_pack_across(const Rows& tokens, std::size_t tile, double beta, double* across) {
  HWY_DYNAMIC_DISPATCH(pack_across)(tokens, tile, beta, across);
}

void tile_pack_along(const Rows& tokens, std::size_t tile, std::size_t n_padded, double* along) {
  HWY_DYNAMIC_DISPATCH(pack_along)(tokens, tile, n_padded, along);
}

void tile_unpack(const double* along, std::size_t tile, std::size_t n_padded, std::size_t size, std::size_t count,
                 double* rows, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(unpack)(along, tile, n_padded, size, count, rows, stride);
}

void tile_add(const TilePair& pair) {
  HWY_DYNAMIC_DISPATCH(add_tiles)(pair);
}

} // namespace normdyn::attention
#endif
