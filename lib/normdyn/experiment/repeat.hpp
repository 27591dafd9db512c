#pragma once
// Repeating a run from its own file.

#include "normdyn/experiment/study.hpp"

#include <string>
#include <vector>

namespace normdyn::experiment {

struct RunRecord {
  Config config;                         ///< the resolved config of the run
  std::vector<storage::RunInput> inputs; ///< what it read, with hashes
  std::string output;                    ///< where a repetition goes by default: "run-repeat.h5" beside the file
};

/// Reads the config of a run file. Relative inputs are looked for in the folder where the config stood when it and the
/// run file were moved together, else in the file's folder, else in the working folder. Throws FileError for what is no
/// run file.
[[nodiscard]] RunRecord read_run_record(const std::string& path);

/// Applies --set to the config of a run. What had its default then takes the default that the changed study has: with
/// another rtol, another method. Without any set the config stays as it was run.
void apply_sets(Config& config, const std::vector<std::string>& sets);

/// Throws FileError, naming the file, unless every input of the study still has the bytes that the run read. An input
/// that was named anew from outside (--set initial.file=...) must have the same bytes too.
void require_same_inputs(const Study& study, const RunRecord& record);

} // namespace normdyn::experiment
