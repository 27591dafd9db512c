#include "normdyn/attention/simd.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/simd_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

void exponentials(const double* x, double* out, std::size_t count) {
  constexpr std::size_t at_once = 4;
  alignas(64) double part[at_once * lanes];
  for (std::size_t begin = 0; begin < count; begin += at_once * lanes) {
    const std::size_t size = std::min(count - begin, at_once * lanes);
    std::copy(x + begin, x + begin + size, part);
    std::fill(part + size, part + at_once * lanes, 0.0);
    Vector u[at_once];
    for (std::size_t i = 0; i < at_once; ++i)
      u[i] = hn::Mul(hn::Load(tag, part + i * lanes), hn::Set(tag, steps_per_unit));
    exponentiate(u);
    for (std::size_t i = 0; i < at_once; ++i)
      hn::Store(u[i], tag, part + i * lanes);
    std::copy(part, part + size, out + begin);
  }
}

const char* target_name() {
  return hwy::TargetName(HWY_TARGET);
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(exponentials);
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
  HWY_DYNAMIC_DISPATCH(exponentials)(x, out, count);
}

} // namespace normdyn::attention
#endif
