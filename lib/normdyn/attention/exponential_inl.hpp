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

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using BitTag = hn::RebindToSigned<Tag>;
using Vector = hn::Vec<Tag>;
constexpr Tag tag;
constexpr BitTag bit_tag;
constexpr std::size_t lanes = hn::MaxLanes(tag);

constexpr long double ln2 = 0.693147180559945309417232121458176568L;
constexpr double exponent_floor = -690.0;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr int steps = 8;
constexpr long double a = ln2 / 8, a2 = a * a, a3 = a2 * a, a4 = a2 * a2;
// Taylor up to r^6; r^7 is replaced by what Chebyshev's T_7 leaves of it on [-1/2, 1/2].
constexpr long double left = a4 * a3 / 5040;
constexpr double coefficients[] = {1.0,
                                   static_cast<double>(a + left * 7 / 4096),
                                   static_cast<double>(a2 / 2),
                                   static_cast<double>(a3 / 6 - left * 7 / 128),
                                   static_cast<double>(a4 / 24),
                                   static_cast<double>(a4* a / 120 + left * 7 / 16),
                                   static_cast<double>(a4* a2 / 720)};
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
constexpr long double a = ln2, a2 = a * a, a3 = a2 * a, a4 = a2 * a2, a8 = a4 * a4;
// Taylor up to r^11; r^12 is replaced by what Chebyshev's T_12 leaves of it on [-1/2, 1/2].
constexpr long double left = a8 * a4 / 479001600;
constexpr double coefficients[] = {1.0,
                                   static_cast<double>(a),
                                   static_cast<double>(a2 / 2 + left * 288 / 8388608),
                                   static_cast<double>(a3 / 6),
                                   static_cast<double>(a4 / 24 - left * 13440 / 8388608),
                                   static_cast<double>(a4* a / 120),
                                   static_cast<double>(a4* a2 / 720 + left * 229376 / 8388608),
                                   static_cast<double>(a4* a3 / 5040),
                                   static_cast<double>(a8 / 40320 - left * 1769472 / 8388608),
                                   static_cast<double>(a8* a / 362880),
                                   static_cast<double>(a8* a2 / 3628800 + left * 6291456 / 8388608),
                                   static_cast<double>(a8* a3 / 39916800)};
#endif
constexpr std::size_t degree = std::size(coefficients) - 1;
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
    series[i] = hn::Set(tag, coefficients[degree]);
  for (std::size_t power = degree; power > 0; --power)
    for (std::size_t i = 0; i < N; ++i)
      series[i] = hn::MulAdd(series[i], u[i], hn::Set(tag, coefficients[power - 1]));
  for (std::size_t i = 0; i < N; ++i)
    u[i] = hn::IfThenElseZero(counts[i], hn::Mul(series[i], power_of_two(shifted[i])));
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
