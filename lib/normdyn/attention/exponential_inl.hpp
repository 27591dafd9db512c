// The exponential inside the kernels, for each instruction set (included once per set, see Highway's foreach_target).
//
// A kernel lets its scores come out in steps of 2^(1/steps): u = x steps / ln 2, by scaling one factor of the scalar
// product. Then exp(x) = 2^(u/steps) = 2^(k/steps) 2^(r/steps), k = round(u), r = u - k exact, |r| <= 1/2.
//   AVX-512: as many steps as lanes, 2^(j/steps) looked up in a register
//     double: steps = 8, 2^(r/8) of degree 6: relative error below 2e-15; u and r in units of 64 steps
//     float: steps = 16, 2^(r/16) of degree 3: relative error below 2e-7
//   others: steps = 1
//     double: 2^r of degree 11: relative error below 1e-15
//     float: 2^r of degree 6: relative error below 2e-7
// u = 0 gives exactly 1; exponents below `floor` (and NaN) give exactly 0, so that nothing is ever subnormal.

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
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Registers of a scalar, of at most 64 bytes.
template <class T>
using TagOf = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using VectorOf = hn::Vec<TagOf<T>>;
template <class T>
constexpr TagOf<T> tag_of{};
template <class T>
constexpr std::size_t lanes_of = hn::MaxLanes(TagOf<T>{});

constexpr long double ln2 = 0.693147180559945309417232121458176568L;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr bool has_power_table = true; // the machine takes the index of a look-up modulo the number of lanes
#else
constexpr bool has_power_table = false;
#endif

// What a scalar brings: the degree of its polynomial, the least exponent that counts, the bits of a mantissa.
template <class T>
struct ExponentialOf;
template <>
struct ExponentialOf<double> {
  using Bits = std::int64_t;
  static constexpr int steps = has_power_table ? 8 : 1, degree = has_power_table ? 6 : 11, mantissa_bits = 52;
  static constexpr double floor = -690.0, round = 0x1.8p52; ///< adding `round` rounds to an integer
};
template <>
struct ExponentialOf<float> {
  using Bits = std::int32_t;
  static constexpr int steps = has_power_table ? 16 : 1, degree = has_power_table ? 3 : 6, mantissa_bits = 23;
  static constexpr float floor = -70.0F, round = 0x1.8p23F;
};

// What u and r count in, in steps; see short_series.
template <class T>
constexpr int unit_of = 1;
template <>
constexpr int unit_of<double> = has_power_table ? 64 : 1;

template <class T>
constexpr double steps_per_unit_of = static_cast<double>(ExponentialOf<T>::steps / ln2 / unit_of<T>); ///< u = x this

// Coefficients of 2^(r/steps): those of Taylor's series, (ln 2 / steps)^i / i!, up to the degree; the next power of r
// is replaced by what Chebyshev's polynomial leaves of it on [-1/2, 1/2], but for the constant, which stays 1.
template <class T>
constexpr auto make_coefficients() {
  constexpr int steps = ExponentialOf<T>::steps, next = ExponentialOf<T>::degree + 1;
  long double taylor[next + 1] = {1.0L};
  for (int i = 1; i <= next; ++i)
    taylor[i] = taylor[i - 1] * (ln2 / (steps * i));
  long double before[next + 1] = {1.0L}, chebyshev[next + 1] = {0.0L, 2.0L}; // of 2 r
  for (int n = 2; n <= next; ++n)
    for (int i = n; i >= 0; --i) {
      const long double term = (i > 0 ? 4.0L * chebyshev[i - 1] : 0.0L) - before[i];
      before[i] = chebyshev[i];
      chebyshev[i] = term;
    }
  std::array<T, next> coefficients{};
  coefficients[0] = T{1};
  for (int i = 1; i < next; ++i)
    coefficients[static_cast<std::size_t>(i)] =
        static_cast<T>(taylor[i] - taylor[next] * (chebyshev[i] / chebyshev[next]));
  return coefficients;
}
template <class T>
constexpr auto coefficients_of = make_coefficients<T>();

// 2^(r/8) / knuth::scale = (w + z + a4) w + a5, z = (r + a0) r + a1, w = (r + a2) z + a3: three multiplications, by
// Knuth's scheme for the sixth degree (The Art of Computer Programming 4.6.4). Additions run on execution units of
// their own, beside the multiplications that bound the kernels. With r in units of 64 steps the constants are of
// similar size, so that little is lost by cancellation. They follow from the coefficients of r^0 ... r^6 (Taylor's, r^7
// and r^8 replaced by what Chebyshev's polynomials leave of them), divided by that of r^6; the last digits of three are
// such that the product with the scale is exactly 1 at r = 0.
namespace knuth {
constexpr double a[] = {0.1791821419380346817, 0.4016043441959321557, -0.1381654582459631514,
                        0.21483641756682778,   -0.43168301953608434,  0.0041644516694507331};
constexpr long double scale = 40.38213724612093355L;
} // namespace knuth

template <std::size_t N>
HWY_INLINE void short_series(const VectorOf<double> (&r)[N], VectorOf<double> (&series)[N]) {
  constexpr TagOf<double> t;
  VectorOf<double> square[N], cube[N];
  for (std::size_t i = 0; i < N; ++i)
    square[i] = hn::Add(r[i], hn::Set(t, knuth::a[0]));
  for (std::size_t i = 0; i < N; ++i)
    cube[i] = hn::Add(r[i], hn::Set(t, knuth::a[2]));
  for (std::size_t i = 0; i < N; ++i)
    square[i] = hn::MulAdd(square[i], r[i], hn::Set(t, knuth::a[1]));
  for (std::size_t i = 0; i < N; ++i)
    cube[i] = hn::MulAdd(cube[i], square[i], hn::Set(t, knuth::a[3]));
  for (std::size_t i = 0; i < N; ++i)
    square[i] = hn::Add(square[i], hn::Set(t, knuth::a[4]));
  for (std::size_t i = 0; i < N; ++i)
    square[i] = hn::Add(square[i], cube[i]);
  for (std::size_t i = 0; i < N; ++i)
    series[i] = hn::MulAdd(square[i], cube[i], hn::Set(t, knuth::a[5]));
}

template <class T, std::size_t N>
HWY_INLINE void long_series(const VectorOf<T> (&r)[N], VectorOf<T> (&series)[N]) {
  constexpr TagOf<T> t;
  constexpr std::size_t degree = coefficients_of<T>.size() - 1;
  for (std::size_t i = 0; i < N; ++i)
    series[i] = hn::Set(t, coefficients_of<T>[degree]);
  for (std::size_t power = degree; power > 0; --power)
    for (std::size_t i = 0; i < N; ++i)
      series[i] = hn::MulAdd(series[i], r[i], hn::Set(t, coefficients_of<T>[power - 1]));
}

template <class T>
constexpr bool has_short_series = std::is_same_v<T, double>&& has_power_table;

// 2^(j/16)
constexpr long double powers[16] = {
    1.0L,
    1.0442737824274138403219664L,
    1.0905077326652576592070107L,
    1.1387886347566916537038302L,
    1.1892071150027210667174999L,
    1.2418578120734840485936774L,
    1.2968395546510096659337541L,
    1.3542555469368927282980147L,
    1.4142135623730950488016887L,
    1.4768261459394993113869074L,
    1.5422108254079408236122919L,
    1.6104903319492543081795206L,
    1.6817928305074290860622510L,
    1.7562521603732994831121606L,
    1.8340080864093424634870832L,
    1.9152065613971472938726112L,
};

// Bits of 2^(j/steps) (times the scale of the series), less what shifting k = steps m + j adds to them beyond m in the
// exponent.
template <class T>
constexpr auto make_power_table() {
  using Bits = typename ExponentialOf<T>::Bits;
  constexpr auto steps = static_cast<std::size_t>(ExponentialOf<T>::steps);
  constexpr long double scale = has_short_series<T> ? knuth::scale : 1.0L;
  std::array<Bits, steps> table{};
  for (std::size_t j = 0; j < steps; ++j)
    table[j] = std::bit_cast<Bits>(static_cast<T>(powers[j * (16 / steps)] * scale)) -
               static_cast<Bits>(j) * ((Bits{1} << ExponentialOf<T>::mantissa_bits) / Bits{steps});
  return table;
}
template <class T>
alignas(64) constexpr auto power_table_of = make_power_table<T>();

// 2^(k/steps) for the integer k held in the low bits of `shifted`.
template <class T>
HWY_INLINE VectorOf<T> power_of_two(VectorOf<T> shifted) {
  using Bits = typename ExponentialOf<T>::Bits;
  constexpr hn::RebindToSigned<TagOf<T>> bits;
  constexpr int mantissa = ExponentialOf<T>::mantissa_bits, steps = ExponentialOf<T>::steps;
  const auto k = hn::BitCast(bits, shifted);
  if constexpr (has_power_table) {
#if HWY_IS_DEBUG_BUILD // Highway checks the range of an index in debug builds
    const auto index = hn::And(k, hn::Set(bits, Bits{steps - 1}));
#else
    const auto index = k;
#endif
    const auto entry = hn::TableLookupLanes(hn::Load(bits, power_table_of<T>.data()), hn::IndicesFromVec(bits, index));
    return hn::BitCast(tag_of<T>, hn::Add(entry, hn::ShiftLeft<mantissa - std::countr_zero(unsigned{steps})>(k)));
  } else {
    constexpr Bits bias = std::bit_cast<Bits>(T{1}) >> mantissa;
    return hn::BitCast(tag_of<T>, hn::ShiftLeft<mantissa>(hn::Add(k, hn::Set(bits, bias))));
  }
}

// u[i] = 2^(u[i]/steps), each stage for all i before the next, so that N chains are under way at once. `Bounded`: no
// exponent is below the floor, nor NaN.
template <class T, bool Bounded = false, std::size_t N>
HWY_INLINE void exponentiate(VectorOf<T> (&u)[N]) {
  constexpr TagOf<T> t;
  const VectorOf<T> round = hn::Set(t, ExponentialOf<T>::round / T{unit_of<T>});
  const VectorOf<T> floor = hn::Set(t, static_cast<T>(double{ExponentialOf<T>::floor} * steps_per_unit_of<T>));
  VectorOf<T> shifted[N], series[N];
  hn::Mask<TagOf<T>> counts[N];
  if (!Bounded)
    for (std::size_t i = 0; i < N; ++i)
      counts[i] = hn::Ge(u[i], floor);
  for (std::size_t i = 0; i < N; ++i)
    shifted[i] = hn::Add(u[i], round);
  for (std::size_t i = 0; i < N; ++i)
    u[i] = hn::Sub(u[i], hn::Sub(shifted[i], round));
  if constexpr (has_short_series<T>)
    short_series(u, series);
  else
    long_series<T>(u, series);
  for (std::size_t i = 0; i < N; ++i) {
    u[i] = hn::Mul(series[i], power_of_two<T>(shifted[i]));
    if (!Bounded)
      u[i] = hn::IfThenElseZero(counts[i], u[i]);
  }
}

// The names of doubles, for kernels that know no other scalar.
using Tag = TagOf<double>;
using BitTag = hn::RebindToSigned<Tag>;
using Vector = VectorOf<double>;
constexpr Tag tag;
constexpr BitTag bit_tag;
constexpr std::size_t lanes = lanes_of<double>;
constexpr double steps_per_unit = steps_per_unit_of<double>;

template <std::size_t N>
HWY_INLINE void exponentiate(Vector (&u)[N]) {
  exponentiate<double>(u);
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
