#pragma once
// The front end of the fast kernels: projections, shifts, heads, normalization and output around a HeadKernel, and the
// direct kernel for what they do not cover: the entropy, numbers that are not finite, and queries whose scores are so
// far below their bound that a shift by it would lose them (see shifts.hpp). In float32 the same front end in float64
// takes the place of the direct kernel.

#include "normdyn/attention/attention.hpp"

namespace normdyn::attention {

enum class KernelChoice { automatic, small_d, tiles };

/// Heads that the chosen kernel cannot take are evaluated directly.
[[nodiscard]] std::unique_ptr<Attention> make_fused_attention(const AttentionOptions& options, Weights weights,
                                                              KernelChoice choice);

/// "small_d", "tiles" or "direct": what make_fused_attention runs for tokens of `dim` components.
[[nodiscard]] std::string fused_kernel_name(const Weights& weights, std::size_t dim, KernelChoice choice);

/// The same with its precision, unless that is float64: "tiles, float32".
[[nodiscard]] std::string fused_kernel_text(const Weights& weights, std::size_t dim, KernelChoice choice,
                                            Precision precision);

} // namespace normdyn::attention
