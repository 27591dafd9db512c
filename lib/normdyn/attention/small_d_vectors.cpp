#include "normdyn/attention/small_d_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/small_d_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// Sums of N vectors of queries over a run of keys, in registers.
template <class T, std::size_t D, std::size_t N>
struct RowSums {
  RowSums() {} // written out: an implicit constructor would lack the instruction set of this region (g++ on Arm)
  VectorOf<T> query[N][D], shift[N], seen[N]; // query and shift in units of the exponential
  VectorOf<T> sum[N][D], total[N];
};

template <class T, std::size_t D, std::size_t N>
HWY_INLINE void load_queries(const SmallDRows<T>& p, std::size_t begin, RowSums<T, D, N>& s) {
  for (std::size_t b = 0; b < N; ++b) {
    const std::size_t j = begin + b * lanes_of<T>;
    s.shift[b] = hn::Mul(hn::Load(tag_of<T>, p.shift + j), hn::Set(tag_of<T>, static_cast<T>(-steps_per_unit_of<T>)));
    s.seen[b] = hn::Load(tag_of<T>, p.seen + j);
    for (std::size_t c = 0; c < D; ++c)
      s.query[b][c] = hn::Mul(hn::Load(tag_of<T>, p.query + c * p.stride + j),
                              hn::Set(tag_of<T>, static_cast<T>(p.beta * steps_per_unit_of<T>)));
  }
}

template <bool Masked, class T, std::size_t D, std::size_t N>
HWY_INLINE void add_keys(const SmallDRows<T>& p, std::size_t begin, std::size_t end, RowSums<T, D, N>& s) {
  for (std::size_t k = begin; k < end; ++k) {
    const T* HWY_RESTRICT key = p.keys + k * 2 * D;
    VectorOf<T> u[N];
    for (std::size_t b = 0; b < N; ++b)
      u[b] = hn::MulAdd(hn::Set(tag_of<T>, key[0]), s.query[b][0], s.shift[b]);
    for (std::size_t c = 1; c < D; ++c)
      for (std::size_t b = 0; b < N; ++b)
        u[b] = hn::MulAdd(hn::Set(tag_of<T>, key[c]), s.query[b][c], u[b]);
    exponentiate<T>(u);
    if (Masked)
      for (std::size_t b = 0; b < N; ++b)
        u[b] = hn::IfThenElseZero(hn::Gt(s.seen[b], hn::Set(tag_of<T>, static_cast<T>(k))), u[b]);
    for (std::size_t b = 0; b < N; ++b)
      s.total[b] = hn::Add(s.total[b], u[b]);
    for (std::size_t c = 0; c < D; ++c)
      for (std::size_t b = 0; b < N; ++b)
        s.sum[b][c] = hn::MulAdd(u[b], hn::Set(tag_of<T>, key[D + c]), s.sum[b][c]);
  }
}

template <class T, std::size_t D, std::size_t N>
HWY_INLINE void store_sums(const SmallDRows<T>& p, std::size_t begin, bool first, const RowSums<T, D, N>& s) {
  for (std::size_t b = 0; b < N; ++b)
    for (std::size_t c = 0; c <= D; ++c) {
      T* out = p.sums + c * p.stride + begin + b * lanes_of<T>;
      const VectorOf<T> value = c < D ? s.sum[b][c] : s.total[b];
      hn::Store(first ? value : hn::Add(hn::Load(tag_of<T>, out), value), tag_of<T>, out);
    }
}

template <class T, std::size_t D>
void rows(const SmallDRows<T>& problem, std::size_t block) {
  const SmallDRows<T> p = problem;          // a copy, which no store aliases
  constexpr std::size_t n = D <= 4 ? 4 : 2; // vectors of queries at once: what registers hold
  for (std::size_t j = block * small_d_block<T>; j < (block + 1) * small_d_block<T>; j += n * lanes_of<T>) {
    RowSums<T, D, n> s;
    load_queries(p, j, s);
    const auto seen_by_all = static_cast<std::size_t>(p.seen[j]);
    const auto seen_by_any = static_cast<std::size_t>(p.seen[j + n * lanes_of<T> - 1]);
    for (std::size_t k = 0; k < seen_by_any; k += small_d_key_chunk) {
      for (std::size_t b = 0; b < n; ++b) {
        s.total[b] = hn::Zero(tag_of<T>);
        for (std::size_t c = 0; c < D; ++c)
          s.sum[b][c] = hn::Zero(tag_of<T>);
      }
      const std::size_t end = std::min(seen_by_any, k + small_d_key_chunk);
      const std::size_t middle = std::clamp(seen_by_all, k, end);
      add_keys<false>(p, k, middle, s);
      add_keys<true>(p, middle, end, s);
      store_sums(p, j, k == 0, s);
    }
  }
}

// Rows i ... i + N - 1 against one vector of tokens j, all of them later.
template <bool Masked, class T, std::size_t D, std::size_t N>
HWY_INLINE void add_pairs(const SmallDSymmetric<T>& p, std::size_t i, std::size_t j, VectorOf<T> shift,
                          VectorOf<T> (&sum)[N][D], VectorOf<T> (&total)[N], T* HWY_RESTRICT sums) {
  VectorOf<T> u[N];
  for (std::size_t r = 0; r < N; ++r)
    u[r] = hn::MulAdd(hn::Set(tag_of<T>, p.tokens[i + r]), hn::Load(tag_of<T>, p.scaled + j), shift);
  for (std::size_t c = 1; c < D; ++c) {
    const VectorOf<T> scaled = hn::Load(tag_of<T>, p.scaled + c * p.stride + j);
    for (std::size_t r = 0; r < N; ++r)
      u[r] = hn::MulAdd(hn::Set(tag_of<T>, p.tokens[c * p.stride + i + r]), scaled, u[r]);
  }
  exponentiate<T>(u);
  if (Masked)
    for (std::size_t r = 0; r < N; ++r)
      u[r] = hn::IfThenElseZero(hn::FirstN(tag_of<T>, p.n_tokens - j), u[r]);
  T* HWY_RESTRICT totals = sums + D * p.stride + j;
  VectorOf<T> column = hn::Load(tag_of<T>, totals);
  for (std::size_t r = 0; r < N; ++r) {
    column = hn::Add(column, u[r]);
    total[r] = hn::Add(total[r], u[r]);
  }
  hn::Store(column, tag_of<T>, totals);
  for (std::size_t c = 0; c < D; ++c) {
    T* HWY_RESTRICT target = sums + c * p.stride + j;
    const VectorOf<T> token = hn::Load(tag_of<T>, p.tokens + c * p.stride + j);
    column = hn::Load(tag_of<T>, target);
    for (std::size_t r = 0; r < N; ++r) {
      column = hn::MulAdd(u[r], hn::Set(tag_of<T>, p.tokens[c * p.stride + i + r]), column);
      sum[r][c] = hn::MulAdd(u[r], token, sum[r][c]);
    }
    hn::Store(column, tag_of<T>, target);
  }
}

// The pairs among the small_d_group tokens from i on, both orders, added to the side of the vector only.
template <class T, std::size_t D>
HWY_INLINE void add_diagonal(const SmallDSymmetric<T>& p, std::size_t i, VectorOf<T> shift, T* HWY_RESTRICT sums) {
  const std::size_t end = std::min(i + small_d_group<T>, p.n_tokens);
  for (std::size_t j = i; j < i + small_d_group<T>; j += lanes_of<T>)
    for (std::size_t row = i; row < end; ++row) {
      VectorOf<T> u[1] = {shift};
      for (std::size_t c = 0; c < D; ++c)
        u[0] = hn::MulAdd(hn::Set(tag_of<T>, p.tokens[c * p.stride + row]),
                          hn::Load(tag_of<T>, p.scaled + c * p.stride + j), u[0]);
      exponentiate<T>(u);
      for (std::size_t c = 0; c <= D; ++c) {
        T* target = sums + c * p.stride + j;
        const VectorOf<T> before = hn::Load(tag_of<T>, target);
        hn::Store(c == D ? hn::Add(before, u[0])
                         : hn::MulAdd(u[0], hn::Set(tag_of<T>, p.tokens[c * p.stride + row]), before),
                  tag_of<T>, target);
      }
    }
}

// Rows i ... i + N - 1 against the tokens [begin, end): what they gather is added at the end.
template <class T, std::size_t D, std::size_t N>
HWY_INLINE void add_row_group(const SmallDSymmetric<T>& p, std::size_t i, std::size_t begin, std::size_t end,
                              VectorOf<T> shift, T* HWY_RESTRICT sums) {
  VectorOf<T> sum[N][D], total[N];
  for (std::size_t r = 0; r < N; ++r) {
    total[r] = hn::Zero(tag_of<T>);
    for (std::size_t c = 0; c < D; ++c)
      sum[r][c] = hn::Zero(tag_of<T>);
  }
  std::size_t j = begin;
  for (; j + lanes_of<T> <= end; j += lanes_of<T>)
    add_pairs<false>(p, i, j, shift, sum, total, sums);
  for (; j < end; j += lanes_of<T>)
    add_pairs<true>(p, i, j, shift, sum, total, sums);
  for (std::size_t r = 0; r < N; ++r) {
    sums[D * p.stride + i + r] += hn::GetLane(hn::SumOfLanes(tag_of<T>, total[r]));
    for (std::size_t c = 0; c < D; ++c)
      sums[c * p.stride + i + r] += hn::GetLane(hn::SumOfLanes(tag_of<T>, sum[r][c]));
  }
}

template <class T, std::size_t D>
void symmetric(const SmallDSymmetric<T>& problem, std::size_t begin, std::size_t end, T* HWY_RESTRICT sums) {
  // A copy is aliased by no store, so its members stay in registers; with more components there are none left for them.
  const std::conditional_t<D <= 4, SmallDSymmetric<T>, const SmallDSymmetric<T>&> p = problem;
  constexpr std::size_t n = D <= 8 ? 4 : 2;
  constexpr std::size_t tile = 2048; // tokens whose sums stay in the cache
  const VectorOf<T> shift = hn::Set(tag_of<T>, static_cast<T>(-p.shift * steps_per_unit_of<T>));
  for (std::size_t first = begin / tile * tile; first < p.n_tokens; first += tile) {
    const std::size_t last = std::min(first + tile, p.n_tokens);
    for (std::size_t i = begin; i < std::min(end, last); i += small_d_group<T>) {
      if (i >= first)
        add_diagonal<T, D>(p, i, shift, sums);
      if (i + small_d_group<T> < last)
        for (std::size_t group = i; group < i + small_d_group<T>; group += n)
          add_row_group<T, D, n>(p, group, std::max(first, i + small_d_group<T>), last, shift, sums);
    }
  }
}

template <class T>
void rows_of_any_width(const SmallDRows<T>& p, std::size_t block) {
  switch (p.width) {
  case 2:
    return rows<T, 2>(p, block);
  case 3:
    return rows<T, 3>(p, block);
  case 4:
    return rows<T, 4>(p, block);
  case 6:
    return rows<T, 6>(p, block);
  case 8:
    return rows<T, 8>(p, block);
  default:
    return rows<T, 12>(p, block);
  }
}

template <class T>
void symmetric_of_any_width(const SmallDSymmetric<T>& p, std::size_t begin, std::size_t end, T* sums) {
  switch (p.width) {
  case 2:
    return symmetric<T, 2>(p, begin, end, sums);
  case 3:
    return symmetric<T, 3>(p, begin, end, sums);
  case 4:
    return symmetric<T, 4>(p, begin, end, sums);
  case 6:
    return symmetric<T, 6>(p, begin, end, sums);
  case 8:
    return symmetric<T, 8>(p, begin, end, sums);
  default:
    return symmetric<T, 12>(p, begin, end, sums);
  }
}

template <class T>
constexpr SmallDLoops<T> small_d_loops_of{rows_of_any_width<T>, symmetric_of_any_width<T>, steps_per_unit_of<T>};

const SmallDLoops<double>& small_d_double_loops() {
  return small_d_loops_of<double>;
}

const SmallDLoops<float>& small_d_float_loops() {
  return small_d_loops_of<float>;
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(small_d_double_loops);
HWY_EXPORT(small_d_float_loops);

template <>
const SmallDLoops<double>& small_d_loops() {
  return HWY_DYNAMIC_DISPATCH(small_d_double_loops)();
}

template <>
const SmallDLoops<float>& small_d_loops() {
  return HWY_DYNAMIC_DISPATCH(small_d_float_loops)();
}

} // namespace normdyn::attention
#endif
