#pragma once
// Eight doubles that the compiler maps to the registers of each target. Operations act element by element and nothing
// is contracted, so all targets give the same bits.

#include <cstddef>
#include <cstdint>

// A function with this attribute is compiled once per instruction set; the loader takes the best the machine has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define NORMDYN_EACH_TARGET __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define NORMDYN_EACH_TARGET
#endif

namespace normdyn::attention {

inline constexpr std::size_t n_lanes = 8;
using Lanes = double __attribute__((vector_size(64)));
using LaneBits = std::int64_t __attribute__((vector_size(64)));
/// For loads and stores at any address of an array of doubles.
using LanesInMemory = double __attribute__((vector_size(64), aligned(8), may_alias));

} // namespace normdyn::attention
