#pragma once
// All cases of a config, checked before the first is run.

#include "normdyn/experiment/study.hpp"

#include <functional>
#include <string>
#include <vector>

namespace normdyn::experiment {

struct PlannedCase {
  Case one;
  std::string path;  ///< of its run file
  std::string label; ///< "pre_ln", "power(p,q) p=0.5 q=1"
};

/// Reads every case and hands it to `check`. Throws what read_study and `check` throw, and InputError when two cases
/// would write one file.
[[nodiscard]] std::vector<PlannedCase> plan_cases(const Config& config, const StudyOptions& options,
                                                  const std::function<void(const Study&)>& check);

/// The label of a case for people: the study's own, and the swept values that it does not say.
[[nodiscard]] std::string case_label(const std::string& label, const std::string& scheme,
                                     const std::vector<Varied>& varied);

} // namespace normdyn::experiment
