#pragma once
// Include before anything of Highway: the instruction sets that kernels are compiled for. Sets without a fixed vector
// length are left out, since the kernels keep arrays of vectors in registers; such machines use NEON.

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
