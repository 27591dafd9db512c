#pragma once
// The same drift by Eigen alone, as one would write it with a good library: what the kernels are held against. Built
// for this machine's instruction set in a library of its own, whose templates do not mix with those of the baseline
// build.

#include <cstddef>

namespace normdyn::bench {

/// Full n x n scores. theta and drift: n x dim, row by row.
[[gnu::visibility("default")]] void eigen_attention(const double* theta, std::size_t n, std::size_t dim, double beta,
                                                    double* drift);
/// Upper triangle of blocks of 96 tokens, each used for both sides: half the exponentials.
[[gnu::visibility("default")]] void eigen_symmetric_attention(const double* theta, std::size_t n, std::size_t dim,
                                                              double beta, double* drift);

} // namespace normdyn::bench
