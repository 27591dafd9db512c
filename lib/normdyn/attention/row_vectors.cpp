#include "normdyn/attention/row_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/row_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/conversion_inl.hpp"
#include "normdyn/attention/small_d_vectors.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// Component c of as many rows as a vector has lanes.
template <std::size_t D>
HWY_INLINE void load_rows(const double* rows, Vector (&v)[D]) {
  if constexpr (D == 2)
    hn::LoadInterleaved2(tag, rows, v[0], v[1]);
  else if constexpr (D == 3)
    hn::LoadInterleaved3(tag, rows, v[0], v[1], v[2]);
  else
    hn::LoadInterleaved4(tag, rows, v[0], v[1], v[2], v[3]);
}

template <std::size_t D>
HWY_INLINE void store_rows(const Vector (&v)[D], double* rows) {
  if constexpr (D == 2)
    hn::StoreInterleaved2(v[0], v[1], tag, rows);
  else if constexpr (D == 3)
    hn::StoreInterleaved3(v[0], v[1], v[2], tag, rows);
  else
    hn::StoreInterleaved4(v[0], v[1], v[2], v[3], tag, rows);
}

template <std::size_t D, class T>
void dense_rows_to_groups(const double* rows, std::size_t count, double scale, T* groups) {
  constexpr std::size_t group = small_d_group<T>;
  for (std::size_t j = 0; j < count; j += lanes) {
    Vector v[D];
    load_rows(rows + j * D, v);
    T* to = groups + j / group * group * 2 * D + j % group;
    for (std::size_t c = 0; c < D; ++c) {
      store_narrowed(v[c], to + c * group);
      store_narrowed(hn::Mul(v[c], hn::Set(tag, scale)), to + (D + c) * group);
    }
  }
}

template <std::size_t D, class T>
void dense_groups_to_rows(const T* groups, std::size_t begin, std::size_t end, const HeadSums& out) {
  constexpr std::size_t group = small_d_group<T>;
  for (std::size_t j = begin; j < end; j += lanes) {
    const T* from = groups + j / group * group * (D + 1) + j % group;
    Vector v[D];
    for (std::size_t c = 0; c < D; ++c)
      v[c] = load_widened(from + c * group);
    store_rows(v, out.sums + j * D);
    hn::StoreU(load_widened(from + D * group), tag, out.totals + j);
  }
}

template <std::size_t D>
void divide_dense_rows(const HeadSums& sums, std::size_t count) {
  for (std::size_t j = 0; j < count; j += lanes) {
    Vector v[D];
    load_rows(sums.sums + j * D, v);
    const Vector total = hn::LoadU(tag, sums.totals + j);
    for (std::size_t c = 0; c < D; ++c)
      v[c] = hn::Div(v[c], total);
    store_rows(v, sums.sums + j * D);
  }
}

// The loops for rows of `size` numbers, as many rows as fill vectors.
template <class T>
void spread(const double* rows, std::size_t size, std::size_t count, double scale, T* groups) {
  size == 2   ? dense_rows_to_groups<2>(rows, count, scale, groups)
  : size == 3 ? dense_rows_to_groups<3>(rows, count, scale, groups)
              : dense_rows_to_groups<4>(rows, count, scale, groups);
}
void spread_doubles(const double* rows, std::size_t size, std::size_t count, double scale, double* groups) {
  spread(rows, size, count, scale, groups);
}
void spread_floats(const double* rows, std::size_t size, std::size_t count, double scale, float* groups) {
  spread(rows, size, count, scale, groups);
}

template <class T>
void gather(const T* groups, std::size_t size, std::size_t begin, std::size_t end, const HeadSums& out) {
  size == 2   ? dense_groups_to_rows<2>(groups, begin, end, out)
  : size == 3 ? dense_groups_to_rows<3>(groups, begin, end, out)
              : dense_groups_to_rows<4>(groups, begin, end, out);
}
void gather_doubles(const double* groups, std::size_t size, std::size_t begin, std::size_t end, const HeadSums& out) {
  gather(groups, size, begin, end, out);
}
void gather_floats(const float* groups, std::size_t size, std::size_t begin, std::size_t end, const HeadSums& out) {
  gather(groups, size, begin, end, out);
}

void divide(const HeadSums& sums, std::size_t count, std::size_t size) {
  size == 2   ? divide_dense_rows<2>(sums, count)
  : size == 3 ? divide_dense_rows<3>(sums, count)
              : divide_dense_rows<4>(sums, count);
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(spread_doubles);
HWY_EXPORT(spread_floats);
HWY_EXPORT(gather_doubles);
HWY_EXPORT(gather_floats);
HWY_EXPORT(divide);

namespace {

void spread_dense(const double* rows, std::size_t size, std::size_t count, double scale, double* groups) {
  HWY_DYNAMIC_DISPATCH(spread_doubles)(rows, size, count, scale, groups);
}
void spread_dense(const double* rows, std::size_t size, std::size_t count, double scale, float* groups) {
  HWY_DYNAMIC_DISPATCH(spread_floats)(rows, size, count, scale, groups);
}
void gather_dense(const double* groups, std::size_t size, std::size_t begin, std::size_t end, const HeadSums& out) {
  HWY_DYNAMIC_DISPATCH(gather_doubles)(groups, size, begin, end, out);
}
void gather_dense(const float* groups, std::size_t size, std::size_t begin, std::size_t end, const HeadSums& out) {
  HWY_DYNAMIC_DISPATCH(gather_floats)(groups, size, begin, end, out);
}

bool is_dense(std::size_t size, std::size_t stride) {
  return size == stride && 2 <= size && size <= 4;
}

// Rows from `begin` on; Size: of the rows, 0 for any.
template <std::size_t Size, class T>
void spread_rows(const Rows& rows, std::size_t begin, std::size_t width, double scale, T* groups) {
  constexpr std::size_t group = small_d_group<T>;
  const std::size_t size = Size > 0 ? Size : rows.size;
  for (std::size_t j = begin; j < rows.count; ++j) {
    T* to = groups + j / group * group * 2 * width + j % group;
    for (std::size_t c = 0; c < size; ++c) {
      const double value = rows.row(j)[c];
      to[c * group] = narrowed<T>(value);
      to[(width + c) * group] = narrowed<T>(value * scale);
    }
  }
}

} // namespace

template <class T>
void rows_to_groups(const Rows& rows, std::size_t width, std::size_t n_padded, double scale, T* groups) {
  std::size_t j = 0;
  if (is_dense(rows.size, rows.stride) && rows.size == width) {
    j = rows.count / small_d_group<T> * small_d_group<T>;
    spread_dense(rows.data, width, j, scale, groups);
  }
  std::fill(groups + j * 2 * width, groups + n_padded * 2 * width, T{0});
  rows.size == 2   ? spread_rows<2>(rows, j, width, scale, groups)
  : rows.size == 3 ? spread_rows<3>(rows, j, width, scale, groups)
                   : spread_rows<0>(rows, j, width, scale, groups);
}

template <class T>
void groups_to_rows(const T* groups, std::size_t width, std::size_t begin, std::size_t end, std::size_t size,
                    const HeadSums& out) {
  constexpr std::size_t group = small_d_group<T>;
  std::size_t j = begin;
  if (is_dense(size, out.sums_stride) && size == width) {
    j = end / group * group;
    gather_dense(groups, width, begin, j, out);
  }
  for (; j < end; ++j) {
    const T* from = groups + j / group * group * (width + 1) + j % group;
    out.totals[j] = double{from[width * group]};
    for (std::size_t c = 0; c < size; ++c)
      out.sums[j * out.sums_stride + c] = double{from[c * group]};
  }
}

template void rows_to_groups(const Rows&, std::size_t, std::size_t, double, double*);
template void rows_to_groups(const Rows&, std::size_t, std::size_t, double, float*);
template void groups_to_rows(const double*, std::size_t, std::size_t, std::size_t, std::size_t, const HeadSums&);
template void groups_to_rows(const float*, std::size_t, std::size_t, std::size_t, std::size_t, const HeadSums&);

void divide_by_totals(const HeadSums& sums, std::size_t count, std::size_t size) {
  std::size_t j = 0;
  if (is_dense(size, sums.sums_stride)) {
    j = count / small_d_group<double> * small_d_group<double>; // a multiple of any number of lanes
    HWY_DYNAMIC_DISPATCH(divide)(sums, j, size);
  }
  for (; j < count; ++j)
    for (std::size_t i = 0; i < size; ++i)
      sums.sums[j * sums.sums_stride + i] /= sums.totals[j];
}

} // namespace normdyn::attention
#endif
