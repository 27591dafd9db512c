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

template <class T>
constexpr std::size_t panel_size = tile_tokens<T>* panel_rows<T>; // of a tile, along

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

// Scores of one panel of keys, from key i on, with `columns` queries from query j on, of which `n` exist.
template <class T>
HWY_INLINE void score_panel(const TilePair<T>& p, std::size_t i, std::size_t j, std::size_t n,
                            RegisterTile<T, vectors<T>>& tile) {
  for (std::size_t c = 0; c < columns<T>; ++c) {
    const VectorOf<T> start = hn::Set(tag_of<T>, static_cast<T>(c < n ? -p.shift[j + c] * steps_per_unit_of<T> : 0.0));
    for (std::size_t v = 0; v < vectors<T>; ++v)
      tile[c][v] = start;
  }
  const T* keys = p.keys + i * p.depth;
  const T* queries = p.queries + j * panel_rows<T>;
  for (std::size_t k = 0; k < p.depth; k += p.query_width, queries += panel_size<T>)
    multiply<T, vectors<T>>(keys + k * panel_rows<T>, queries, 1, panel_rows<T>, std::min(p.query_width, p.depth - k),
                            tile);
}

// Exponentials of the same. Unless AllSeen, a query sees only the first seen[c] keys of the tile.
template <class T, bool AllSeen>
HWY_INLINE void exponentiate_panel(const TilePair<T>& p, std::size_t i, std::size_t j, const std::size_t* seen) {
  const std::size_t n = AllSeen ? columns<T> : std::min(columns<T>, p.n_queries - j);
  RegisterTile<T, vectors<T>> tile;
  score_panel(p, i, j, n, tile);
  VectorOf<T> key_totals[vectors<T>];
  for (std::size_t v = 0; v < vectors<T>; ++v)
    if constexpr (std::is_same_v<T, double>)
      key_totals[v] = p.key_sums ? hn::Load(tag, p.key_totals + i + v * lanes) : hn::Zero(tag);
    else
      key_totals[v] = hn::Zero(tag_of<T>);
  T* HWY_RESTRICT exponentials = p.exponentials + j * tile_tokens<T> + i;
  T* HWY_RESTRICT totals = p.query_totals + j * tile_total_lanes<T>;
  // Unrolled, the tile stays in registers.
  HWY_UNROLL(12)
  for (std::size_t c = 0; c < n; ++c) {
    exponentiate<T>(tile[c]);
    if (!AllSeen) {
      const std::size_t count = seen[c] > i ? seen[c] - i : 0;
      for (std::size_t v = 0; v < vectors<T>; ++v)
        tile[c][v] = hn::IfThenElseZero(hn::FirstN(tag_of<T>, count > v * lanes_of<T> ? count - v * lanes_of<T> : 0),
                                        tile[c][v]);
    }
    VectorOf<T> sum = tile[c][0];
    for (std::size_t v = 0; v < vectors<T>; ++v) {
      hn::Store(tile[c][v], tag_of<T>, exponentials + c * tile_tokens<T> + v * lanes_of<T>);
      key_totals[v] = hn::Add(key_totals[v], tile[c][v]);
      if (v > 0)
        sum = hn::Add(sum, tile[c][v]);
    }
    T* total = totals + c * tile_total_lanes<T>;
    hn::Store(hn::Add(hn::Load(tag_of<T>, total), sum), tag_of<T>, total);
  }
  if (p.key_sums)
    for (std::size_t v = 0; v < vectors<T>; ++v) {
      double* sums = p.key_totals + i + v * lanes_of<T>;
      if constexpr (std::is_same_v<T, double>)
        hn::Store(key_totals[v], tag, sums);
      else
        add_widened(key_totals[v], sums);
    }
}

// sums[column] += sum_{k < depth} values[k] b(k, column) for `columns` columns of one panel of V vectors; or =
// instead.
template <class T, std::size_t V>
HWY_NOINLINE void add_product(const T* values, const T* b, std::size_t k_stride, std::size_t column_stride,
                              std::size_t depth, bool is_first, T* sums) {
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
      hn::Store(is_first ? tile[j][v] : hn::Add(hn::Load(tag_of<T>, sum), tile[j][v]), tag_of<T>, sum);
    }
}

template <class T>
HWY_INLINE void add_product_of(std::size_t n_vectors, const T* values, const T* b, std::size_t k_stride,
                               std::size_t column_stride, std::size_t depth, bool is_first, T* sums) {
  if (n_vectors == 1)
    return add_product<T, 1>(values, b, k_stride, column_stride, depth, is_first, sums);
  if (n_vectors == 2)
    return add_product<T, 2>(values, b, k_stride, column_stride, depth, is_first, sums);
  if constexpr (vectors<T> == 4) {
    if (n_vectors == 3)
      return add_product<T, 3>(values, b, k_stride, column_stride, depth, is_first, sums);
    add_product<T, 4>(values, b, k_stride, column_stride, depth, is_first, sums);
  }
}

// What queries gather from keys, in one panel of components.
template <class T>
HWY_INLINE void add_query_sums(const TilePair<T>& p, std::size_t panel, std::size_t n_vectors,
                               const std::size_t* seen) {
  const T* values = p.key_values + panel * panel_size<T>;
  T* sums = p.query_sums + panel * panel_size<T>;
  for (std::size_t j = 0; j < p.n_queries; j += columns<T>)
    if (seen[j + columns<T> - 1] > 0)
      add_product_of<T>(n_vectors, values, p.exponentials + j * tile_tokens<T>, 1, tile_tokens<T>,
                        seen[j + columns<T> - 1], p.is_first, sums + j * panel_rows<T>);
}

// What keys gather from queries.
template <class T>
HWY_INLINE void add_key_sums(const TilePair<T>& p, std::size_t panel, std::size_t n_vectors) {
  const T* values = p.query_values + panel * panel_size<T>;
  T* sums = p.key_sums + panel * panel_size<T>;
  for (std::size_t i = 0; i < p.n_keys; i += columns<T>) {
    const std::size_t first = p.is_diagonal ? i : 0; // a key gathers from later queries
    add_product_of<T>(n_vectors, values + first * panel_rows<T>, p.exponentials + first * tile_tokens<T> + i,
                      tile_tokens<T>, 1, p.n_queries - first, p.is_first && !p.is_diagonal, sums + i * panel_rows<T>);
  }
}

// What a token has for itself has been given to it as a query.
template <class T>
HWY_INLINE void forget_diagonal(const TilePair<T>& p) {
  for (std::size_t j = 0; j < p.n_queries; ++j) {
    T& exponential = p.exponentials[j * tile_tokens<T> + j];
    p.key_totals[j] -= double{exponential};
    exponential = T{0};
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
      if (j + columns<T> <= p.n_queries && seen[j] >= i + panel_rows<T>)
        exponentiate_panel<T, true>(p, i, j, seen + j);
      else
        exponentiate_panel<T, false>(p, i, j, seen + j);
  const auto n_vectors = [&](std::size_t panel) {
    return (std::min(p.value_width, p.n_values - panel * p.value_width) + lanes_of<T> - 1) / lanes_of<T>;
  };
  const std::size_t n_panels = (p.n_values + p.value_width - 1) / p.value_width;
  for (std::size_t panel = 0; panel < n_panels; ++panel)
    add_query_sums(p, panel, n_vectors(panel), seen);
  if (p.is_diagonal)
    forget_diagonal(p);
  if (p.key_sums)
    for (std::size_t panel = 0; panel < n_panels; ++panel)
      add_key_sums(p, panel, n_vectors(panel));
}

// Rows of a square of numbers become its columns.
HWY_INLINE void transpose([[maybe_unused]] Vector (&square)[lanes]) {
#if HWY_TARGET != HWY_SCALAR
  Vector half[lanes];
  for (std::size_t i = 0; i < lanes; i += 2) {
    half[i] = hn::InterleaveLower(tag, square[i], square[i + 1]);
    half[i + 1] = hn::InterleaveUpper(tag, square[i], square[i + 1]);
  }
  if constexpr (lanes == 2)
    std::copy(half, half + lanes, square);
#if HWY_MAX_BYTES >= 32
  if constexpr (lanes == 4)
    for (std::size_t i = 0; i < 2; ++i) {
      square[i] = hn::ConcatLowerLower(tag, half[i + 2], half[i]);
      square[i + 2] = hn::ConcatUpperUpper(tag, half[i + 2], half[i]);
    }
  if constexpr (lanes == 8) {
    Vector quarter[lanes];
    for (std::size_t i = 0; i < lanes; i += 4)
      for (std::size_t k = i; k < i + 2; ++k) {
        quarter[k] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(half[k + 2]), half[k]);
        quarter[k + 2] = hn::OddEvenBlocks(half[k + 2], hn::SwapAdjacentBlocks(half[k]));
      }
    for (std::size_t i = 0; i < 4; ++i) {
      square[i] = hn::ConcatLowerLower(tag, quarter[i + 4], quarter[i]);
      square[i + 4] = hn::ConcatUpperUpper(tag, quarter[i + 4], quarter[i]);
    }
  }
#endif
#endif
}

// `lanes` tokens from token `first` on, of which the first `count` exist: into vectors `panel_rows` apart.
template <class T>
HWY_INLINE void pack_lanes(const Rows& tokens, std::size_t first, std::size_t count, double scale, T* out) {
  std::size_t c = 0;
  if (count >= lanes)
    for (; c + lanes <= tokens.size; c += lanes) {
      Vector square[lanes];
      for (std::size_t i = 0; i < lanes; ++i)
        square[i] = hn::Mul(hn::LoadU(tag, tokens.row(first + i) + c), hn::Set(tag, scale));
      transpose(square);
      for (std::size_t i = 0; i < lanes; ++i)
        store_narrowed(square[i], out + (c + i) * panel_rows<T>);
    }
  for (; c < tokens.size; ++c)
    for (std::size_t i = 0; i < lanes; ++i)
      out[c * panel_rows<T> + i] = i < count ? narrowed<T>(tokens.row(first + i)[c] * scale) : T{0};
}

template <class T>
void pack_across(const Rows& tokens, std::size_t tile, double beta, T* across) {
  for (std::size_t i = 0; i < tile_tokens<T>; i += lanes) {
    const std::size_t first = tile * tile_tokens<T> + i, count = first < tokens.count ? tokens.count - first : 0;
    pack_lanes<T>(tokens, first, count, beta * steps_per_unit_of<T>,
                  across + i / panel_rows<T> * panel_rows<T> * tokens.size + i % panel_rows<T>);
  }
}

template <class T>
void pack_along(const Rows& tokens, std::size_t tile, std::size_t width, T* along) {
  const std::size_t begin = tile * tile_tokens<T>, n_tokens = std::min(tile_tokens<T>, tokens.count - begin);
  for (std::size_t c = 0; c < tokens.size; c += width, along += panel_size<T>) {
    const std::size_t size = std::min(width, tokens.size - c);
    for (std::size_t j = 0; j < n_tokens; ++j) {
      T* out = along + j * panel_rows<T>;
      narrow(tokens.row(begin + j) + c, size, 1.0, out);
      std::fill(out + size, out + panel_rows<T>, T{0});
    }
    std::fill(along + n_tokens * panel_rows<T>, along + panel_size<T>, T{0});
  }
}

template <class T>
void unpack(const T* along, std::size_t tile, std::size_t width, std::size_t size, std::size_t count, double* rows,
            std::size_t stride) {
  const std::size_t begin = tile * tile_tokens<T>, n_tokens = std::min(tile_tokens<T>, count - begin);
  for (std::size_t c = 0; c < size; c += width, along += panel_size<T>)
    for (std::size_t j = 0; j < n_tokens; ++j)
      widen(along + j * panel_rows<T>, std::min(width, size - c), rows + (begin + j) * stride + c);
}

template <class T>
constexpr TileLoops<T> tile_loops_of{panel_rows<T>, lanes_of<T>, pack_across<T>,
                                     pack_along<T>, unpack<T>,   add_tiles<T>};

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
