#include "normdyn/attention/simd_targets.hpp"
#include "normdyn/attention/small_d_vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/small_d_rows_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/small_d_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// Sums of N vectors of queries over a run of keys, in registers; the last component is the total.
template <class T, std::size_t D, std::size_t N>
struct RowSums {
  RowSums() {} // written out: an implicit constructor would lack the instruction set of this region (g++ on Arm)
  VectorOf<T> query[N][D], shift[N], seen[N]; // query and shift in units of the exponential
  VectorOf<T> sum[N][D + 1];
};

template <class T, std::size_t D, std::size_t N>
HWY_INLINE void load_queries(const SmallDRows<T>& p, std::size_t begin, RowSums<T, D, N>& s) {
  for (std::size_t b = 0; b < N; ++b) {
    const std::size_t j = begin + b * lanes_of<T>;
    s.shift[b] = hn::Mul(hn::Load(tag_of<T>, p.shift + j), hn::Set(tag_of<T>, static_cast<T>(-steps_per_unit_of<T>)));
    s.seen[b] = hn::Load(tag_of<T>, p.seen + j);
    for (std::size_t c = 0; c < D; ++c)
      s.query[b][c] = hn::Load(tag_of<T>, component<2 * D>(p.query, j, D + c));
  }
}

// The exponentials of key k; `Masked`: zero where it is not seen.
template <bool Bounded, bool Masked, class T, std::size_t D, std::size_t N>
HWY_INLINE void exponentials(const SmallDRows<T>& p, std::size_t k, const RowSums<T, D, N>& s, VectorOf<T> (&e)[N]) {
  const T* HWY_RESTRICT key = p.keys + k * 2 * D;
  for (std::size_t c = 0; c < D; ++c)
    for (std::size_t b = 0; b < N; ++b)
      e[b] = hn::MulAdd(hn::Set(tag_of<T>, key[c]), s.query[b][c], c == 0 ? s.shift[b] : e[b]);
  exponentiate<T, Bounded>(e);
  if (Masked)
    for (std::size_t b = 0; b < N; ++b)
      e[b] = hn::IfThenElseZero(hn::Gt(s.seen[b], hn::Set(tag_of<T>, static_cast<T>(k))), e[b]);
}

template <class T, std::size_t D, std::size_t N>
HWY_INLINE void add_key(const SmallDRows<T>& p, std::size_t k, const VectorOf<T> (&e)[N], RowSums<T, D, N>& s) {
  const T* HWY_RESTRICT value = p.keys + k * 2 * D + D;
  for (std::size_t b = 0; b < N; ++b)
    s.sum[b][D] = hn::Add(s.sum[b][D], e[b]);
  for (std::size_t c = 0; c < D; ++c)
    for (std::size_t b = 0; b < N; ++b)
      s.sum[b][c] = hn::MulAdd(e[b], hn::Set(tag_of<T>, value[c]), s.sum[b][c]);
}

// The keys [begin, end), from `middle` on not seen by all. The exponentials of a key are computed beside the sums of
// the key before: two chains that do not wait for each other.
template <bool Bounded, class T, std::size_t D, std::size_t N>
HWY_INLINE void add_keys(const SmallDRows<T>& p, std::size_t begin, std::size_t middle, std::size_t end,
                         RowSums<T, D, N>& s) {
  VectorOf<T> e[N], next[N];
  exponentials<Bounded, true>(p, begin, s, e);
  std::size_t k = begin;
  for (; k + 1 < middle; ++k) {
    exponentials<Bounded, false>(p, k + 1, s, next);
    add_key(p, k, e, s);
    for (std::size_t b = 0; b < N; ++b)
      e[b] = next[b];
  }
  for (; k + 1 < end; ++k) {
    exponentials<Bounded, true>(p, k + 1, s, next);
    add_key(p, k, e, s);
    for (std::size_t b = 0; b < N; ++b)
      e[b] = next[b];
  }
  add_key(p, k, e, s);
}

template <class T, std::size_t D, std::size_t N>
HWY_INLINE void store_sums(const SmallDRows<T>& p, std::size_t begin, bool first, const RowSums<T, D, N>& s) {
  for (std::size_t b = 0; b < N; ++b)
    for (std::size_t c = 0; c <= D; ++c) {
      T* out = component<D + 1>(p.sums, begin + b * lanes_of<T>, c);
      hn::Store(first ? s.sum[b][c] : hn::Add(hn::Load(tag_of<T>, out), s.sum[b][c]), tag_of<T>, out);
    }
}

template <class T, std::size_t D, bool Bounded>
void rows(const SmallDRows<T>& problem, std::size_t block) {
  const SmallDRows<T> p = problem;          // a copy, which no store aliases
  constexpr std::size_t n = D <= 4 ? 4 : 2; // vectors of queries at once
  for (std::size_t j = block * small_d_block<T>; j < (block + 1) * small_d_block<T>; j += n * lanes_of<T>) {
    RowSums<T, D, n> s;
    load_queries(p, j, s);
    const auto seen_by_all = static_cast<std::size_t>(p.seen[j]);
    const auto seen_by_any = static_cast<std::size_t>(p.seen[j + n * lanes_of<T> - 1]);
    for (std::size_t k = 0; k < seen_by_any; k += small_d_key_chunk) {
      for (std::size_t b = 0; b < n; ++b)
        for (std::size_t c = 0; c <= D; ++c)
          s.sum[b][c] = hn::Zero(tag_of<T>);
      const std::size_t end = std::min(seen_by_any, k + small_d_key_chunk);
      const std::size_t middle = std::clamp(seen_by_all, k, end);
      add_keys<Bounded>(p, k, middle, end, s);
      store_sums(p, j, k == 0, s);
    }
  }
}

template <class T>
void rows_of_any_width(const SmallDRows<T>& p, std::size_t block) {
  with_width(p.width,
             [&](auto width) { p.is_bounded ? rows<T, width, true>(p, block) : rows<T, width, false>(p, block); });
}

template void rows_of_any_width(const SmallDRows<double>& p, std::size_t block);
template void rows_of_any_width(const SmallDRows<float>& p, std::size_t block);

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
