// The exponential inside the kernels, for each instruction set (included once per set, see Highway's foreach_target).
//
// A kernel lets its scores come out in steps of 2^(1/steps): u = x steps / ln 2, by scaling one factor of the scalar
// product. Then exp(x) = 2^(u/steps) = 2^(k/steps) 2^(r/steps), k = round(u), r = u - k exact, |r| <= 1/2.
//   eight lanes: steps = 8, 2^(r/8) of degree 6, 2^(j/8) looked up in a register: relative error below 2e-15
//   fewer lanes: steps = 1, 2^r of degree 11: relative error below 1e-15
// u = 0 gives exactly 1; exponents below exponent_floor (and NaN) give exactly 0, so that nothing is ever subnormal.

#if defined(NORMDYN_EXPONENTIAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMDYN_EXPONENTIAL_INL
#undef NORMDYN_EXPONENTIAL_INL
#else
#define NORMDYN_EXPONENTIAL_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using BitTag = hn::RebindToSigned<Tag>;
using Vector = hn::Vec<Tag>;
constexpr Tag tag;
constexpr BitTag bit_tag;
constexpr std::size_t lanes = hn::MaxLanes(tag);

constexpr double exponent_floor = -690.0;

constexpr long double ln2 = 0.693147180559945309417232121458176568L;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr int steps = 8;
// Bits of 2^(j/8), less what shifting k = 8 m + j adds to them beyond m in the exponent.
constexpr std::int64_t table_entry(double power, std::int64_t j) {
  return std::bit_cast<std::int64_t>(power) - (j << 49);
}
alignas(64) constexpr std::int64_t power_table[8] = {
    table_entry(1.0, 0),
    table_entry(1.0905077326652576592070107, 1),
    table_entry(1.1892071150027210667174999, 2),
    table_entry(1.2968395546510096659337541, 3),
    table_entry(1.4142135623730950488016887, 4),
    table_entry(1.5422108254079408236122919, 5),
    table_entry(1.6817928305074290860622510, 6),
    table_entry(1.8340080864093424634870832, 7),
};
#else
constexpr int steps = 1;
#endif

namespace polynomial { // (ln 2 / steps)^i / i!, the coefficients of Taylor's series
constexpr long double taylor(int i) {
  long double term = 1.0L;
  for (int k = 1; k <= i; ++k)
    term *= ln2 / (steps * k);
  return term;
}
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// Up to r^6; r^7 is replaced by what Chebyshev's T_7 leaves of it on [-1/2, 1/2].
constexpr long double next = taylor(7), share[] = {0, 7.0L / 4096, 0, -7.0L / 128, 0, 7.0L / 16, 0};
#else
// Up to r^11; r^12 is replaced by what Chebyshev's T_12 leaves of it on [-1/2, 1/2].
constexpr long double next = taylor(12) / 8388608,
                      share[] = {0, 0, 288, 0, -13440, 0, 229376, 0, -1769472, 0, 6291456, 0};
#endif
template <std::size_t... I>
constexpr auto make(std::index_sequence<I...>) {
  return std::array{static_cast<double>(taylor(I) + next * share[I])...};
}
constexpr auto coefficients = make(std::make_index_sequence<std::size(share)>{});
} // namespace polynomial

constexpr std::size_t degree = polynomial::coefficients.size() - 1;
constexpr double steps_per_unit = static_cast<double>(steps / ln2); ///< u = x steps_per_unit

// 2^(k/steps) for the integer k held in the low bits of `shifted`.
HWY_INLINE Vector power_of_two(Vector shifted) {
  const auto k = hn::BitCast(bit_tag, shifted);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#if HWY_IS_DEBUG_BUILD // the machine takes k modulo 8 by itself; Highway checks the range in debug builds
  const auto index = hn::And(k, hn::Set(bit_tag, std::int64_t{7}));
#else
  const auto index = k;
#endif
  const auto entry = hn::TableLookupLanes(hn::Load(bit_tag, power_table), hn::IndicesFromVec(bit_tag, index));
  return hn::BitCast(tag, hn::Add(entry, hn::ShiftLeft<49>(k)));
#else
  return hn::BitCast(tag, hn::ShiftLeft<52>(hn::Add(k, hn::Set(bit_tag, std::int64_t{1023}))));
#endif
}

// u[i] = 2^(u[i]/steps), each stage for all i before the next, so that N chains are under way at once.
template <std::size_t N>
HWY_INLINE void exponentiate(Vector (&u)[N]) {
  const Vector round = hn::Set(tag, 0x1.8p52); // adding it rounds to an integer
  const Vector floor = hn::Set(tag, exponent_floor * steps_per_unit);
  Vector shifted[N], series[N];
  hn::Mask<Tag> counts[N];
  for (std::size_t i = 0; i < N; ++i)
    counts[i] = hn::Ge(u[i], floor);
  for (std::size_t i = 0; i < N; ++i)
    shifted[i] = hn::Add(u[i], round);
  for (std::size_t i = 0; i < N; ++i)
    u[i] = hn::Sub(u[i], hn::Sub(shifted[i], round));
  for (std::size_t i = 0; i < N; ++i)
    series[i] = hn::Set(tag, polynomial::coefficients[degree]);
  for (std::size_t power = degree; power > 0; --power)
    for (std::size_t i = 0; i < N; ++i)
      series[i] = hn::MulAdd(series[i], u[i], hn::Set(tag, polynomial::coefficients[power - 1]));
  for (std::size_t i = 0; i < N; ++i)
    u[i] = hn::IfThenElseZero(counts[i], hn::Mul(series[i], power_of_two(shifted[i])));
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
