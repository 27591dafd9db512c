#pragma once
// Times the kernels of cost O(n) against the machine's limits and against the sums over pairs.

#include "machine_limits.hpp"

namespace normdyn::bench {

/// Prints one row per kernel, beta and number of tokens: the degree of the series, ns per token of one evaluation, the
/// limit by multiply-adds and the share of it that is reached, and at n = 16384 how many times faster than small_d;
/// then the number of tokens from which the series is faster.
void print_sums(const MachineLimits& machine, int threads, int repeats);

} // namespace normdyn::bench
