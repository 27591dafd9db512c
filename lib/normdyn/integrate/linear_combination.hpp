#pragma once
// Sums of states, the one thing that a step does besides evaluating the field: each state is read once, whatever the
// number of sums. Compiled for each instruction set, and the same bits on all: terms are added from left to right, with
// no contraction.

#include <array>
#include <cstddef>
#include <span>

namespace normdyn::integrate {

/// At most so many terms in a sum.
inline constexpr std::size_t most_terms = 14;

/// out[i] = factor[0] term[0][i] + factor[1] term[1][i] + ... for i < size. `out` may be one of the terms.
void add_up(double* out, std::span<const double* const> term, std::span<const double> factor, std::size_t size);

/// Three sums of nine terms: out[k][i] = sum_j factor[k][j] term[j][i].
void add_up_three(const std::array<double*, 3>& out, const std::array<const double*, 9>& term,
                  const std::array<std::array<double, 9>, 3>& factor, std::size_t size);

} // namespace normdyn::integrate
