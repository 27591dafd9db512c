#include "normdyn/attention/fourier_vectors.hpp"
#include "normdyn/attention/shifts.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/fourier_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"
#include "normdyn/attention/lane_sums_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// N vectors of tokens with one of their powers.
template <std::size_t N>
struct Powers {
  Powers() {}        // written out: an implicit constructor would lack the instruction set of this region (g++ on Arm)
  Vector x[N], y[N]; // z
  Vector cube_x[N], cube_y[N];   // z^3
  Vector power_x[N], power_y[N]; // w
};

HWY_INLINE void multiply(Vector a, Vector b, Vector c, Vector d, Vector& x, Vector& y) {
  x = hn::MulSub(a, c, hn::Mul(b, d));
  y = hn::MulAdd(a, d, hn::Mul(b, c));
}

// z and w = z^2. Additions are cheaper than multiplications on some machines.
template <std::size_t N>
HWY_INLINE void load_powers(const double* HWY_RESTRICT tokens, Powers<N>& p) {
  for (std::size_t v = 0; v < N; ++v) {
    hn::LoadInterleaved2(tag, tokens + 2 * v * lanes, p.x[v], p.y[v]);
    const Vector area = hn::Mul(p.x[v], p.y[v]);
    p.power_x[v] = hn::Mul(hn::Sub(p.x[v], p.y[v]), hn::Add(p.x[v], p.y[v]));
    p.power_y[v] = hn::Add(area, area);
  }
}

template <std::size_t N>
HWY_INLINE void next_powers(Powers<N>& p) {
  for (std::size_t v = 0; v < N; ++v)
    multiply(p.power_x[v], p.power_y[v], p.cube_x[v], p.cube_y[v], p.power_x[v], p.power_y[v]);
}

// Adds one group to the sums of each lane: the products xx, yy, xy, yx of w and z, and w itself. Sums grow by one
// addition for all vectors: identical tokens are rounded alike, and the errors of a long sum of them would add up.
template <std::size_t N>
HWY_INLINE void add_group(const Powers<N>& p, double* HWY_RESTRICT sums) {
  Vector xx = hn::Mul(p.power_x[0], p.x[0]), yy = hn::Mul(p.power_y[0], p.y[0]);
  Vector xy = hn::Mul(p.power_x[0], p.y[0]), yx = hn::Mul(p.power_y[0], p.x[0]);
  Vector real = p.power_x[0], imaginary = p.power_y[0];
  for (std::size_t v = 1; v < N; ++v) {
    xx = hn::MulAdd(p.power_x[v], p.x[v], xx);
    yy = hn::MulAdd(p.power_y[v], p.y[v], yy);
    xy = hn::MulAdd(p.power_x[v], p.y[v], xy);
    yx = hn::MulAdd(p.power_y[v], p.x[v], yx);
  }
  for (std::size_t v = 1; v < N; ++v) {
    real = hn::Add(real, p.power_x[v]);
    imaginary = hn::Add(imaginary, p.power_y[v]);
  }
  std::size_t i = 0;
  for (const Vector part : {xx, yy, xy, yx, real, imaginary}) {
    double* sum = sums + i++ * lanes;
    hn::Store(hn::Add(hn::Load(tag, sum), part), tag, sum);
  }
}

// Returns how many tokens are unit vectors.
template <std::size_t N>
HWY_INLINE std::size_t add_tokens(const double* HWY_RESTRICT tokens, std::size_t n_groups, double* HWY_RESTRICT sums) {
  Powers<N> p;
  load_powers(tokens, p);
  std::size_t n_unit = 0;
  for (std::size_t v = 0; v < N; ++v) {
    const Vector square = hn::MulAdd(p.x[v], p.x[v], hn::Mul(p.y[v], p.y[v]));
    const Vector error = hn::Abs(hn::Sub(square, hn::Set(tag, 1.0)));
    n_unit += hn::CountTrue(tag, hn::Le(error, hn::Set(tag, unit_tolerance)));
  }
  for (std::size_t v = 0; v < N; ++v)
    multiply(p.power_x[v], p.power_y[v], p.x[v], p.y[v], p.cube_x[v], p.cube_y[v]);
  for (std::size_t g = 0; g + 1 < n_groups; ++g, sums += fourier_group_moments * lanes) {
    add_group(p, sums);
    next_powers(p);
  }
  add_group(p, sums);
  return n_unit;
}

std::size_t fourier_moments_any(const double* tokens, std::size_t count, std::size_t n_groups, double* work,
                                double* moments) {
  constexpr std::size_t n = 4, at_once = 64 * n * lanes; // 64 additions to each sum
  const std::size_t vectors = n_groups * fourier_group_moments, padded = (vectors + lanes - 1) / lanes * lanes;
  double *sums = work, *parts = work + padded * lanes;
  std::size_t n_unit = 0, begin = 0;
  while (begin < count) {
    const std::size_t end = std::min(count, begin + at_once);
    std::fill(sums, sums + padded * lanes, 0.0);
    for (; begin + n * lanes <= end; begin += n * lanes)
      n_unit += add_tokens<n>(tokens + 2 * begin, n_groups, sums);
    for (; begin + 2 * lanes <= end; begin += 2 * lanes)
      n_unit += add_tokens<2>(tokens + 2 * begin, n_groups, sums);
    for (; begin < end; begin += lanes)
      n_unit += add_tokens<1>(tokens + 2 * begin, n_groups, sums);
    write_lane_sums(sums, padded, parts);
    for (std::size_t g = 0; g < n_groups; ++g) {
      const double *part = parts + g * fourier_group_moments, xx = part[0], yy = part[1], xy = part[2], yx = part[3];
      double* out = moments + g * fourier_group_moments;
      out[0] += xx + yy;
      out[1] += yx - xy;
      out[2] += part[4];
      out[3] += part[5];
      out[4] += xx - yy;
      out[5] += xy + yx;
    }
  }
  return n_unit;
}

// The products of the parts of w and z.
template <std::size_t N>
struct Products {
  Products() {}
  Vector xx[N], yy[N], xy[N], yx[N];
};

template <std::size_t N>
HWY_INLINE void set_products(const Powers<N>& p, Products<N>& q) {
  for (std::size_t v = 0; v < N; ++v) {
    q.xx[v] = hn::Mul(p.power_x[v], p.x[v]);
    q.yy[v] = hn::Mul(p.power_y[v], p.y[v]);
    q.xy[v] = hn::Mul(p.power_x[v], p.y[v]);
    q.yx[v] = hn::Mul(p.power_y[v], p.x[v]);
  }
}

template <std::size_t N>
HWY_INLINE void add_series(const Powers<N>& p, const Products<N>& q, const double* HWY_RESTRICT c,
                           Vector (&sum)[3][N]) {
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t v = 0; v < N; ++v) {
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s]), q.xx[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 1]), q.yy[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 2]), q.xy[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 3]), q.yx[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 4]), p.power_x[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 5]), p.power_y[v], sum[s][v]);
    }
}

// Queries begin ... of N vectors; returns the smallest total of each lane.
template <std::size_t N>
HWY_INLINE Vector write_queries(const double* HWY_RESTRICT queries, std::size_t begin, const FourierSeries& series,
                                const SeriesRows& out) {
  Powers<N> p;
  load_powers(queries + 2 * begin, p);
  const double* c = series.coefficients;
  Vector sum[3][N]; // Z, N_x, N_y
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t v = 0; v < N; ++v)
      sum[s][v] = hn::Set(tag, c[s]);
  if (out.near)
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t v = 0; v < N; ++v)
        sum[s][v] = hn::Add(sum[s][v], hn::Load(tag, out.near + (s + 2) % 3 * out.near_stride + begin + v * lanes));
  c += fourier_constants;
  Products<N> q;
  set_products(p, q);
  for (std::size_t v = 0; v < N; ++v) {
    p.cube_x[v] = hn::Sub(q.xx[v], q.yy[v]);
    p.cube_y[v] = hn::Add(q.xy[v], q.yx[v]);
  }
  for (std::size_t g = 0; g + 1 < series.n_groups; ++g, c += fourier_group_coefficients) {
    add_series(p, q, c, sum);
    next_powers(p);
    set_products(p, q);
  }
  add_series(p, q, c, sum);
  Vector smallest = sum[0][0];
  for (std::size_t v = 0; v < N; ++v) {
    const Vector scale = out.factor == 0.0 ? hn::Div(hn::Set(tag, 1.0), sum[0][v]) : hn::Set(tag, out.factor);
    hn::StoreInterleaved2(hn::Mul(sum[1][v], scale), hn::Mul(sum[2][v], scale), tag,
                          out.drift + 2 * (begin + v * lanes));
    hn::StoreU(sum[0][v], tag, out.totals + begin + v * lanes);
    smallest = hn::Min(smallest, sum[0][v]);
  }
  return smallest;
}

double fourier_sums_any(const double* queries, std::size_t count, const FourierSeries& in, const SeriesRows& rows) {
  constexpr std::size_t n = lanes == 8 ? 3 : 1; // what registers hold
  const FourierSeries series = in;              // copies, which no store aliases
  const SeriesRows out = rows;
  Vector smallest = hn::Set(tag, 1e300);
  std::size_t begin = 0;
  for (; begin + n * lanes <= count; begin += n * lanes)
    smallest = hn::Min(smallest, write_queries<n>(queries, begin, series, out));
  for (; begin < count; begin += lanes)
    smallest = hn::Min(smallest, write_queries<1>(queries, begin, series, out));
  return hn::GetLane(hn::MinOfLanes(tag, smallest));
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(fourier_moments_any);
HWY_EXPORT(fourier_sums_any);

std::size_t fourier_moments(const double* tokens, std::size_t count, std::size_t n_groups, double* work,
                            double* moments) {
  return HWY_DYNAMIC_DISPATCH(fourier_moments_any)(tokens, count, n_groups, work, moments);
}

double fourier_sums(const double* tokens, std::size_t count, const FourierSeries& series, const SeriesRows& out) {
  return HWY_DYNAMIC_DISPATCH(fourier_sums_any)(tokens, count, series, out);
}

} // namespace normdyn::attention
#endif
