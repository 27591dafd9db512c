#include "normdyn/attention/shifts.hpp"

#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::attention {

namespace {

// Size: of the rows, 0 for any.
template <std::size_t Size>
RowKind kind_of(const Rows& rows) {
  const std::size_t size = Size > 0 ? Size : rows.size;
  double farthest[2] = {}, sum[2] = {}; // chains that do not wait; a NaN may be passed over by the maximum, not the sum
  const auto add = [&](std::size_t j, std::size_t chain) {
    const double* row = rows.row(j);
    double square = 0.0;
    for (std::size_t c = 0; c < size; ++c)
      square += row[c] * row[c];
    farthest[chain] = std::max(farthest[chain], std::abs(square - 1.0));
    sum[chain] += square;
  };
  std::size_t j = 0;
  for (; j + 2 <= rows.count; j += 2) {
    add(j, 0);
    add(j + 1, 1);
  }
  if (j < rows.count)
    add(j, 0);
  if (!std::isfinite(sum[0] + sum[1]))
    return RowKind::not_finite;
  return std::max(farthest[0], farthest[1]) <= unit_tolerance ? RowKind::unit : RowKind::finite;
}

// As geometry::norm has it, without its call where the square neither overflows nor loses digits.
double norm_of_row(const Rows& rows, std::size_t j) {
  const double* row = rows.row(j);
  const double square = rows.size == 2   ? row[0] * row[0] + row[1] * row[1]
                        : rows.size == 3 ? row[0] * row[0] + row[1] * row[1] + row[2] * row[2]
                                         : 0.0;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : geometry::norm({row, rows.size});
}

} // namespace

RowKind kind_of_rows(const Rows& rows) {
  return rows.size == 2 ? kind_of<2>(rows) : rows.size == 3 ? kind_of<3>(rows) : kind_of<0>(rows);
}

std::size_t bound_shifts(const HeadProblem& problem, ProblemKind kind, const SafeRange& range,
                         std::span<double> shift) {
  const double size = std::abs(problem.beta);
  const bool is_plain =
      kind.has_plain_scores && problem.beta >= -range.largest_bound && problem.beta <= range.largest_beta;
  const bool has_safe_values = kind.has_unit_values || std::isinf(range.largest_norm);
  if (is_plain && has_safe_values) {
    std::fill(shift.begin(), shift.end(), size);
    return shift.size();
  }
  std::size_t n_safe = 0, n_keys = 0;
  double longest = 0.0, longest_value = 0.0;
  for (std::size_t j = 0; j < problem.query.count; ++j) {
    for (; n_keys < problem.seen(j); ++n_keys) {
      longest = std::max(longest, norm_of_row(problem.key, n_keys));
      if (!has_safe_values)
        longest_value = std::max(longest_value, norm_of_row(problem.value, n_keys));
    }
    const double query = norm_of_row(problem.query, j), bound = is_plain ? size : size * query * longest;
    const bool is_safe = (is_plain || bound <= range.largest_bound) && query <= range.largest_norm &&
                         size * longest <= range.largest_norm && longest_value <= range.largest_norm &&
                         (longest_value == 0.0 || longest_value >= range.least_value);
    shift[j] = is_safe ? bound : std::numeric_limits<double>::infinity();
    n_safe += is_safe ? 1 : 0;
  }
  return n_safe;
}

} // namespace normdyn::attention
