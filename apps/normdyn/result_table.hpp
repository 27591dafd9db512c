#pragma once
// What `run` prints of its cases.

#include "normdyn/experiment/run_case.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace normdyn::cli {

/// One line per case: case, clusters, mean cosine, clock, steps, evaluations, outcome, seconds.
[[nodiscard]] std::string table_text(const std::vector<experiment::CaseResult>& results, bool in_color);
/// A few clusters of each case, as the labels of their tokens.
[[nodiscard]] std::string clusters_text(const std::vector<experiment::CaseResult>& results);
[[nodiscard]] nlohmann::ordered_json results_json(const std::vector<experiment::CaseResult>& results,
                                                  experiment::ExitCode code);

} // namespace normdyn::cli
