#include "normdyn/attention/small_d_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/small_d_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/small_d_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// One vector of tokens, and where their sums are.
template <class T, std::size_t D>
struct Columns {
  std::size_t j;
  const T* tokens;
  T* sums;
  HWY_INLINE Columns(const SmallDSymmetric<T>& p, T* all_sums, std::size_t first)
      : j(first), tokens(component<2 * D>(p.tokens, first, 0)), sums(component<D + 1>(all_sums, first, 0)) {}
  HWY_INLINE void advance() {
    const bool is_next_group = (j + lanes_of<T>) % group<T> == 0 || lanes_of<T> == group<T>;
    j += lanes_of<T>;
    tokens += is_next_group ? (2 * D - 1) * group<T> + lanes_of<T> : lanes_of<T>;
    sums += is_next_group ? D * group<T> + lanes_of<T> : lanes_of<T>;
  }
};

// The exponentials of the pairs of N rows, of which `row` is the first, and one vector of tokens.
template <bool Bounded, class T, std::size_t D, std::size_t N>
HWY_INLINE void exponentials(const T* HWY_RESTRICT row, const T* HWY_RESTRICT tokens, VectorOf<T> shift,
                             VectorOf<T> (&e)[N]) {
  for (std::size_t c = 0; c < D; ++c) {
    const VectorOf<T> scaled = hn::Load(tag_of<T>, tokens + (D + c) * group<T>);
    for (std::size_t r = 0; r < N; ++r)
      e[r] = hn::MulAdd(hn::Set(tag_of<T>, row[c * group<T> + r]), scaled, c == 0 ? shift : e[r]);
  }
  exponentiate<T, Bounded>(e);
}

// Adds what these pairs give: to the tokens of the vector in memory, to the rows in `sum`.
template <class T, std::size_t D, std::size_t N>
HWY_INLINE void add_pairs(const T* HWY_RESTRICT row, const T* HWY_RESTRICT tokens, T* HWY_RESTRICT sums,
                          const VectorOf<T> (&e)[N], VectorOf<T> (&sum)[N][D + 1]) {
  VectorOf<T> column = hn::Load(tag_of<T>, sums + D * group<T>);
  for (std::size_t r = 0; r < N; ++r) {
    column = hn::Add(column, e[r]);
    sum[r][D] = hn::Add(sum[r][D], e[r]);
  }
  hn::Store(column, tag_of<T>, sums + D * group<T>);
  for (std::size_t c = 0; c < D; ++c) {
    const VectorOf<T> token = hn::Load(tag_of<T>, tokens + c * group<T>);
    column = hn::Load(tag_of<T>, sums + c * group<T>);
    for (std::size_t r = 0; r < N; ++r) {
      column = hn::MulAdd(e[r], hn::Set(tag_of<T>, row[c * group<T> + r]), column);
      sum[r][c] = hn::MulAdd(e[r], token, sum[r][c]);
    }
    hn::Store(column, tag_of<T>, sums + c * group<T>);
  }
}

// The pairs of N rows and one vector of their own group, added to the tokens of the vector only.
template <bool Bounded, class T, std::size_t D, std::size_t N>
HWY_INLINE void add_one_side(const T* HWY_RESTRICT row, const T* HWY_RESTRICT tokens, VectorOf<T> shift,
                             VectorOf<T> (&sum)[D + 1]) {
  VectorOf<T> e[N];
  exponentials<Bounded, T, D>(row, tokens, shift, e);
  for (std::size_t r = 0; r < N; ++r)
    sum[D] = hn::Add(sum[D], e[r]);
  for (std::size_t c = 0; c < D; ++c)
    for (std::size_t r = 0; r < N; ++r)
      sum[c] = hn::MulAdd(e[r], hn::Set(tag_of<T>, row[c * group<T> + r]), sum[c]);
}

// The pairs among the tokens of the group from i on, both orders.
template <bool Bounded, std::size_t D, class T>
HWY_INLINE void add_diagonal(const SmallDSymmetric<T>& p, std::size_t i, VectorOf<T> shift, T* HWY_RESTRICT sums) {
  constexpr std::size_t n = 4;
  const std::size_t end = std::min(i + group<T>, p.n_tokens);
  for (std::size_t j = i; j < i + group<T>; j += lanes_of<T>) {
    const T* HWY_RESTRICT tokens = component<2 * D>(p.tokens, j, 0);
    T* HWY_RESTRICT columns = component<D + 1>(sums, j, 0);
    VectorOf<T> sum[D + 1];
    for (std::size_t c = 0; c <= D; ++c)
      sum[c] = hn::Load(tag_of<T>, columns + c * group<T>);
    std::size_t row = i;
    for (; row + n <= end; row += n)
      add_one_side<Bounded, T, D, n>(component<2 * D>(p.tokens, row, 0), tokens, shift, sum);
    for (; row < end; ++row)
      add_one_side<Bounded, T, D, 1>(component<2 * D>(p.tokens, row, 0), tokens, shift, sum);
    for (std::size_t c = 0; c <= D; ++c)
      hn::Store(sum[c], tag_of<T>, columns + c * group<T>);
  }
}

// Lane r of the result is the sum of the lanes of v[r].
template <class T, std::size_t N>
HWY_INLINE VectorOf<T> sums_of_lanes(const VectorOf<T> (&v)[N]) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (N > 1) {
    VectorOf<T> half[N / 2];
    for (std::size_t k = 0; k < N / 2; ++k)
      half[k] =
          hn::Add(hn::ConcatEven(tag_of<T>, v[2 * k + 1], v[2 * k]), hn::ConcatOdd(tag_of<T>, v[2 * k + 1], v[2 * k]));
    return sums_of_lanes<T>(half);
  }
#endif
  return v[0];
}

// Sums of the rows of one group, vectors as they come from the loops; added up over lanes for all of them at once.
template <class T, std::size_t D>
struct GroupSums {
  HWY_ALIGN T vectors[D + 1][group<T>][lanes_of<T>];

  template <std::size_t N>
  HWY_INLINE void set(std::size_t row, const VectorOf<T> (&sum)[N][D + 1]) {
    for (std::size_t c = 0; c <= D; ++c)
      for (std::size_t r = 0; r < N; ++r)
        hn::Store(sum[r][c], tag_of<T>, vectors[c][row + r]);
  }
  HWY_INLINE void add_to(T* HWY_RESTRICT sums) const {
    for (std::size_t c = 0; c <= D; ++c)
      for (std::size_t row = 0; row < group<T>; row += lanes_of<T>) {
        VectorOf<T> v[lanes_of<T>];
        for (std::size_t r = 0; r < lanes_of<T>; ++r)
          v[r] = hn::Load(tag_of<T>, vectors[c][row + r]);
        T* target = sums + c * group<T> + row;
        hn::Store(hn::Add(hn::Load(tag_of<T>, target), sums_of_lanes<T>(v)), tag_of<T>, target);
      }
  }
};

// The pairs of the rows [begin, end) and the tokens [first, last) of later groups. The exponentials of a vector are
// computed beside the sums of the one before, across the ends of rows too: two chains that do not wait for each other.
template <bool Bounded, std::size_t D, class T>
HWY_INLINE void add_later(const SmallDSymmetric<T>& p, std::size_t begin, std::size_t end, std::size_t first,
                          std::size_t last, VectorOf<T> shift, T* HWY_RESTRICT sums) {
  constexpr std::size_t n = 4, step = lanes_of<T>; // rows at once, tokens at once
  const std::size_t last_whole = last / step * step;
  const auto first_of = [&](std::size_t i) { return std::max(first, (i / group<T> + 1) * group<T>); };
  GroupSums<T, D> group_sums;
  VectorOf<T> e[n], next[n];
  if (first_of(begin) < last_whole)
    exponentials<Bounded, T, D>(component<2 * D>(p.tokens, begin, 0), component<2 * D>(p.tokens, first_of(begin), 0),
                                shift, e);
  for (std::size_t i = begin; i < end && first_of(i) < last; i += n) {
    const T* HWY_RESTRICT row = component<2 * D>(p.tokens, i, 0);
    VectorOf<T> sum[n][D + 1];
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c <= D; ++c)
        sum[r][c] = hn::Zero(tag_of<T>);
    if (first_of(i) < last_whole) {
      Columns<T, D> now(p, sums, first_of(i)), then = now;
      for (then.advance(); then.j < last_whole; then.advance()) {
        exponentials<Bounded, T, D>(row, then.tokens, shift, next);
        add_pairs<T, D>(row, now.tokens, now.sums, e, sum);
        now = then;
        for (std::size_t r = 0; r < n; ++r)
          e[r] = next[r];
      }
      const std::size_t next_row = i + n < end && first_of(i + n) < last_whole ? i + n : i;
      exponentials<Bounded, T, D>(component<2 * D>(p.tokens, next_row, 0),
                                  component<2 * D>(p.tokens, first_of(next_row), 0), shift, next);
      add_pairs<T, D>(row, now.tokens, now.sums, e, sum);
      for (std::size_t r = 0; r < n; ++r)
        e[r] = next[r];
    }
    if (last_whole < last) {
      const Columns<T, D> rest(p, sums, last_whole);
      exponentials<Bounded, T, D>(row, rest.tokens, shift, next);
      for (std::size_t r = 0; r < n; ++r)
        next[r] = hn::IfThenElseZero(hn::FirstN(tag_of<T>, last - last_whole), next[r]);
      add_pairs<T, D>(row, rest.tokens, rest.sums, next, sum);
    }
    group_sums.set(i % group<T>, sum);
    if (i % group<T> == group<T> - n)
      group_sums.add_to(component<D + 1>(sums, i / group<T> * group<T>, 0));
  }
}

template <class T, std::size_t D, bool Bounded>
void symmetric(const SmallDSymmetric<T>& problem, std::size_t begin, std::size_t end, T* HWY_RESTRICT sums) {
  const SmallDSymmetric<T> p = problem; // a copy, which no store aliases
  constexpr std::size_t tile = 1024;    // tokens whose sums stay in the cache
  const VectorOf<T> shift = hn::Set(tag_of<T>, static_cast<T>(-p.shift * steps_per_unit_of<T>));
  for (std::size_t i = begin; i < end; i += group<T>)
    add_diagonal<Bounded, D>(p, i, shift, sums);
  for (std::size_t first = begin / tile * tile; first < p.n_tokens; first += tile) {
    const std::size_t last = std::min(first + tile, p.n_tokens);
    add_later<Bounded, D>(p, begin, std::min(end, last), first, last, shift, sums);
  }
}

template <class T>
void symmetric_of_any_width(const SmallDSymmetric<T>& p, std::size_t begin, std::size_t end, T* sums) {
  with_width(p.width, [&](auto width) {
    p.is_bounded ? symmetric<T, width, true>(p, begin, end, sums) : symmetric<T, width, false>(p, begin, end, sums);
  });
}

template <class T>
constexpr SmallDLoops<T> small_d_loops_of{rows_of_any_width<T>, symmetric_of_any_width<T>, ExponentialOf<T>::floor,
                                          steps_per_unit_of<T>};

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
