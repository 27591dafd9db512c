#include "normdyn/attention/tile_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/tile_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/conversion_inl.hpp"

#include <hwy/cache_control.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// The register tile: `columns` broadcast numbers times `vectors` vectors, as large as the registers allow.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr std::size_t tile_registers = 24, shortest_panel = 32;
#elif HWY_TARGET == HWY_NEON
constexpr std::size_t tile_registers = 24, shortest_panel = 8;
#else
constexpr std::size_t tile_registers = 12, shortest_panel = 1;
#endif
template <class T>
constexpr std::size_t vectors = std::max<std::size_t>(2, shortest_panel / hn::MaxLanes(TagOf<T>{}));
template <class T>
constexpr std::size_t columns = tile_registers / vectors<T>;
template <class T>
constexpr std::size_t panel_rows = hn::MaxLanes(TagOf<T>{}) * vectors<T>;

template <class T, std::size_t V>
using RegisterTile = VectorOf<T>[columns<T>][V];

// tile[j][v] += sum_{k < depth} a[k, v] b(k, j), b(k, j) = b[k * k_stride + j * column_stride].
template <class T, std::size_t V>
HWY_INLINE void multiply(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::size_t k_stride,
                         std::size_t column_stride, std::size_t depth, RegisterTile<T, V>& tile) {
  for (std::size_t k = 0; k < depth; ++k) {
    VectorOf<T> left[V];
    for (std::size_t v = 0; v < V; ++v)
      left[v] = hn::Load(tag_of<T>, a + k * panel_rows<T> + v * lanes_of<T>);
    for (std::size_t j = 0; j < columns<T>; ++j) {
      const VectorOf<T> right = hn::Set(tag_of<T>, b[k * k_stride + j * column_stride]);
      for (std::size_t v = 0; v < V; ++v)
        tile[j][v] = hn::MulAdd(left[v], right, tile[j][v]);
    }
  }
}

// Exponentials of one panel of keys, from key i on, with `columns` queries from query j on.
template <class T>
HWY_INLINE void exponentiate_panel(const TilePair<T>& p, std::size_t i, std::size_t j, const std::size_t* seen) {
  RegisterTile<T, vectors<T>> tile;
  for (std::size_t c = 0; c < columns<T>; ++c) {
    const VectorOf<T> start =
        hn::Set(tag_of<T>, static_cast<T>(j + c < p.n_queries ? -p.shift[j + c] * steps_per_unit_of<T> : 0.0));
    for (std::size_t v = 0; v < vectors<T>; ++v)
      tile[c][v] = start;
  }
  const T* keys = p.keys + i * p.depth;
  for (std::size_t k = 0; k < p.depth; k += panel_rows<T>)
    multiply<T, vectors<T>>(keys + k * panel_rows<T>, p.queries + k / panel_rows<T> * p.query_panel + j * panel_rows<T>,
                            1, panel_rows<T>, std::min(panel_rows<T>, p.depth - k), tile);
  VectorOf<T> key_totals[vectors<T>];
  for (std::size_t v = 0; v < vectors<T>; ++v)
    if constexpr (std::is_same_v<T, double>)
      key_totals[v] = p.key_sums ? hn::Load(tag, p.key_totals + i + v * lanes) : hn::Zero(tag);
    else
      key_totals[v] = hn::Zero(tag_of<T>);
  const std::size_t n_columns = std::min(columns<T>, p.n_queries - j);
  for (std::size_t c = 0; c < n_columns; ++c) {
    exponentiate<T>(tile[c]);
    const std::size_t count = seen[c] > i ? seen[c] - i : 0;
    if (count < panel_rows<T>)
      for (std::size_t v = 0; v < vectors<T>; ++v)
        tile[c][v] = hn::IfThenElseZero(hn::FirstN(tag_of<T>, count > v * lanes_of<T> ? count - v * lanes_of<T> : 0),
                                        tile[c][v]);
    VectorOf<T> sum = tile[c][0];
    for (std::size_t v = 0; v < vectors<T>; ++v) {
      hn::Store(tile[c][v], tag_of<T>, p.exponentials + (j + c) * tile_tokens<T> + i + v * lanes_of<T>);
      key_totals[v] = hn::Add(key_totals[v], tile[c][v]);
      if (v > 0)
        sum = hn::Add(sum, tile[c][v]);
    }
    T* total = p.query_totals + (j + c) * tile_total_lanes<T>;
    hn::Store(hn::Add(hn::Load(tag_of<T>, total), sum), tag_of<T>, total);
  }
  if (p.key_sums)
    for (std::size_t v = 0; v < vectors<T>; ++v) {
      double* totals = p.key_totals + i + v * lanes_of<T>;
      if constexpr (std::is_same_v<T, double>)
        hn::Store(key_totals[v], tag, totals);
      else
        add_widened(key_totals[v], totals);
    }
}

// sums[column] += sum_{k < depth} values[k] b(k, column) for `columns` columns of one panel of V vectors.
template <class T, std::size_t V>
HWY_NOINLINE void add_product(const T* values, const T* b, std::size_t k_stride, std::size_t column_stride,
                              std::size_t depth, T* sums) {
  RegisterTile<T, V> tile;
  for (std::size_t j = 0; j < columns<T>; ++j)
    for (std::size_t v = 0; v < V; ++v) {
      tile[j][v] = hn::Zero(tag_of<T>);
      hwy::Prefetch(sums + j * panel_rows<T> + v * lanes_of<T>);
    }
  multiply<T, V>(values, b, k_stride, column_stride, depth, tile);
  for (std::size_t j = 0; j < columns<T>; ++j)
    for (std::size_t v = 0; v < V; ++v) {
      T* sum = sums + j * panel_rows<T> + v * lanes_of<T>;
      hn::Store(hn::Add(hn::Load(tag_of<T>, sum), tile[j][v]), tag_of<T>, sum);
    }
}

template <class T>
HWY_INLINE void add_product_of(std::size_t n_vectors, const T* values, const T* b, std::size_t k_stride,
                               std::size_t column_stride, std::size_t depth, T* sums) {
  if (n_vectors == 1)
    return add_product<T, 1>(values, b, k_stride, column_stride, depth, sums);
  if (n_vectors == 2)
    return add_product<T, 2>(values, b, k_stride, column_stride, depth, sums);
  if constexpr (vectors<T> == 4) {
    if (n_vectors == 3)
      return add_product<T, 3>(values, b, k_stride, column_stride, depth, sums);
    add_product<T, 4>(values, b, k_stride, column_stride, depth, sums);
  }
}

template <class T>
void add_tiles(const TilePair<T>& p) {
  static_assert(tile_tokens<T> % panel_rows<T> == 0 && tile_tokens<T> % columns<T> == 0);
  static_assert(lanes_of<T> <= tile_total_lanes<T>);
  std::size_t seen[tile_tokens<T> + columns<T>]; // of the keys of this tile
  for (std::size_t j = 0; j < tile_tokens<T> + columns<T>; ++j) {
    const std::ptrdiff_t count = p.first_seen + static_cast<std::ptrdiff_t>(std::min(j, p.n_queries - 1));
    seen[j] = count <= 0 ? 0 : std::min(static_cast<std::size_t>(count), p.n_keys);
  }
  for (std::size_t j = 0; j < p.n_queries; j += columns<T>)
    for (std::size_t i = 0; i < seen[j + columns<T> - 1]; i += panel_rows<T>)
      exponentiate_panel<T>(p, i, j, seen + j);
  for (std::size_t c = 0; c < p.n_values; c += panel_rows<T>) {
    const std::size_t n_vectors = std::min(vectors<T>, (p.n_values - c + lanes_of<T> - 1) / lanes_of<T>),
                      panel = c / panel_rows<T>;
    const T* values = p.key_values + panel * p.value_panel;
    T* sums = p.query_sums + panel * p.sum_panel;
    for (std::size_t j = 0; j < p.n_queries; j += columns<T>)
      if (seen[j + columns<T> - 1] > 0)
        add_product_of<T>(n_vectors, values, p.exponentials + j * tile_tokens<T>, 1, tile_tokens<T>,
                          seen[j + columns<T> - 1], sums + j * panel_rows<T>);
    if (!p.key_sums)
      continue;
    values = p.query_values + panel * p.value_panel;
    sums = p.key_sums + panel * p.sum_panel;
    for (std::size_t i = 0; i < p.n_keys; i += columns<T>)
      add_product_of<T>(n_vectors, values, p.exponentials + i, tile_tokens<T>, 1, p.n_queries,
                        sums + i * panel_rows<T>);
  }
}

template <class T>
void pack_across(const Rows& tokens, std::size_t tile, double beta, T* across) {
  constexpr std::size_t block = 8; // components taken from each token at once: one cache line
  const double scale = beta * steps_per_unit_of<T>;
  for (std::size_t begin = tile * tile_tokens<T>; begin < (tile + 1) * tile_tokens<T>; begin += panel_rows<T>) {
    T* panel = across + begin * tokens.size;
    const std::size_t count = begin < tokens.count ? std::min(panel_rows<T>, tokens.count - begin) : 0;
    alignas(64) T part[panel_rows<T>][block] = {};
    for (std::size_t c = 0; c < tokens.size; c += block) {
      const std::size_t n_components = std::min(block, tokens.size - c);
      for (std::size_t i = 0; i < count; ++i)
        narrow<T>(tokens.row(begin + i) + c, n_components, scale, part[i]);
      for (std::size_t k = 0; k < n_components; ++k)
        for (std::size_t i = 0; i < panel_rows<T>; ++i)
          panel[(c + k) * panel_rows<T> + i] = part[i][k];
    }
  }
}

template <class T>
void pack_along(const Rows& tokens, std::size_t tile, std::size_t n_padded, T* along) {
  const std::size_t begin = tile * tile_tokens<T>;
  for (std::size_t c = 0; c < tokens.size; c += panel_rows<T>) {
    T* panel = along + c * n_padded;
    const std::size_t size = std::min(panel_rows<T>, tokens.size - c);
    for (std::size_t j = begin; j < begin + tile_tokens<T>; ++j) {
      T* out = panel + j * panel_rows<T>;
      const std::size_t n = j < tokens.count ? size : 0;
      if (n > 0)
        narrow<T>(tokens.row(j) + c, n, 1.0, out);
      std::fill(out + n, out + panel_rows<T>, T{0});
    }
  }
}

template <class T>
void unpack(const T* along, std::size_t tile, std::size_t n_padded, std::size_t size, std::size_t count, double* rows,
            std::size_t stride) {
  const std::size_t begin = tile * tile_tokens<T>, end = std::min(begin + tile_tokens<T>, count);
  for (std::size_t j = begin; j < end; ++j)
    for (std::size_t c = 0; c < size; c += panel_rows<T>)
      widen<T>(along + c * n_padded + j * panel_rows<T>, std::min(panel_rows<T>, size - c), rows + j * stride + c);
}

template <class T>
constexpr TileLoops<T> tile_loops_of{panel_rows<T>, pack_across<T>, pack_along<T>, unpack<T>, add_tiles<T>};

const TileLoops<double>& tile_double_loops() {
  return tile_loops_of<double>;
}

const TileLoops<float>& tile_float_loops() {
  return tile_loops_of<float>;
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(tile_double_loops);
HWY_EXPORT(tile_float_loops);

template <>
const TileLoops<double>& tile_loops() {
  return HWY_DYNAMIC_DISPATCH(tile_double_loops)();
}

template <>
const TileLoops<float>& tile_loops() {
  return HWY_DYNAMIC_DISPATCH(tile_float_loops)();
}

} // namespace normdyn::attention
#endif
