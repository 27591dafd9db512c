#include "normdyn/attention/simd.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/simd_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

template <class T>
void exponentials(const T* x, T* out, std::size_t count) {
  constexpr std::size_t at_once = 4;
  constexpr TagOf<T> t;
  alignas(64) T part[at_once * lanes_of<T>];
  for (std::size_t begin = 0; begin < count; begin += at_once * lanes_of<T>) {
    const std::size_t size = std::min(count - begin, at_once * lanes_of<T>);
    std::copy(x + begin, x + begin + size, part);
    std::fill(part + size, part + at_once * lanes_of<T>, T{0});
    VectorOf<T> u[at_once];
    for (std::size_t i = 0; i < at_once; ++i)
      u[i] = hn::Mul(hn::Load(t, part + i * lanes_of<T>), hn::Set(t, static_cast<T>(steps_per_unit_of<T>)));
    exponentiate<T>(u);
    for (std::size_t i = 0; i < at_once; ++i)
      hn::Store(u[i], t, part + i * lanes_of<T>);
    std::copy(part, part + size, out + begin);
  }
}

void double_exponentials(const double* x, double* out, std::size_t count) {
  exponentials(x, out, count);
}

void float_exponentials(const float* x, float* out, std::size_t count) {
  exponentials(x, out, count);
}

const char* target_name() {
  return hwy::TargetName(HWY_TARGET);
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(double_exponentials);
HWY_EXPORT(float_exponentials);
HWY_EXPORT(target_name);

std::string simd_target() {
  return HWY_DYNAMIC_DISPATCH(target_name)();
}

std::vector<std::string> simd_targets() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_simd_target(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (name == hwy::TargetName(target))
      hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

void simd_exponentials(const double* x, double* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(double_exponentials)(x, out, count);
}

void simd_exponentials(const float* x, float* out, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(float_exponentials)(x, out, count);
}

} // namespace normdyn::attention
#endif
