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

std::size_t bound_shifts(const HeadProblem& problem, std::span<double> shift) {
  std::size_t n_safe = 0, n_keys = 0;
  double longest = 0.0;
  for (std::size_t j = 0; j < problem.query.count; ++j) {
    for (; n_keys < problem.seen(j); ++n_keys)
      longest = std::max(longest, geometry::norm({problem.key.row(n_keys), problem.key.size}));
    const double bound = std::abs(problem.beta) * geometry::norm({problem.query.row(j), problem.query.size}) * longest;
    const bool is_safe = bound <= largest_bound;
    shift[j] = is_safe ? bound : std::numeric_limits<double>::infinity();
    n_safe += is_safe ? 1 : 0;
  }
  return n_safe;
}

} // namespace normdyn::attention
