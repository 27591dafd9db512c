#include "normdyn/attention/harmonics_vectors.hpp"
#include "normdyn/attention/shifts.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/harmonics_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// N vectors of tokens with one power of x + i y.
template <std::size_t N>
struct Azimuths {
  Vector x[N], y[N], z[N];
  Vector real[N], imaginary[N];
};

template <std::size_t N>
HWY_INLINE void load_azimuths(const double* HWY_RESTRICT tokens, Azimuths<N>& a) {
  for (std::size_t v = 0; v < N; ++v) {
    hn::LoadInterleaved3(tag, tokens + 3 * v * lanes, a.x[v], a.y[v], a.z[v]);
    a.real[v] = hn::Set(tag, 1.0);
    a.imaginary[v] = hn::Zero(tag);
  }
}

template <std::size_t N>
HWY_INLINE void next_azimuths(Azimuths<N>& a) {
  for (std::size_t v = 0; v < N; ++v) {
    const Vector real = hn::MulSub(a.real[v], a.x[v], hn::Mul(a.imaginary[v], a.y[v]));
    a.imaginary[v] = hn::MulAdd(a.real[v], a.y[v], hn::Mul(a.imaginary[v], a.x[v]));
    a.real[v] = real;
  }
}

// Two polynomials that follow each other.
template <std::size_t N>
struct Polynomials {
  Vector now[N], before[N];
};

template <std::size_t N>
HWY_INLINE void start(Polynomials<N>& p) {
  for (std::size_t v = 0; v < N; ++v) {
    p.now[v] = hn::Set(tag, 1.0);
    p.before[v] = hn::Zero(tag);
  }
}

template <std::size_t N>
HWY_INLINE void advance(const Azimuths<N>& a, double g, Polynomials<N>& p) {
  for (std::size_t v = 0; v < N; ++v) {
    const Vector next = hn::MulSub(a.z[v], p.now[v], hn::Mul(hn::Set(tag, g), p.before[v]));
    p.before[v] = p.now[v];
    p.now[v] = next;
  }
}

template <std::size_t N>
HWY_INLINE hn::Mask<Tag> add_tokens(const double* HWY_RESTRICT tokens, std::size_t largest_l,
                                    const double* HWY_RESTRICT recurrence, double* HWY_RESTRICT sums,
                                    hn::Mask<Tag> is_unit) {
  Azimuths<N> a;
  load_azimuths(tokens, a);
  for (std::size_t v = 0; v < N; ++v) {
    const Vector in_plane = hn::MulAdd(a.x[v], a.x[v], hn::Mul(a.y[v], a.y[v]));
    const Vector error = hn::Abs(hn::Sub(hn::MulAdd(a.z[v], a.z[v], in_plane), hn::Set(tag, 1.0)));
    is_unit = hn::And(is_unit, hn::Le(error, hn::Set(tag, unit_tolerance)));
  }
  for (std::size_t m = 0; m <= largest_l; ++m) {
    Polynomials<N> p;
    start(p);
    for (std::size_t k = m; k <= largest_l; ++k, sums += 2 * lanes) {
      Vector real = hn::Load(tag, sums), imaginary = hn::Load(tag, sums + lanes);
      for (std::size_t v = 0; v < N; ++v) {
        real = hn::MulAdd(p.now[v], a.real[v], real);
        imaginary = hn::MulAdd(p.now[v], a.imaginary[v], imaginary);
      }
      hn::Store(real, tag, sums);
      hn::Store(imaginary, tag, sums + lanes);
      advance(a, *recurrence++, p);
    }
    next_azimuths(a);
  }
  return is_unit;
}

bool harmonics_moments_any(const double* tokens, std::size_t count, std::size_t largest_l, const double* recurrence,
                           double* sums, double* moments) {
  constexpr std::size_t n = lanes == 8 ? 4 : 2;
  const std::size_t size = 2 * harmonics_count(largest_l);
  std::fill(sums, sums + size * lanes, 0.0);
  const hn::Mask<Tag> all = hn::FirstN(tag, lanes);
  hn::Mask<Tag> is_unit = all;
  std::size_t begin = 0;
  for (; begin + n * lanes <= count; begin += n * lanes)
    is_unit = add_tokens<n>(tokens + 3 * begin, largest_l, recurrence, sums, is_unit);
  for (; begin + lanes <= count; begin += lanes)
    is_unit = add_tokens<1>(tokens + 3 * begin, largest_l, recurrence, sums, is_unit);
  for (std::size_t i = 0; i < size; ++i)
    moments[i] = hn::GetLane(hn::SumOfLanes(tag, hn::Load(tag, sums + i * lanes)));
  if (begin == count)
    return hn::AllTrue(tag, is_unit);
  // The rest: lanes filled up with the last token, those of the filling left out of the sums.
  alignas(64) double rest[3 * lanes];
  for (std::size_t i = 0; i < 3 * lanes; ++i)
    rest[i] = tokens[3 * std::min(begin + i / 3, count - 1) + i % 3];
  std::fill(sums, sums + size * lanes, 0.0);
  is_unit = add_tokens<1>(rest, largest_l, recurrence, sums, is_unit);
  for (std::size_t i = 0; i < size; ++i)
    moments[i] += hn::GetLane(
        hn::SumOfLanes(tag, hn::IfThenElseZero(hn::FirstN(tag, count - begin), hn::Load(tag, sums + i * lanes))));
  return hn::AllTrue(tag, is_unit);
}

template <std::size_t N>
HWY_INLINE void add_polynomials(const double* HWY_RESTRICT c, const Polynomials<N>& p,
                                Vector (&sum)[harmonics_coefficients][N]) {
  for (std::size_t i = 0; i < harmonics_coefficients; ++i) {
    const Vector coefficient = hn::Set(tag, c[i]);
    for (std::size_t v = 0; v < N; ++v)
      sum[i][v] = hn::MulAdd(coefficient, p.now[v], sum[i][v]);
  }
}

// The series of N vectors of tokens.
template <std::size_t N>
struct Sums {
  Vector phi[N], rho[N], gradient[3][N];
};

// Adds the order m: `sum` holds the series in p_k^(m), `a` the power m, `lower` the power m - 1.
template <std::size_t N>
HWY_INLINE void add_order(double m, const Azimuths<N>& a, const Vector (&sum)[harmonics_coefficients][N],
                          const Vector (&lower_real)[N], const Vector (&lower_imaginary)[N], Sums<N>& s) {
  for (std::size_t v = 0; v < N; ++v) {
    s.phi[v] = hn::MulAdd(sum[0][v], a.real[v], hn::MulAdd(sum[1][v], a.imaginary[v], s.phi[v]));
    s.rho[v] = hn::MulAdd(sum[2][v], a.real[v], hn::MulAdd(sum[3][v], a.imaginary[v], s.rho[v]));
    s.gradient[2][v] =
        hn::MulAdd(sum[4][v], lower_real[v], hn::MulAdd(sum[5][v], lower_imaginary[v], s.gradient[2][v]));
    const Vector real = hn::Mul(hn::Set(tag, m), lower_real[v]),
                 imaginary = hn::Mul(hn::Set(tag, m), lower_imaginary[v]);
    s.gradient[0][v] = hn::MulAdd(sum[0][v], real, hn::MulAdd(sum[1][v], imaginary, s.gradient[0][v]));
    s.gradient[1][v] = hn::MulAdd(sum[1][v], real, hn::NegMulAdd(sum[0][v], imaginary, s.gradient[1][v]));
  }
}

template <std::size_t N>
HWY_INLINE void add_series(const HarmonicSeries& series, Azimuths<N>& a, Sums<N>& s) {
  const double* HWY_RESTRICT recurrence = series.recurrence;
  const double* HWY_RESTRICT c = series.coefficients;
  Vector lower_real[N], lower_imaginary[N];
  for (std::size_t v = 0; v < N; ++v)
    lower_real[v] = lower_imaginary[v] = hn::Zero(tag);
  for (std::size_t m = 0; m <= series.degree; ++m) {
    Polynomials<N> p;
    start(p);
    Vector sum[harmonics_coefficients][N];
    for (auto& part : sum)
      for (Vector& vector : part)
        vector = hn::Zero(tag);
    for (std::size_t k = m; k <= series.degree; ++k, c += harmonics_coefficients) {
      add_polynomials(c, p, sum);
      advance(a, *recurrence++, p);
    }
    add_order(static_cast<double>(m), a, sum, lower_real, lower_imaginary, s);
    for (std::size_t v = 0; v < N; ++v) {
      lower_real[v] = a.real[v];
      lower_imaginary[v] = a.imaginary[v];
    }
    next_azimuths(a);
  }
}

// `drift` and `totals` of N vectors of tokens; returns the smallest total of each lane.
template <std::size_t N>
HWY_INLINE Vector evaluate_tokens(const double* HWY_RESTRICT tokens, const HarmonicSeries& series, double factor,
                                  double* HWY_RESTRICT drift, double* HWY_RESTRICT totals) {
  Azimuths<N> a;
  load_azimuths(tokens, a);
  Sums<N> s;
  for (std::size_t v = 0; v < N; ++v)
    s.phi[v] = s.rho[v] = s.gradient[0][v] = s.gradient[1][v] = s.gradient[2][v] = hn::Zero(tag);
  add_series(series, a, s);
  Vector smallest = hn::Set(tag, 1e300);
  for (std::size_t v = 0; v < N; ++v) {
    const Vector total = hn::MulAdd(hn::Set(tag, series.beta), s.phi[v], hn::Set(tag, series.total));
    const Vector scale = factor == 0.0 ? hn::Div(hn::Set(tag, 1.0), total) : hn::Set(tag, factor);
    Vector along = hn::Mul(a.x[v], s.gradient[0][v]);
    along = hn::MulAdd(a.z[v], s.gradient[2][v], hn::MulAdd(a.y[v], s.gradient[1][v], along));
    along = hn::Sub(hn::Add(hn::Set(tag, series.radial), s.rho[v]), along);
    hn::StoreInterleaved3(hn::Mul(scale, hn::MulAdd(along, a.x[v], s.gradient[0][v])),
                          hn::Mul(scale, hn::MulAdd(along, a.y[v], s.gradient[1][v])),
                          hn::Mul(scale, hn::MulAdd(along, a.z[v], s.gradient[2][v])), tag, drift + 3 * v * lanes);
    hn::StoreU(total, tag, totals + v * lanes);
    smallest = hn::Min(smallest, total);
  }
  return smallest;
}

double harmonics_sums_any(const double* tokens, std::size_t count, const HarmonicSeries& in,
                          const HarmonicsOutput& out) {
  constexpr std::size_t n = lanes == 8 ? 3 : 1; // what registers hold
  const HarmonicSeries series = in;
  Vector smallest = hn::Set(tag, 1e300);
  std::size_t begin = 0;
  for (; begin + n * lanes <= count; begin += n * lanes)
    smallest = hn::Min(smallest, evaluate_tokens<n>(tokens + 3 * begin, series, out.factor, out.drift + 3 * begin,
                                                    out.totals + begin));
  for (; begin + lanes <= count; begin += lanes)
    smallest = hn::Min(smallest, evaluate_tokens<1>(tokens + 3 * begin, series, out.factor, out.drift + 3 * begin,
                                                    out.totals + begin));
  if (begin < count) {
    alignas(64) double rest[3 * lanes], drift[3 * lanes], totals[lanes];
    for (std::size_t i = 0; i < 3 * lanes; ++i) // filled up with the last token
      rest[i] = tokens[3 * std::min(begin + i / 3, count - 1) + i % 3];
    smallest = hn::Min(smallest, evaluate_tokens<1>(rest, series, out.factor, drift, totals));
    std::copy(drift, drift + 3 * (count - begin), out.drift + 3 * begin);
    std::copy(totals, totals + (count - begin), out.totals + begin);
  }
  return hn::GetLane(hn::MinOfLanes(tag, smallest));
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(harmonics_moments_any);
HWY_EXPORT(harmonics_sums_any);

bool harmonics_moments(const double* tokens, std::size_t count, std::size_t degree, const double* recurrence,
                       double* lanes, double* moments) {
  return HWY_DYNAMIC_DISPATCH(harmonics_moments_any)(tokens, count, degree, recurrence, lanes, moments);
}

double harmonics_sums(const double* tokens, std::size_t count, const HarmonicSeries& series,
                      const HarmonicsOutput& out) {
  return HWY_DYNAMIC_DISPATCH(harmonics_sums_any)(tokens, count, series, out);
}

} // namespace normdyn::attention
#endif
