#pragma once
#include "row.hpp"

namespace normdyn::bench {

/// Attention kernels: ns/pair = time of one evaluation / n^2, against the machine's limits. The limit counts
/// multiplications and additions at the measured rate: small_d, symmetric (3 d + 7)/2 per pair, else 2 d + 7; tiles,
/// symmetric 1.5 d and half an exponential, else 2 d and one; causal half; general weights also their projections.
[[nodiscard]] Rows kernel_rows(int repetitions);

} // namespace normdyn::bench
