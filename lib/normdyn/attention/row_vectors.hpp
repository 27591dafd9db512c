#pragma once
// Passes over rows of a few doubles, by vectors where rows have 2, 3 or 4 numbers and no gaps between them: tokens on
// the circle and the sphere. For few tokens such passes weigh as much as the sums over pairs.

#include "normdyn/attention/head_kernel.hpp"

#include <cstddef>

namespace normdyn::attention {

/// Copies rows into groups of small_d_vectors.hpp with 2 width components, the second half times `scale`; what the rows
/// do not fill is zero. `groups` has place for n_padded rows. T is double or float.
template <class T>
void rows_to_groups(const Rows& rows, std::size_t width, std::size_t n_padded, double scale, T* groups);

/// Copies groups of width + 1 components, the last for the totals, into the rows [begin, end) of `out`, of `size`
/// numbers; begin is a multiple of small_d_group.
template <class T>
void groups_to_rows(const T* groups, std::size_t width, std::size_t begin, std::size_t end, std::size_t size,
                    const HeadSums& out);

/// Divides each of `count` rows of `size` numbers by its total.
void divide_by_totals(const HeadSums& sums, std::size_t count, std::size_t size);

} // namespace normdyn::attention
