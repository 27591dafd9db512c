#include "machine_limits.hpp"

#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine_limits.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include "normdyn/geometry/state.hpp"

#include <memory>

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
constexpr long repeats = 20000;
constexpr std::size_t count = 2048;
} // namespace

void add_limits(Stopwatch& watch) {
  using namespace attention;
  watch.add("multiply-adds", [] {
    volatile double sink = HWY_DYNAMIC_DISPATCH(chains)(repeats);
    static_cast<void>(sink);
  });
  auto x = std::make_shared<geometry::State>(count);
  for (std::size_t i = 0; i < count; ++i)
    (*x)[i] = -0.01 * static_cast<double>(i);
  watch.add("exponentials", [x] {
    volatile double sink = HWY_DYNAMIC_DISPATCH(exponentials_in_place)(x->data(), count);
    static_cast<void>(sink);
  });
}

MachineLimits limits(const Stopwatch& watch) {
  const double lanes = HWY_DYNAMIC_DISPATCH(attention::lane_count)();
  return {12.0 * repeats * lanes / watch.ns("multiply-adds"), watch.ns("exponentials") / count};
}

} // namespace normdyn::bench
#endif
