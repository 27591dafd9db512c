#pragma once
// What the reduction says of orthogonal tokens at a given size: constants of the terminal laws, and the landmarks of a
// curve gamma(t).

#include "normdyn/theorems/terminal_runs.hpp"

#include <optional>

namespace normdyn::theorems {

/// What u e^{2x} tends to, x = int of 1/s's part in t; u r^2 where the radius moves.
[[nodiscard]] double terminal_constant(const TableRow& scheme, const OrthogonalStart& start, double tau);

/// D = lim r - t under Pre-LN and Peri-LN; none under other schemes.
[[nodiscard]] std::optional<double> time_shift(const TableRow& scheme, const OrthogonalStart& start);
/// r - t - D to first order: (n-1) R2 r0^2/(n t) under Pre-LN, half of it under Peri-LN.
[[nodiscard]] double radius_excess(const TableRow& scheme, const OrthogonalStart& start, double time);

/// The reduced equation, integrated, against its quadrature and its constants: the times at which gamma is 0.1, 0.5,
/// 0.9, 0.99 and 0.999, the constant C of gamma' and the shift D. For the record, the time from which on the local
/// exponent of u is within 1 % of its limit.
[[nodiscard]] std::vector<Evidence> landmarks(const TableRow& scheme, const OrthogonalStart& start, double tau);

} // namespace normdyn::theorems
