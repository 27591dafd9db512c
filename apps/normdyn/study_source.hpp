#pragma once
// Options that run and explain share: where the study comes from, and what is set from outside.

#include "normdyn/experiment/plan.hpp"
#include "normdyn/experiment/repeat.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace normdyn::cli {

struct StudySource {
  std::string study, from, output;
  std::vector<std::string> sets;

  void add_options(CLI::App& app);
};

/// A study with everything set from outside applied. Its cases are not yet read.
struct LoadedStudy {
  experiment::Config config;
  std::optional<experiment::RunRecord> record; ///< with --from
  experiment::StudyOptions options;
};

[[nodiscard]] LoadedStudy load_study(const StudySource& source);

/// Reads and checks all cases.
[[nodiscard]] std::vector<experiment::PlannedCase> plan_study(const LoadedStudy& loaded, bool needs_free_output,
                                                              bool overwrite);

} // namespace normdyn::cli
