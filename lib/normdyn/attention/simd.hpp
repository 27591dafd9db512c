#pragma once
// The instruction set that the fast kernels run on, chosen at run time.

#include <cstddef>
#include <string>
#include <vector>

namespace normdyn::attention {

/// Name of the instruction set in use, "AVX3" for AVX-512; recorded in run files, since bits differ between sets.
[[nodiscard]] std::string simd_target();

/// All sets that this machine can run and this program holds, best first.
[[nodiscard]] std::vector<std::string> simd_targets();

/// Restricts kernels to one of simd_targets(), or to the best again with an empty name. For tests and benchmarks; not
/// while a kernel is at work.
void use_simd_target(const std::string& name);

/// out[i] = exp(x[i]), x <= 0, by the exponential inside the kernels: relative error below 2e-15 plus two roundings of
/// x, together |x| 2^-52; x below -690 give exactly 0. For tests and benchmarks.
void simd_exponentials(const double* x, double* out, std::size_t count);
/// The same in float: relative error below 2e-7 plus |x| 2^-23; x below -70 give exactly 0.
void simd_exponentials(const float* x, float* out, std::size_t count);

} // namespace normdyn::attention
