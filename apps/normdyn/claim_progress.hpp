#pragma once
#include "normdyn/theorems/dossier.hpp"

#include <chrono>
#include <span>
#include <string>

namespace normdyn::cli {

/// One line on stderr, rewritten at most ten times a second: claim, share of the work, time left. The work of a claim
/// is what it says it costs; the time left follows from the pace so far. Says nothing unless `is_shown`. Asks to stop
/// when a signal came.
class ClaimProgress final {
 public:
  ClaimProgress(std::span<const theorems::Claim* const> claims, bool is_shown);
  ~ClaimProgress() { clear(); }
  ClaimProgress(const ClaimProgress&) = delete;
  ClaimProgress& operator=(const ClaimProgress&) = delete;

  /// The watch of the next claim; valid until the next call.
  [[nodiscard]] theorems::Watch next();
  /// Removes the line, before anything else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double share);
  std::span<const theorems::Claim* const> claims_;
  bool is_shown_, is_on_screen_ = false;
  std::size_t n_begun_ = 0;
  double cost_before_ = 0.0, cost_of_all_ = 0.0; ///< in seconds, as the claims say
  Clock::time_point begin_, last_;
};

} // namespace normdyn::cli
