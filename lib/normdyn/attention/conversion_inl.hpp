// Numbers on their way from double to the scalar of a kernel and back, for each instruction set (included once per set,
// see Highway's foreach_target).

#if defined(NORMDYN_CONVERSION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMDYN_CONVERSION_INL
#undef NORMDYN_CONVERSION_INL
#else
#define NORMDYN_CONVERSION_INL
#endif

#include "normdyn/attention/exponential_inl.hpp"
#include "normdyn/attention/head_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// As narrowed() has it; any alignment.
template <class T>
HWY_INLINE void store_narrowed(Vector x, T* out) {
  constexpr hn::Rebind<T, Tag> to;
  if constexpr (std::is_same_v<T, double>)
    hn::StoreU(x, to, out);
  else {
    const auto largest = hn::Set(tag, double{std::numeric_limits<T>::max()});
    hn::StoreU(hn::DemoteTo(to, hn::Min(hn::Max(x, hn::Neg(largest)), largest)), to, out);
  }
}

template <class T>
HWY_INLINE Vector load_widened(const T* in) {
  constexpr hn::Rebind<T, Tag> from;
  if constexpr (std::is_same_v<T, double>)
    return hn::LoadU(from, in);
  else
    return hn::PromoteTo(tag, hn::LoadU(from, in));
}

// out[i] = scale in[i]; any alignment.
template <class T>
HWY_INLINE void narrow(const double* in, std::size_t count, double scale, T* out) {
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    store_narrowed(hn::Mul(hn::LoadU(tag, in + i), hn::Set(tag, scale)), out + i);
  for (; i < count; ++i)
    out[i] = narrowed<T>(in[i] * scale);
}

template <class T>
HWY_INLINE void widen(const T* in, std::size_t count, double* out) {
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(load_widened(in + i), tag, out + i);
  for (; i < count; ++i)
    out[i] = double{in[i]};
}

// sums[i] += terms[i]; sums are aligned.
HWY_INLINE void add_widened(VectorOf<double> terms, double* sums) {
  hn::Store(hn::Add(hn::Load(tag, sums), terms), tag, sums);
}
HWY_INLINE void add_widened(VectorOf<float> terms, double* sums) {
#if HWY_TARGET == HWY_SCALAR
  add_widened(hn::PromoteTo(tag, terms), sums);
#else
  constexpr hn::Rebind<float, Tag> half;
  add_widened(hn::PromoteTo(tag, hn::LowerHalf(half, terms)), sums);
  add_widened(hn::PromoteTo(tag, hn::UpperHalf(half, terms)), sums + lanes);
#endif
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
