#pragma once
// What the instruction set in use can do on this machine at most: measured in the same run as what is held against it.

#include "stopwatch.hpp"

namespace normdyn::bench {

struct MachineLimits {
  double fma_per_ns; ///< fused multiplications and additions of doubles on one core, all lanes counted
  double exp_ns;     ///< time of one exponential of the kernels, in a loop over the first-level cache
};

/// The pieces of work behind the limits, to be timed among those that are held against them: in windows of the same
/// length, so that the clock of the processor and the ticks of the system count for both.
void add_limits(Stopwatch& watch);
[[nodiscard]] MachineLimits limits(const Stopwatch& watch);

} // namespace normdyn::bench
