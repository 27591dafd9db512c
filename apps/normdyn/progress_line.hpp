#pragma once
#include "normdyn/experiment/run_case.hpp"

#include <chrono>
#include <string>

namespace normdyn::cli {

/// One line on stderr, rewritten at most ten times a second: simulated time, step, clusters, time left. Says nothing
/// unless `is_shown`. Asks the run to stop when a signal came.
class ProgressLine final : public experiment::Watcher {
 public:
  explicit ProgressLine(bool is_shown) : is_shown_(is_shown) {}
  ~ProgressLine() override { clear(); }

  void begin_case(std::size_t index, std::size_t count);
  bool progress(const experiment::Study& study, const integrate::Progress& progress,
                std::optional<std::int64_t> n_clusters) override;
  /// Removes the line, before anything else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_shown_, is_on_screen_ = false;
  std::string case_text_;
  Clock::time_point case_begin_{}, last_{};
};

} // namespace normdyn::cli
