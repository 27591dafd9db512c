#pragma once
#include "row.hpp"

namespace normdyn::bench {

/// Kernels of cost O(n): time per token of one evaluation against the multiplications and additions of the series, and
/// at n = 16384 against the sums over pairs.
[[nodiscard]] Rows sums_rows(int repetitions);

} // namespace normdyn::bench
