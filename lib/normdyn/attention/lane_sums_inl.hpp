// Sums over the lanes of many vectors at once, for each instruction set (included once per set, see Highway's
// foreach_target).

#if defined(NORMDYN_LANE_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMDYN_LANE_SUMS_INL
#undef NORMDYN_LANE_SUMS_INL
#else
#define NORMDYN_LANE_SUMS_INL
#endif

#include "normdyn/attention/exponential_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// Sums of neighboring lanes of a, then of b.
HWY_INLINE Vector neighbor_sums(Vector a, Vector b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Add(a, b); // never needed with one lane
#else
  return hn::Add(hn::ConcatEven(tag, b, a), hn::ConcatOdd(tag, b, a));
#endif
}

// Lane i of the result: the sum of the lanes of v[i].
template <std::size_t N>
HWY_INLINE Vector lane_sums(const Vector (&v)[N]) {
  if constexpr (N == 1)
    return v[0];
  else {
    Vector half[N / 2];
    for (std::size_t i = 0; i < N / 2; ++i)
      half[i] = neighbor_sums(v[2 * i], v[2 * i + 1]);
    return lane_sums(half);
  }
}

// out[i] = sum of the lanes of vector i, for `count` vectors one after another, a multiple of the lanes.
HWY_INLINE void write_lane_sums(const double* HWY_RESTRICT vectors, std::size_t count, double* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < count; i += lanes) {
    Vector v[lanes];
    for (std::size_t k = 0; k < lanes; ++k)
      v[k] = hn::Load(tag, vectors + (i + k) * lanes);
    hn::Store(lane_sums(v), tag, out + i);
  }
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
