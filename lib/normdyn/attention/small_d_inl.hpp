// What both loops of small_d_vectors.hpp share, for each instruction set (included once per set, see Highway's
// foreach_target).

#if defined(NORMDYN_SMALL_D_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMDYN_SMALL_D_INL
#undef NORMDYN_SMALL_D_INL
#else
#define NORMDYN_SMALL_D_INL
#endif

#include "normdyn/attention/small_d_vectors.hpp"

#include "normdyn/attention/exponential_inl.hpp"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

template <class T>
constexpr std::size_t group = small_d_group<T>;

// Where component c of token i is, in groups of `Size` components.
template <std::size_t Size, class T>
HWY_INLINE T* component(T* groups, std::size_t i, std::size_t c) {
  constexpr std::size_t g = group<std::remove_const_t<T>>;
  return groups + (i / g * Size + c) * g + i % g;
}

// Calls f with the width as a constant.
template <class F>
void with_width(std::size_t width, const F& f) {
  switch (width) {
  case 2:
    return f(std::integral_constant<std::size_t, 2>{});
  case 3:
    return f(std::integral_constant<std::size_t, 3>{});
  case 4:
    return f(std::integral_constant<std::size_t, 4>{});
  case 6:
    return f(std::integral_constant<std::size_t, 6>{});
  case 8:
    return f(std::integral_constant<std::size_t, 8>{});
  default:
    return f(std::integral_constant<std::size_t, 12>{});
  }
}

// The loops over keys, of small_d_rows_vectors.cpp.
template <class T>
void rows_of_any_width(const SmallDRows<T>& p, std::size_t block);

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
