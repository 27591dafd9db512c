#pragma once
// The shift of each query's scores: a bound of them that is safe for the exponential.
//
// Where scores are beta times cosines of unit tokens and every query is among its keys, shift = |beta|: for beta >= 0
// the largest score is that of the token itself and Z >= 1; for beta < 0 no exponent is below 2 |beta|. Otherwise
// |<q_j, k_k>| <= |q_j| max_k |k_k| over the keys seen so far. A query whose exponents could be below -2 largest_bound
// cannot be shifted so without losing all its weights; it is left to the direct kernel.

#include "normdyn/attention/head_kernel.hpp"

#include <span>

namespace normdyn::attention {

inline constexpr double largest_bound = 300.0;  ///< of |beta| |q| |k|: exp(-600) is well inside the range of doubles
inline constexpr double unit_tolerance = 1e-14; ///< of |theta|^2 for a token to count as a unit vector

enum class RowKind { unit, finite, not_finite };

/// Whether all rows are unit vectors, or at least finite.
[[nodiscard]] RowKind kind_of_rows(const Rows& rows);

/// Fills `shift` (one per query of `problem`, which lacks only that) by the bound, and sets it to +infinity where it
/// is not safe. Returns the number of queries with a safe shift.
std::size_t bound_shifts(const HeadProblem& problem, std::span<double> shift);

} // namespace normdyn::attention
