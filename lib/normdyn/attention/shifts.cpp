#include "normdyn/attention/shifts.hpp"

#include "normdyn/geometry/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normdyn::attention {

RowKind kind_of_rows(const Rows& rows) {
  double farthest = 0.0, sum = 0.0; // a NaN may be passed over by the maximum, not by the sum
  for (std::size_t j = 0; j < rows.count; ++j) {
    const double* row = rows.row(j);
    double square = 0.0;
    for (std::size_t c = 0; c < rows.size; ++c)
      square += row[c] * row[c];
    farthest = std::max(farthest, std::abs(square - 1.0));
    sum += square;
  }
  if (!std::isfinite(sum))
    return RowKind::not_finite;
  return farthest <= unit_tolerance ? RowKind::unit : RowKind::finite;
}

namespace {

double norm_of_row(const Rows& rows, std::size_t j) {
  return geometry::norm({rows.row(j), rows.size});
}

} // namespace

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
