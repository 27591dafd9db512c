#include "normdyn/attention/fourier_vectors.hpp"
#include "normdyn/attention/shifts.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/fourier_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// N vectors of tokens with one of their powers.
template <std::size_t N>
struct Powers {
  Vector x[N], y[N];             // z
  Vector cube_x[N], cube_y[N];   // z^3
  Vector power_x[N], power_y[N]; // w
};

HWY_INLINE void multiply(Vector a, Vector b, Vector c, Vector d, Vector& x, Vector& y) {
  x = hn::MulSub(a, c, hn::Mul(b, d));
  y = hn::MulAdd(a, d, hn::Mul(b, c));
}

template <std::size_t N>
HWY_INLINE void load_powers(const double* HWY_RESTRICT tokens, Powers<N>& p) {
  for (std::size_t v = 0; v < N; ++v)
    hn::LoadInterleaved2(tag, tokens + 2 * v * lanes, p.x[v], p.y[v]);
  for (std::size_t v = 0; v < N; ++v)
    multiply(p.x[v], p.y[v], p.x[v], p.y[v], p.power_x[v], p.power_y[v]);
  for (std::size_t v = 0; v < N; ++v)
    multiply(p.power_x[v], p.power_y[v], p.x[v], p.y[v], p.cube_x[v], p.cube_y[v]);
}

template <std::size_t N>
HWY_INLINE void next_powers(Powers<N>& p) {
  for (std::size_t v = 0; v < N; ++v)
    multiply(p.power_x[v], p.power_y[v], p.cube_x[v], p.cube_y[v], p.power_x[v], p.power_y[v]);
}

// Adds one group to the sums of each lane: the products xx, yy, xy, yx of w and z, and w itself.
template <std::size_t N>
HWY_INLINE void add_group(const Powers<N>& p, double* HWY_RESTRICT sums) {
  Vector xx = hn::Load(tag, sums), yy = hn::Load(tag, sums + lanes);
  Vector xy = hn::Load(tag, sums + 2 * lanes), yx = hn::Load(tag, sums + 3 * lanes);
  Vector real = p.power_x[0], imaginary = p.power_y[0];
  for (std::size_t v = 0; v < N; ++v) {
    xx = hn::MulAdd(p.power_x[v], p.x[v], xx);
    yy = hn::MulAdd(p.power_y[v], p.y[v], yy);
    xy = hn::MulAdd(p.power_x[v], p.y[v], xy);
    yx = hn::MulAdd(p.power_y[v], p.x[v], yx);
  }
  for (std::size_t v = 1; v < N; ++v) {
    real = hn::Add(real, p.power_x[v]);
    imaginary = hn::Add(imaginary, p.power_y[v]);
  }
  hn::Store(xx, tag, sums);
  hn::Store(yy, tag, sums + lanes);
  hn::Store(xy, tag, sums + 2 * lanes);
  hn::Store(yx, tag, sums + 3 * lanes);
  hn::Store(hn::Add(hn::Load(tag, sums + 4 * lanes), real), tag, sums + 4 * lanes);
  hn::Store(hn::Add(hn::Load(tag, sums + 5 * lanes), imaginary), tag, sums + 5 * lanes);
}

template <std::size_t N>
HWY_INLINE hn::Mask<Tag> add_tokens(const double* HWY_RESTRICT tokens, std::size_t n_groups, double* HWY_RESTRICT sums,
                                    hn::Mask<Tag> is_unit) {
  Powers<N> p;
  load_powers(tokens, p);
  for (std::size_t v = 0; v < N; ++v) {
    const Vector square = hn::MulAdd(p.x[v], p.x[v], hn::Mul(p.y[v], p.y[v]));
    const Vector error = hn::Abs(hn::Sub(square, hn::Set(tag, 1.0)));
    is_unit = hn::And(is_unit, hn::Le(error, hn::Set(tag, unit_tolerance)));
  }
  for (std::size_t g = 0; g < n_groups; ++g) {
    add_group(p, sums + g * fourier_group_moments * lanes);
    next_powers(p);
  }
  return is_unit;
}

bool fourier_moments_any(const double* tokens, std::size_t count, std::size_t n_groups, double* sums, double* moments) {
  constexpr std::size_t n = 4;
  std::fill(sums, sums + n_groups * fourier_group_moments * lanes, 0.0);
  const hn::Mask<Tag> all = hn::FirstN(tag, lanes);
  hn::Mask<Tag> is_unit = all;
  std::size_t begin = 0;
  for (; begin + n * lanes <= count; begin += n * lanes)
    is_unit = add_tokens<n>(tokens + 2 * begin, n_groups, sums, is_unit);
  for (; begin + lanes <= count; begin += lanes)
    is_unit = add_tokens<1>(tokens + 2 * begin, n_groups, sums, is_unit);
  bool is_rest_unit = true;
  if (begin < count) { // zeros add nothing to any moment
    alignas(64) double rest[2 * lanes] = {};
    std::copy(tokens + 2 * begin, tokens + 2 * count, rest);
    const hn::Mask<Tag> unit = add_tokens<1>(rest, n_groups, sums, all);
    is_rest_unit = hn::AllTrue(tag, hn::Or(unit, hn::Not(hn::FirstN(tag, count - begin))));
  }
  for (std::size_t g = 0; g < n_groups; ++g) {
    double part[fourier_group_moments];
    for (std::size_t i = 0; i < fourier_group_moments; ++i)
      part[i] = hn::GetLane(hn::SumOfLanes(tag, hn::Load(tag, sums + (g * fourier_group_moments + i) * lanes)));
    const auto [xx, yy, xy, yx, real, imaginary] = part;
    double* out = moments + g * fourier_group_moments;
    out[0] = xx + yy;
    out[1] = yx - xy;
    out[2] = real;
    out[3] = imaginary;
    out[4] = xx - yy;
    out[5] = xy + yx;
  }
  return is_rest_unit && hn::AllTrue(tag, is_unit);
}

template <std::size_t N>
HWY_INLINE void add_series(const Powers<N>& p, const double* HWY_RESTRICT c, Vector (&sum)[3][N]) {
  Vector xx[N], yy[N], xy[N], yx[N];
  for (std::size_t v = 0; v < N; ++v) {
    xx[v] = hn::Mul(p.power_x[v], p.x[v]);
    yy[v] = hn::Mul(p.power_y[v], p.y[v]);
    xy[v] = hn::Mul(p.power_x[v], p.y[v]);
    yx[v] = hn::Mul(p.power_y[v], p.x[v]);
  }
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t v = 0; v < N; ++v) {
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s]), xx[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 1]), yy[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 2]), xy[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 3]), yx[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 4]), p.power_x[v], sum[s][v]);
      sum[s][v] = hn::MulAdd(hn::Set(tag, c[6 * s + 5]), p.power_y[v], sum[s][v]);
    }
}

// `drift` and `totals` of N vectors of tokens; returns the smallest total of each lane.
template <std::size_t N>
HWY_INLINE Vector evaluate_tokens(const double* HWY_RESTRICT tokens, const FourierSeries& series, double factor,
                                  double* HWY_RESTRICT drift, double* HWY_RESTRICT totals) {
  Powers<N> p;
  load_powers(tokens, p);
  Vector sum[3][N];
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t v = 0; v < N; ++v)
      sum[s][v] = hn::Set(tag, series.constant[s]);
  for (std::size_t g = 0; g < series.n_groups; ++g) {
    add_series(p, series.coefficients + g * fourier_group_coefficients, sum);
    next_powers(p);
  }
  Vector smallest = sum[0][0];
  for (std::size_t v = 0; v < N; ++v) {
    const Vector scale = factor == 0.0 ? hn::Div(hn::Set(tag, 1.0), sum[0][v]) : hn::Set(tag, factor);
    hn::StoreInterleaved2(hn::Mul(sum[1][v], scale), hn::Mul(sum[2][v], scale), tag, drift + 2 * v * lanes);
    hn::StoreU(sum[0][v], tag, totals + v * lanes);
    smallest = hn::Min(smallest, sum[0][v]);
  }
  return smallest;
}

double fourier_sums_any(const double* tokens, std::size_t count, const FourierSeries& in, const FourierOutput& out) {
  constexpr std::size_t n = lanes == 8 ? 3 : 1; // what registers hold
  const FourierSeries series = in;
  Vector smallest = hn::Set(tag, 1e300);
  std::size_t begin = 0;
  for (; begin + n * lanes <= count; begin += n * lanes)
    smallest = hn::Min(smallest, evaluate_tokens<n>(tokens + 2 * begin, series, out.factor, out.drift + 2 * begin,
                                                    out.totals + begin));
  for (; begin + lanes <= count; begin += lanes)
    smallest = hn::Min(smallest, evaluate_tokens<1>(tokens + 2 * begin, series, out.factor, out.drift + 2 * begin,
                                                    out.totals + begin));
  if (begin < count) {
    alignas(64) double rest[2 * lanes], drift[2 * lanes], totals[lanes];
    for (std::size_t i = 0; i < 2 * lanes; ++i) // filled up with the last token
      rest[i] = tokens[2 * std::min(begin + i / 2, count - 1) + i % 2];
    smallest = hn::Min(smallest, evaluate_tokens<1>(rest, series, out.factor, drift, totals));
    std::copy(drift, drift + 2 * (count - begin), out.drift + 2 * begin);
    std::copy(totals, totals + (count - begin), out.totals + begin);
  }
  return hn::GetLane(hn::MinOfLanes(tag, smallest));
}

// Powers 0 ... lanes - 1 of one token, and z^lanes in all lanes: each bit of the lane's number selects a square.
HWY_INLINE void first_powers(double x, double y, Vector& power_x, Vector& power_y, Vector& step_x, Vector& step_y) {
  const auto number = hn::Iota(bit_tag, 0);
  power_x = hn::Set(tag, 1.0);
  power_y = hn::Zero(tag);
  step_x = hn::Set(tag, x);
  step_y = hn::Set(tag, y);
  for (std::size_t bit = 1; bit < lanes; bit *= 2) {
    const auto flag = hn::Set(bit_tag, static_cast<std::int64_t>(bit));
    const auto chosen = hn::RebindMask(tag, hn::Eq(hn::And(number, flag), flag));
    Vector next_x, next_y;
    multiply(power_x, power_y, step_x, step_y, next_x, next_y);
    power_x = hn::IfThenElse(chosen, next_x, power_x);
    power_y = hn::IfThenElse(chosen, next_y, power_y);
    multiply(step_x, step_y, step_x, step_y, step_x, step_y);
  }
}

double fourier_running_sums_any(const double* tokens, std::size_t count, std::size_t first_written,
                                const FourierRunning& in, const FourierOutput& out) {
  const FourierRunning p = in;
  const double factor = out.factor;
  double* HWY_RESTRICT running = p.running;
  std::fill(running, running + 2 * p.padded, 0.0);
  double smallest = 1e300;
  for (std::size_t j = 0; j < count; ++j) {
    const double x = tokens[2 * j], y = tokens[2 * j + 1];
    Vector power_x, power_y, step_x, step_y, sum[3];
    first_powers(x, y, power_x, power_y, step_x, step_y);
    for (Vector& s : sum)
      s = hn::Zero(tag);
    for (std::size_t m = 0; m < p.padded; m += lanes) {
      const Vector own_x = hn::Add(hn::Load(tag, running + m), power_x);
      const Vector own_y = hn::Add(hn::Load(tag, running + p.padded + m), power_y);
      hn::Store(own_x, tag, running + m);
      hn::Store(own_y, tag, running + p.padded + m);
      const Vector moment_x = hn::Add(hn::Load(tag, p.before + m), own_x);
      const Vector moment_y = hn::Add(hn::Load(tag, p.before + p.padded + m), own_y);
      const Vector along = hn::MulAdd(moment_x, power_x, hn::Mul(moment_y, power_y));
      const Vector across = hn::MulSub(moment_y, power_x, hn::Mul(moment_x, power_y));
      sum[0] = hn::MulAdd(hn::Load(tag, p.weights + m), along, sum[0]);
      sum[1] = hn::MulAdd(hn::Load(tag, p.weights + p.padded + m), along, sum[1]);
      sum[2] = hn::MulAdd(hn::Load(tag, p.weights + 2 * p.padded + m), across, sum[2]);
      multiply(power_x, power_y, step_x, step_y, power_x, power_y);
    }
    if (j < first_written)
      continue;
    const double total = hn::GetLane(hn::SumOfLanes(tag, sum[0]));
    const double scale = factor == 0.0 ? 1.0 / total : factor;
    const double radial = hn::GetLane(hn::SumOfLanes(tag, sum[1])) * scale;
    const double tangential = hn::GetLane(hn::SumOfLanes(tag, sum[2])) * scale;
    const std::size_t row = j - first_written;
    out.drift[2 * row] = radial * x - tangential * y;
    out.drift[2 * row + 1] = radial * y + tangential * x;
    out.totals[row] = total;
    smallest = std::min(smallest, total);
  }
  return smallest;
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(fourier_moments_any);
HWY_EXPORT(fourier_sums_any);
HWY_EXPORT(fourier_running_sums_any);

bool fourier_moments(const double* tokens, std::size_t count, std::size_t n_groups, double* lanes, double* moments) {
  return HWY_DYNAMIC_DISPATCH(fourier_moments_any)(tokens, count, n_groups, lanes, moments);
}

double fourier_sums(const double* tokens, std::size_t count, const FourierSeries& series, const FourierOutput& out) {
  return HWY_DYNAMIC_DISPATCH(fourier_sums_any)(tokens, count, series, out);
}

double fourier_running_sums(const double* tokens, std::size_t count, std::size_t first_written,
                            const FourierRunning& series, const FourierOutput& out) {
  return HWY_DYNAMIC_DISPATCH(fourier_running_sums_any)(tokens, count, first_written, series, out);
}

} // namespace normdyn::attention
#endif
