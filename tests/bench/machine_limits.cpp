#include "machine_limits.hpp"

#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine_limits.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <algorithm>
#include <chrono>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// Twelve chains: more than latency times the number of pipes.
double chains(long repeats) {
  constexpr std::size_t n = 12;
  Vector x[n];
  for (std::size_t i = 0; i < n; ++i)
    x[i] = hn::Set(tag, static_cast<double>(i));
  const Vector factor = hn::Set(tag, 0.999), term = hn::Set(tag, 1e-3);
  for (long r = 0; r < repeats; ++r)
    for (std::size_t i = 0; i < n; ++i)
      x[i] = hn::MulAdd(x[i], factor, term);
  Vector sum = x[0];
  for (std::size_t i = 1; i < n; ++i)
    sum = hn::Add(sum, x[i]);
  return hn::GetLane(hn::SumOfLanes(tag, sum));
}

double exponentials_in_place(const double* x, std::size_t count) {
  constexpr std::size_t n = 4;
  Vector sum = hn::Zero(tag);
  for (std::size_t i = 0; i + n * lanes <= count; i += n * lanes) {
    Vector u[n];
    for (std::size_t k = 0; k < n; ++k)
      u[k] = hn::Load(tag, x + i + k * lanes);
    exponentiate(u);
    for (std::size_t k = 0; k < n; ++k)
      sum = hn::Add(sum, u[k]);
  }
  return hn::GetLane(hn::SumOfLanes(tag, sum));
}

double lane_count() {
  return static_cast<double>(lanes);
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {
HWY_EXPORT(chains);
HWY_EXPORT(exponentials_in_place);
HWY_EXPORT(lane_count);
} // namespace normdyn::attention

namespace normdyn::bench {

namespace {
template <class F>
double shortest_ns(int repeats, F f) {
  double shortest = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    shortest = std::min(shortest, time.count());
  }
  return shortest;
}
} // namespace

MachineLimits measure_limits() {
  using namespace attention;
  constexpr long repeats = 20000;
  constexpr std::size_t count = 2048;
  alignas(64) static double x[count];
  for (std::size_t i = 0; i < count; ++i)
    x[i] = -0.01 * static_cast<double>(i);
  volatile double sink = 0.0;
  const double lanes = HWY_DYNAMIC_DISPATCH(lane_count)();
  const double fma = shortest_ns(40, [&] { sink = HWY_DYNAMIC_DISPATCH(chains)(repeats); });
  const double exp = shortest_ns(2000, [&] { sink = HWY_DYNAMIC_DISPATCH(exponentials_in_place)(x, count); });
  return {12.0 * repeats * lanes / fma, exp / count, lanes};
}

} // namespace normdyn::bench
#endif
