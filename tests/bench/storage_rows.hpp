#pragma once
#include "row.hpp"

namespace normdyn::bench {

/// Run files: 1000 frames of 1056 tokens in 64 dimensions, in the folder for temporary files. A frame's cost is the
/// writer's time per frame; its reference is a step of dopri5 (six evaluations).
[[nodiscard]] Rows storage_rows(int repetitions);

} // namespace normdyn::bench
