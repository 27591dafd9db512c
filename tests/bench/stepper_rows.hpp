#pragma once
#include "row.hpp"

namespace normdyn::bench {

/// What stepping costs besides the vector field: processor time of a run without output per evaluation, against that of
/// an evaluation alone. Post-LN from uniform tokens at beta = 5, one thread, both timed in turn.
[[nodiscard]] Rows stepper_rows(int repetitions);

} // namespace normdyn::bench
