#pragma once
// A small study, read from text in a folder of the test, and one call that runs it without an audience.

#include "normdyn/experiment/run_case.hpp"
#include "support/scratch_folder.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace normdyn::test {

inline constexpr char small_study[] = R"toml(seed = 5
[initial]
kind = "uniform"
tokens = 6
dim = 3
[attention]
beta = 2.0
[scheme]
name = "post_ln"
[time]
end = 3.0
[output]
file = "run.h5"
states = { spacing = "linear", count = 4 }
observables = { spacing = "linear", count = 7 }
record = ["mean_cosine", "n_clusters", "clock"]
)toml";

/// The config of `text` in the folder, with assignments as for --set.
inline experiment::Config config_in(const ScratchFolder& folder, const std::vector<std::string>& set = {},
                                    const std::string& text = small_study) {
  experiment::Config config = experiment::load_config(folder.write("study.toml", text));
  for (const std::string& assignment : set)
    experiment::apply_set(config, assignment);
  return config;
}

inline experiment::Study study_of(const experiment::Config& config, const experiment::StudyOptions& options = {}) {
  return experiment::read_study(experiment::expand(config).front(), config, options);
}

inline experiment::Study study_in(const ScratchFolder& folder, const std::vector<std::string>& set = {},
                                  const std::string& text = small_study) {
  return study_of(config_in(folder, set, text));
}

/// Lets a run go on until `n_steps` steps are done.
class StepCount final : public experiment::Watcher {
 public:
  explicit StepCount(std::int64_t n_steps = -1) : n_steps_(n_steps) {}
  bool progress(const experiment::Study&, const integrate::Progress& progress,
                std::optional<std::int64_t> n_clusters) override {
    last_clusters = n_clusters;
    return progress.steps == n_steps_;
  }
  std::optional<std::int64_t> last_clusters;

 private:
  std::int64_t n_steps_;
};

inline experiment::CaseResult run_of(const experiment::Study& study, const experiment::RunOptions& options = {}) {
  StepCount all;
  return experiment::run_case(study, options, all);
}

} // namespace normdyn::test
