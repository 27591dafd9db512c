#include "normdyn/attention/harmonics_vectors.hpp"
#include "normdyn/attention/shifts.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/harmonics_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"
#include "normdyn/attention/lane_sums_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

constexpr double smallest_power = 1e-150; // of x + i y: keeps all products of it within the range of normal numbers

// Some tokens with one power of x + i y, component after component.
template <std::size_t Capacity>
struct Planes {
  alignas(64) double x[Capacity], y[Capacity], z[Capacity];
  alignas(64) double real[Capacity], imaginary[Capacity];
};

// Power 0: one for unit tokens, zero for others. Returns how many are unit vectors.
template <std::size_t Capacity>
HWY_INLINE std::size_t load_planes(const double* HWY_RESTRICT tokens, std::size_t count, Planes<Capacity>& p) {
  std::size_t n_unit = 0;
  for (std::size_t j = 0; j < count; j += lanes) {
    Vector x, y, z;
    hn::LoadInterleaved3(tag, tokens + 3 * j, x, y, z);
    const Vector square = hn::MulAdd(z, z, hn::MulAdd(x, x, hn::Mul(y, y)));
    const Vector error = hn::Abs(hn::Sub(square, hn::Set(tag, 1.0)));
    const auto is_unit = hn::Le(error, hn::Set(tag, unit_tolerance));
    n_unit += hn::CountTrue(tag, is_unit);
    hn::Store(x, tag, p.x + j);
    hn::Store(y, tag, p.y + j);
    hn::Store(z, tag, p.z + j);
    hn::Store(hn::IfThenElseZero(is_unit, hn::Set(tag, 1.0)), tag, p.real + j);
    hn::Store(hn::Zero(tag), tag, p.imaginary + j);
  }
  return n_unit;
}

// The power of N vectors of tokens, replaced by the next one.
template <std::size_t N, std::size_t Capacity>
HWY_INLINE void next_power(Planes<Capacity>& p, std::size_t j, Vector (&real)[N], Vector (&imaginary)[N]) {
  for (std::size_t v = 0; v < N; ++v) {
    const Vector x = hn::Load(tag, p.x + j + v * lanes), y = hn::Load(tag, p.y + j + v * lanes);
    const Vector next_real = hn::MulSub(real[v], x, hn::Mul(imaginary[v], y));
    const Vector next_imaginary = hn::MulAdd(real[v], y, hn::Mul(imaginary[v], x));
    const Vector size = hn::Max(hn::Abs(next_real), hn::Abs(next_imaginary));
    const auto counts = hn::Ge(size, hn::Set(tag, smallest_power));
    real[v] = hn::IfThenElseZero(counts, next_real);
    imaginary[v] = hn::IfThenElseZero(counts, next_imaginary);
    hn::Store(real[v], tag, p.real + j + v * lanes);
    hn::Store(imaginary[v], tag, p.imaginary + j + v * lanes);
  }
}

template <std::size_t N>
HWY_INLINE void load(const double* plane, std::size_t j, Vector (&out)[N]) {
  for (std::size_t v = 0; v < N; ++v)
    out[v] = hn::Load(tag, plane + j + v * lanes);
}

// Two polynomials that follow each other.
template <std::size_t N>
struct Polynomials {
  Polynomials() {} // written out: an implicit constructor would lack the instruction set of this region (g++ on Arm)
  Vector z[N], now[N], before[N];
};

template <std::size_t N>
HWY_INLINE void start(const double* z, std::size_t j, Polynomials<N>& p) {
  load(z, j, p.z);
  for (std::size_t v = 0; v < N; ++v) {
    p.now[v] = hn::Set(tag, 1.0);
    p.before[v] = hn::Zero(tag);
  }
}

template <std::size_t N>
HWY_INLINE void advance(double g, Polynomials<N>& p) {
  for (std::size_t v = 0; v < N; ++v) {
    const Vector next = hn::MulSub(p.z[v], p.now[v], hn::Mul(hn::Set(tag, g), p.before[v]));
    p.before[v] = p.now[v];
    p.now[v] = next;
  }
}

// Adds the harmonics of one order over N vectors of tokens to the sums of each lane, by one addition for all vectors:
// identical tokens are rounded alike, and the errors of a long sum of them would add up.
template <std::size_t N, std::size_t Capacity>
HWY_INLINE void add_moments(Planes<Capacity>& planes, std::size_t j, std::size_t n_terms,
                            const double* HWY_RESTRICT recurrence, double* HWY_RESTRICT sums) {
  Vector real[N], imaginary[N];
  load(planes.real, j, real);
  load(planes.imaginary, j, imaginary);
  Polynomials<N> p;
  start(planes.z, j, p);
  for (std::size_t k = 0; k < n_terms; ++k, sums += 2 * lanes) {
    Vector part_real = hn::Mul(p.now[0], real[0]), part_imaginary = hn::Mul(p.now[0], imaginary[0]);
    for (std::size_t v = 1; v < N; ++v) {
      part_real = hn::MulAdd(p.now[v], real[v], part_real);
      part_imaginary = hn::MulAdd(p.now[v], imaginary[v], part_imaginary);
    }
    hn::Store(hn::Add(hn::Load(tag, sums), part_real), tag, sums);
    hn::Store(hn::Add(hn::Load(tag, sums + lanes), part_imaginary), tag, sums + lanes);
    advance(recurrence[k], p);
  }
  next_power(planes, j, real, imaginary);
}

std::size_t harmonics_moments_any(const double* tokens, std::size_t count, std::size_t largest_l,
                                  const double* recurrence, double* work, double* moments) {
  constexpr std::size_t n = lanes == 8 ? 4 : 2, capacity = std::min<std::size_t>(512, 64 * n * lanes);
  Planes<capacity> planes;
  std::size_t n_unit = 0;
  for (std::size_t begin = 0; begin < count; begin += capacity) {
    const std::size_t size = std::min(capacity, count - begin);
    n_unit += load_planes(tokens + 3 * begin, size, planes);
    const double* g = recurrence;
    double* out = moments;
    for (std::size_t m = 0; m <= largest_l; ++m) {
      const std::size_t n_terms = largest_l + 1 - m, padded = (2 * n_terms + lanes - 1) / lanes * lanes;
      double *sums = work, *parts = work + padded * lanes;
      std::fill(sums, sums + padded * lanes, 0.0);
      std::size_t j = 0;
      for (; j + n * lanes <= size; j += n * lanes)
        add_moments<n>(planes, j, n_terms, g, sums);
      for (; j + 2 * lanes <= size; j += 2 * lanes)
        add_moments<2>(planes, j, n_terms, g, sums);
      for (; j < size; j += lanes)
        add_moments<1>(planes, j, n_terms, g, sums);
      write_lane_sums(sums, padded, parts);
      for (std::size_t i = 0; i < 2 * n_terms; ++i)
        out[i] += parts[i];
      g += n_terms;
      out += 2 * n_terms;
    }
  }
  return n_unit;
}

// What the series have given so far, for the tokens of some planes.
template <std::size_t Capacity>
struct SeriesPlanes {
  Planes<Capacity> tokens;
  alignas(64) double phi[Capacity], rho[Capacity], gradient[3][Capacity];
};

template <std::size_t N>
HWY_INLINE void add_polynomials(const double* HWY_RESTRICT c, const Polynomials<N>& p,
                                Vector (&sum)[harmonics_coefficients][N]) {
  for (std::size_t i = 0; i < harmonics_coefficients; ++i) {
    const Vector coefficient = hn::Set(tag, c[i]);
    for (std::size_t v = 0; v < N; ++v)
      sum[i][v] = hn::MulAdd(coefficient, p.now[v], sum[i][v]);
  }
}

HWY_INLINE void add_to(double* target, Vector a, Vector b, Vector c, Vector d) {
  hn::Store(hn::MulAdd(a, b, hn::MulAdd(c, d, hn::Load(tag, target))), tag, target);
}

// Adds order m for N vectors of tokens. The planes hold power m - 1 of x + i y, power 0 for m = 0, and power m
// afterwards.
template <std::size_t N, std::size_t Capacity>
HWY_INLINE void add_order(std::size_t m, std::size_t n_terms, const double* HWY_RESTRICT recurrence,
                          const double* HWY_RESTRICT c, std::size_t j, SeriesPlanes<Capacity>& planes) {
  Polynomials<N> p;
  start(planes.tokens.z, j, p);
  Vector sum[harmonics_coefficients][N];
  for (auto& part : sum)
    for (Vector& vector : part)
      vector = hn::Zero(tag);
  for (std::size_t k = 0; k < n_terms; ++k, c += harmonics_coefficients) {
    add_polynomials(c, p, sum);
    advance(recurrence[k], p);
  }
  Vector lower_real[N], lower_imaginary[N], real[N], imaginary[N];
  load(planes.tokens.real, j, real);
  load(planes.tokens.imaginary, j, imaginary);
  for (std::size_t v = 0; v < N; ++v) {
    lower_real[v] = real[v];
    lower_imaginary[v] = imaginary[v];
  }
  if (m > 0)
    next_power(planes.tokens, j, real, imaginary);
  const Vector order = hn::Set(tag, static_cast<double>(m));
  for (std::size_t v = 0; v < N; ++v) {
    const std::size_t at = j + v * lanes;
    add_to(planes.phi + at, sum[0][v], real[v], sum[1][v], imaginary[v]);
    add_to(planes.rho + at, sum[2][v], real[v], sum[3][v], imaginary[v]);
    add_to(planes.gradient[2] + at, sum[4][v], lower_real[v], sum[5][v], lower_imaginary[v]);
    const Vector times_real = hn::Mul(order, lower_real[v]), times_imaginary = hn::Mul(order, lower_imaginary[v]);
    add_to(planes.gradient[0] + at, sum[0][v], times_real, sum[1][v], times_imaginary);
    add_to(planes.gradient[1] + at, sum[1][v], times_real, hn::Neg(sum[0][v]), times_imaginary);
  }
}

// Drift and total of one vector of tokens, the first of them number `begin` of all; returns the total.
template <std::size_t Capacity>
HWY_INLINE Vector write_vector(const SeriesPlanes<Capacity>& planes, std::size_t j, const HarmonicSeries& series,
                               std::size_t begin, const SeriesRows& out) {
  const Vector x = hn::Load(tag, planes.tokens.x + j), y = hn::Load(tag, planes.tokens.y + j),
               z = hn::Load(tag, planes.tokens.z + j);
  const Vector gx = hn::Load(tag, planes.gradient[0] + j), gy = hn::Load(tag, planes.gradient[1] + j),
               gz = hn::Load(tag, planes.gradient[2] + j);
  Vector total =
      hn::MulAdd(hn::Set(tag, series.beta), hn::Load(tag, planes.phi + j), hn::Set(tag, series.coefficients[0]));
  Vector along = hn::MulAdd(z, gz, hn::MulAdd(y, gy, hn::Mul(x, gx)));
  along = hn::Sub(hn::Add(hn::Set(tag, series.coefficients[1]), hn::Load(tag, planes.rho + j)), along);
  Vector nx = hn::MulAdd(along, x, gx), ny = hn::MulAdd(along, y, gy), nz = hn::MulAdd(along, z, gz);
  if (out.near) {
    nx = hn::Add(nx, hn::Load(tag, out.near + begin));
    ny = hn::Add(ny, hn::Load(tag, out.near + out.near_stride + begin));
    nz = hn::Add(nz, hn::Load(tag, out.near + 2 * out.near_stride + begin));
    total = hn::Add(total, hn::Load(tag, out.near + 3 * out.near_stride + begin));
  }
  const Vector scale = out.factor == 0.0 ? hn::Div(hn::Set(tag, 1.0), total) : hn::Set(tag, out.factor);
  hn::StoreInterleaved3(hn::Mul(scale, nx), hn::Mul(scale, ny), hn::Mul(scale, nz), tag, out.drift + 3 * begin);
  hn::StoreU(total, tag, out.totals + begin);
  return total;
}

double harmonics_sums_any(const double* tokens, std::size_t count, const HarmonicSeries& in, const SeriesRows& rows) {
  constexpr std::size_t n = lanes == 8 ? 3 : 1, capacity = 192; // what registers hold, and the fastest cache
  const HarmonicSeries series = in;                             // copies, which no store aliases
  const SeriesRows out = rows;
  SeriesPlanes<capacity> planes;
  Vector smallest = hn::Set(tag, 1e300);
  for (std::size_t begin = 0; begin < count; begin += capacity) {
    const std::size_t size = std::min(capacity, count - begin);
    load_planes(tokens + 3 * begin, size, planes.tokens);
    std::fill(planes.tokens.real, planes.tokens.real + size, 1.0);
    for (double* plane : {planes.phi, planes.rho, planes.gradient[0], planes.gradient[1], planes.gradient[2]})
      std::fill(plane, plane + size, 0.0);
    const double *g = series.recurrence, *c = series.coefficients + harmonics_constants;
    for (std::size_t m = 0; m <= series.degree; ++m) {
      const std::size_t n_terms = series.degree + 1 - m;
      std::size_t j = 0;
      for (; j + n * lanes <= size; j += n * lanes)
        add_order<n>(m, n_terms, g, c, j, planes);
      for (; j < size; j += lanes)
        add_order<1>(m, n_terms, g, c, j, planes);
      g += n_terms;
      c += n_terms * harmonics_coefficients;
    }
    for (std::size_t j = 0; j < size; j += lanes)
      smallest = hn::Min(smallest, write_vector(planes, j, series, begin + j, out));
  }
  return hn::GetLane(hn::MinOfLanes(tag, smallest));
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(harmonics_moments_any);
HWY_EXPORT(harmonics_sums_any);

std::size_t harmonics_moments(const double* tokens, std::size_t count, std::size_t degree, const double* recurrence,
                              double* work, double* moments) {
  return HWY_DYNAMIC_DISPATCH(harmonics_moments_any)(tokens, count, degree, recurrence, work, moments);
}

double harmonics_sums(const double* tokens, std::size_t count, const HarmonicSeries& series, const SeriesRows& out) {
  return HWY_DYNAMIC_DISPATCH(harmonics_sums_any)(tokens, count, series, out);
}

} // namespace normdyn::attention
#endif
