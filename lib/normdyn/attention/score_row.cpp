#include "normdyn/attention/score_row.hpp"

#include "normdyn/attention/lanes.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace normdyn::attention {
namespace {

constexpr double ln2_high = 0x1.62e42feep-1; // trailing zeros: integer multiples up to 2^20 are exact
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double round_shift = 0x1.8p52; // adding it rounds to an integer, held in the low bits
constexpr double smallest = -708.0;      // exp of it is the last well inside the normal range

// 1/k!, k = 13 ... 2: the remainder of the series at |r| <= ln(2)/2 is below 5e-18.
constexpr double coefficients[] = {1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
                                   1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
                                   1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        0.5};

} // namespace

NORMDYN_EACH_TARGET double scale_scores(double* scores, std::size_t count, double beta) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  const std::size_t padded = (count + n_lanes - 1) / n_lanes * n_lanes;
  Lanes largest = Lanes{} + lowest;
  std::fill(scores + count, scores + padded, scores[0]); // changes no maximum
  for (std::size_t k = 0; k < padded; k += n_lanes) {
    LanesInMemory* here = reinterpret_cast<LanesInMemory*>(scores + k);
    const Lanes scaled = *here * beta;
    *here = scaled;
    largest = scaled > largest ? scaled : largest;
  }
  std::fill(scores + count, scores + padded, lowest);
  double maximum = lowest;
  for (std::size_t i = 0; i < n_lanes; ++i)
    maximum = std::max(maximum, largest[i]);
  return maximum;
}

NORMDYN_EACH_TARGET ExponentialSums exponentiate(double* scores, std::size_t count, double shift) {
  Lanes total{}, weighted{};
  for (std::size_t k = 0; k < count; k += n_lanes) {
    LanesInMemory* here = reinterpret_cast<LanesInMemory*>(scores + k);
    const Lanes exponent = *here - shift;
    const LaneBits vanishes = exponent < smallest;
    const Lanes x = vanishes ? Lanes{} + smallest : exponent;
    // exp(x) = 2^m exp(r), m = round(x / ln 2), r = x - m ln 2
    const Lanes shifted = x * 0x1.71547652b82fep0 + round_shift;
    const Lanes m = shifted - round_shift;
    const Lanes r = (x - m * ln2_high) - m * ln2_low;
    Lanes series = Lanes{} + coefficients[0];
    for (std::size_t i = 1; i < std::size(coefficients); ++i)
      series = series * r + coefficients[i];
    const Lanes mantissa = 1.0 + (r + r * r * series);
    const LaneBits power = (reinterpret_cast<LaneBits>(shifted) + 1023) << 52;
    const Lanes value = vanishes ? Lanes{} : mantissa * reinterpret_cast<Lanes>(power);
    *here = value;
    total += value;
    weighted += value * x;
  }
  ExponentialSums sums;
  for (std::size_t i = 0; i < n_lanes; ++i) {
    sums.total += total[i];
    sums.weighted += weighted[i];
  }
  return sums;
}

} // namespace normdyn::attention
