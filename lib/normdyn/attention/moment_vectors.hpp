#pragma once
// Sums of rows of moments that carry their rounding errors along, compiled for each instruction set. All rows are
// aligned, and their lengths are multiples of eight. The sum of a number of terms is sums[i] + errors[i].

#include <cstddef>

namespace normdyn::attention {

/// Adds `count` numbers to sums.
void add_compensated(const double* terms, std::size_t count, double* sums, double* errors);

/// The same for `n_rows` rows of terms, `stride` apart, each of which is replaced by the rounded sums before it.
void replace_by_sums_before(double* rows, std::size_t n_rows, std::size_t stride, std::size_t count, double* sums,
                            double* errors);

} // namespace normdyn::attention
