#pragma once
// The shift of each query's scores: a bound of them that is safe for the exponential.
//
// Where scores are beta times cosines of unit tokens and every query is among its keys, shift = |beta|: for beta >= 0
// the largest score is that of the token itself and Z >= 1; for beta < 0 no exponent is below 2 |beta|. Otherwise
// |<q_j, k_k>| <= |q_j| max_k |k_k| over the keys seen so far. A query whose exponents could be below -2 largest_bound
// cannot be shifted so without losing all its weights; it is not safe and left to another kernel: in float64 to the
// direct one, in float32 to those in float64.

#include "normdyn/attention/head_kernel.hpp"

#include <limits>
#include <span>

namespace normdyn::attention {

inline constexpr double largest_bound = 300.0; ///< of |beta| |q| |k|: exp(-600) is well inside the range of doubles

/// What is safe in a scalar.
struct SafeRange {
  double largest_bound; ///< of |beta| |q| |k|, where it is only a bound: exp(-2 largest_bound) is well inside the range
  double largest_beta;  ///< where |beta| is the largest score itself
  double largest_norm;  ///< of q, of beta k and of v
  double least_value;   ///< of the longest v that a query sees, unless that is 0: sums of exp(-2 largest_bound) v
};
[[nodiscard]] constexpr SafeRange safe_range(Precision precision) {
  constexpr double any = std::numeric_limits<double>::infinity();
  return precision == Precision::float64 ? SafeRange{largest_bound, any, any, 0.0}
                                         : SafeRange{30.0, 4096.0, 1e20, 1e-10};
}

inline constexpr double unit_tolerance = 1e-14; ///< of |theta|^2 for a token to count as a unit vector

enum class RowKind { unit, finite, not_finite };

/// Whether all rows are unit vectors, or at least finite.
[[nodiscard]] RowKind kind_of_rows(const Rows& rows);

/// What is known of a problem.
struct ProblemKind {
  bool has_plain_scores = false; ///< beta times cosines of unit tokens, and every query is among its keys
  bool has_unit_values = false;
};

/// Fills `shift` (one per query of `problem`, which lacks only that) by the bound, and sets it to +infinity where it
/// is not safe. Returns the number of queries with a safe shift.
std::size_t bound_shifts(const HeadProblem& problem, ProblemKind kind, const SafeRange& range, std::span<double> shift);

} // namespace normdyn::attention
