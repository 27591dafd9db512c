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
template <std::size_t D, std::size_t N>
struct RowSums {
  RowSums() {} // written out: an implicit constructor would lack the instruction set of this region (g++ on Arm)
  Vector query[N][D], shift[N], seen[N]; // query and shift in units of the exponential
  Vector sum[N][D], total[N];
};

template <std::size_t D, std::size_t N>
HWY_INLINE void load_queries(const SmallDRows& p, std::size_t begin, RowSums<D, N>& s) {
  for (std::size_t b = 0; b < N; ++b) {
    const std::size_t j = begin + b * lanes;
    s.shift[b] = hn::Mul(hn::Load(tag, p.shift + j), hn::Set(tag, -steps_per_unit));
    s.seen[b] = hn::Load(tag, p.seen + j);
    for (std::size_t c = 0; c < D; ++c)
      s.query[b][c] = hn::Mul(hn::Load(tag, p.query + c * p.stride + j), hn::Set(tag, p.beta * steps_per_unit));
  }
}

template <bool Masked, std::size_t D, std::size_t N>
HWY_INLINE void add_keys(const SmallDRows& p, std::size_t begin, std::size_t end, RowSums<D, N>& s) {
  for (std::size_t k = begin; k < end; ++k) {
    const double* HWY_RESTRICT key = p.keys + k * 2 * D;
    Vector u[N];
    for (std::size_t b = 0; b < N; ++b)
      u[b] = hn::MulAdd(hn::Set(tag, key[0]), s.query[b][0], s.shift[b]);
    for (std::size_t c = 1; c < D; ++c)
      for (std::size_t b = 0; b < N; ++b)
        u[b] = hn::MulAdd(hn::Set(tag, key[c]), s.query[b][c], u[b]);
    exponentiate(u);
    if (Masked)
      for (std::size_t b = 0; b < N; ++b)
        u[b] = hn::IfThenElseZero(hn::Gt(s.seen[b], hn::Set(tag, static_cast<double>(k))), u[b]);
    for (std::size_t b = 0; b < N; ++b)
      s.total[b] = hn::Add(s.total[b], u[b]);
    for (std::size_t c = 0; c < D; ++c)
      for (std::size_t b = 0; b < N; ++b)
        s.sum[b][c] = hn::MulAdd(u[b], hn::Set(tag, key[D + c]), s.sum[b][c]);
  }
}

template <std::size_t D, std::size_t N>
HWY_INLINE void store_sums(const SmallDRows& p, std::size_t begin, bool first, const RowSums<D, N>& s) {
  for (std::size_t b = 0; b < N; ++b)
    for (std::size_t c = 0; c <= D; ++c) {
      double* out = p.sums + c * p.stride + begin + b * lanes;
      const Vector value = c < D ? s.sum[b][c] : s.total[b];
      hn::Store(first ? value : hn::Add(hn::Load(tag, out), value), tag, out);
    }
}

template <std::size_t D>
void rows(const SmallDRows& problem, std::size_t block) {
  const SmallDRows p = problem;             // a copy, which no store aliases
  constexpr std::size_t n = D <= 4 ? 4 : 2; // vectors of queries at once: what registers hold
  for (std::size_t j = block * small_d_block; j < (block + 1) * small_d_block; j += n * lanes) {
    RowSums<D, n> s;
    load_queries(p, j, s);
    const auto seen_by_all = static_cast<std::size_t>(p.seen[j]);
    const auto seen_by_any = static_cast<std::size_t>(p.seen[j + n * lanes - 1]);
    for (std::size_t k = 0; k < seen_by_any; k += small_d_key_chunk) {
      for (std::size_t b = 0; b < n; ++b) {
        s.total[b] = hn::Zero(tag);
        for (std::size_t c = 0; c < D; ++c)
          s.sum[b][c] = hn::Zero(tag);
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
template <bool Masked, std::size_t D, std::size_t N>
HWY_INLINE void add_pairs(const SmallDSymmetric& p, std::size_t i, std::size_t j, Vector shift, Vector (&sum)[N][D],
                          Vector (&total)[N], double* HWY_RESTRICT sums) {
  Vector u[N];
  for (std::size_t r = 0; r < N; ++r)
    u[r] = hn::MulAdd(hn::Set(tag, p.tokens[i + r]), hn::Load(tag, p.scaled + j), shift);
  for (std::size_t c = 1; c < D; ++c) {
    const Vector scaled = hn::Load(tag, p.scaled + c * p.stride + j);
    for (std::size_t r = 0; r < N; ++r)
      u[r] = hn::MulAdd(hn::Set(tag, p.tokens[c * p.stride + i + r]), scaled, u[r]);
  }
  exponentiate(u);
  if (Masked)
    for (std::size_t r = 0; r < N; ++r)
      u[r] = hn::IfThenElseZero(hn::FirstN(tag, p.n_tokens - j), u[r]);
  double* HWY_RESTRICT totals = sums + D * p.stride + j;
  Vector column = hn::Load(tag, totals);
  for (std::size_t r = 0; r < N; ++r) {
    column = hn::Add(column, u[r]);
    total[r] = hn::Add(total[r], u[r]);
  }
  hn::Store(column, tag, totals);
  for (std::size_t c = 0; c < D; ++c) {
    double* HWY_RESTRICT target = sums + c * p.stride + j;
    const Vector token = hn::Load(tag, p.tokens + c * p.stride + j);
    column = hn::Load(tag, target);
    for (std::size_t r = 0; r < N; ++r) {
      column = hn::MulAdd(u[r], hn::Set(tag, p.tokens[c * p.stride + i + r]), column);
      sum[r][c] = hn::MulAdd(u[r], token, sum[r][c]);
    }
    hn::Store(column, tag, target);
  }
}

// The pairs among the eight tokens from i on, both orders, added to the side of the vector only.
template <std::size_t D>
HWY_INLINE void add_diagonal(const SmallDSymmetric& p, std::size_t i, Vector shift, double* HWY_RESTRICT sums) {
  const std::size_t end = std::min(i + 8, p.n_tokens);
  for (std::size_t j = i; j < i + 8; j += lanes)
    for (std::size_t row = i; row < end; ++row) {
      Vector u[1] = {shift};
      for (std::size_t c = 0; c < D; ++c)
        u[0] = hn::MulAdd(hn::Set(tag, p.tokens[c * p.stride + row]), hn::Load(tag, p.scaled + c * p.stride + j), u[0]);
      exponentiate(u);
      for (std::size_t c = 0; c <= D; ++c) {
        double* target = sums + c * p.stride + j;
        const Vector before = hn::Load(tag, target);
        hn::Store(c == D ? hn::Add(before, u[0]) : hn::MulAdd(u[0], hn::Set(tag, p.tokens[c * p.stride + row]), before),
                  tag, target);
      }
    }
}

// Rows i ... i + N - 1 against the tokens [begin, end): what they gather is added at the end.
template <std::size_t D, std::size_t N>
HWY_INLINE void add_row_group(const SmallDSymmetric& p, std::size_t i, std::size_t begin, std::size_t end, Vector shift,
                              double* HWY_RESTRICT sums) {
  Vector sum[N][D], total[N];
  for (std::size_t r = 0; r < N; ++r) {
    total[r] = hn::Zero(tag);
    for (std::size_t c = 0; c < D; ++c)
      sum[r][c] = hn::Zero(tag);
  }
  std::size_t j = begin;
  for (; j + lanes <= end; j += lanes)
    add_pairs<false>(p, i, j, shift, sum, total, sums);
  for (; j < end; j += lanes)
    add_pairs<true>(p, i, j, shift, sum, total, sums);
  for (std::size_t r = 0; r < N; ++r) {
    sums[D * p.stride + i + r] += hn::GetLane(hn::SumOfLanes(tag, total[r]));
    for (std::size_t c = 0; c < D; ++c)
      sums[c * p.stride + i + r] += hn::GetLane(hn::SumOfLanes(tag, sum[r][c]));
  }
}

template <std::size_t D>
void symmetric(const SmallDSymmetric& problem, std::size_t begin, std::size_t end, double* HWY_RESTRICT sums) {
  // A copy is aliased by no store, so its members stay in registers; with more components there are none left for them.
  const std::conditional_t<D <= 4, SmallDSymmetric, const SmallDSymmetric&> p = problem;
  constexpr std::size_t n = D <= 8 ? 4 : 2;
  constexpr std::size_t tile = 2048; // tokens whose sums stay in the cache
  const Vector shift = hn::Set(tag, -p.shift * steps_per_unit);
  for (std::size_t first = begin / tile * tile; first < p.n_tokens; first += tile) {
    const std::size_t last = std::min(first + tile, p.n_tokens);
    for (std::size_t i = begin; i < std::min(end, last); i += 8) {
      if (i >= first)
        add_diagonal<D>(p, i, shift, sums);
      if (i + 8 < last)
        for (std::size_t group = i; group < i + 8; group += n)
          add_row_group<D, n>(p, group, std::max(first, i + 8), last, shift, sums);
    }
  }
}

void small_d_rows_any(const SmallDRows& p, std::size_t block) {
  switch (p.width) {
  case 2:
    return rows<2>(p, block);
  case 3:
    return rows<3>(p, block);
  case 4:
    return rows<4>(p, block);
  case 6:
    return rows<6>(p, block);
  case 8:
    return rows<8>(p, block);
  default:
    return rows<12>(p, block);
  }
}

void small_d_symmetric_any(const SmallDSymmetric& p, std::size_t begin, std::size_t end, double* sums) {
  switch (p.width) {
  case 2:
    return symmetric<2>(p, begin, end, sums);
  case 3:
    return symmetric<3>(p, begin, end, sums);
  case 4:
    return symmetric<4>(p, begin, end, sums);
  case 6:
    return symmetric<6>(p, begin, end, sums);
  case 8:
    return symmetric<8>(p, begin, end, sums);
  default:
    return symmetric<12>(p, begin, end, sums);
  }
}

double small_d_scale_any(double beta) {
  return beta * steps_per_unit;
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(small_d_rows_any);
HWY_EXPORT(small_d_symmetric_any);
HWY_EXPORT(small_d_scale_any);

void small_d_rows(const SmallDRows& problem, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(small_d_rows_any)(problem, block);
}

void small_d_symmetric(const SmallDSymmetric& problem, std::size_t begin, std::size_t end, double* sums) {
  HWY_DYNAMIC_DISPATCH(small_d_symmetric_any)(problem, begin, end, sums);
}

double small_d_scale(double beta) {
  return HWY_DYNAMIC_DISPATCH(small_d_scale_any)(beta);
}

} // namespace normdyn::attention
#endif
