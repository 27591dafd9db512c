#pragma once
// What a study will cost, without running it.

#include "normdyn/experiment/study.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace normdyn::experiment {

struct Estimate {
  std::size_t memory_bytes = 0; ///< of states, stages, weights and frames
  std::optional<std::int64_t> state_rows,
      series_rows;                          ///< none when the steps decide them ("every step" of an adaptive method)
  std::optional<std::int64_t> output_bytes; ///< of the run file without compression; none as for the rows
  double seconds_per_evaluation = 0.0;      ///< measured here and now: the fastest of a few
  std::int64_t evaluations_per_step = 0;    ///< of an accepted step; 0 when the method chooses (bulirsch_stoer)
  std::optional<std::int64_t> n_steps;      ///< of fixed steps and layers
  std::optional<double> seconds;            ///< without observables; none for adaptive steps
};

/// Measures one evaluation of the field (or one layer) at the initial state: fractions of a second.
[[nodiscard]] Estimate estimate(const Study& study);

} // namespace normdyn::experiment
