#pragma once
// The front end of the kernels of cost O(n): decides at each call whether a series serves, normalizes and writes its
// output, and leaves everything else to the kernels that compute each pair.

#include "normdyn/attention/attention.hpp"

namespace normdyn::attention {

enum class SeriesChoice { automatic, fourier, harmonics };

/// Whatever a series does not serve is evaluated by the fastest of the other kernels.
[[nodiscard]] std::unique_ptr<Attention> make_series_attention(const AttentionOptions& options, Weights weights,
                                                               SeriesChoice choice);

/// What make_series_attention runs: "fourier, K = 26" (the highest power), "harmonics, L = 25" (the highest degree), or
/// the name of another kernel.
[[nodiscard]] std::string series_kernel_name(const Weights& weights, const KernelCase& at, SeriesChoice choice);

} // namespace normdyn::attention
