#pragma once
// What the instruction set in use can do on this machine at most: measured in the same run as what is held against it.

namespace normdyn::bench {

struct MachineLimits {
  double fma_per_ns; ///< fused multiplications and additions of doubles on one core, all lanes counted
  double exp_ns;     ///< time of one exponential of the kernels, in a loop over the first-level cache
  double lanes;
};

[[nodiscard]] MachineLimits measure_limits();

} // namespace normdyn::bench
