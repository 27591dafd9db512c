#pragma once
#include <chrono>
#include <string>

namespace normdyn::cli {

/// One line on stderr for work without simulated time, rewritten at most ten times a second: label, share, time left at
/// the average pace. Comes after a second, so that short work stays silent; says nothing unless `is_shown`.
class WorkLine final {
 public:
  explicit WorkLine(bool is_shown) : is_shown_(is_shown), begin_(Clock::now()) {}
  WorkLine(const WorkLine&) = delete;
  WorkLine& operator=(const WorkLine&) = delete;
  ~WorkLine() { clear(); }

  void show(const std::string& label, double share);
  /// Removes the line, before anything else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_shown_, is_on_screen_ = false;
  Clock::time_point begin_, last_{};
};

} // namespace normdyn::cli
