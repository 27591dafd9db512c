#include "claim_progress.hpp"

#include "console.hpp"
#include "stop_signal.hpp"

#include "normdyn/report/bar.hpp"

#include <fmt/format.h>

namespace normdyn::cli {

ClaimProgress::ClaimProgress(std::span<const theorems::Claim* const> claims, bool is_shown)
    : claims_(claims), is_shown_(is_shown), begin_(Clock::now()), last_(begin_ - std::chrono::hours(1)) {
  for (const theorems::Claim* claim : claims)
    cost_of_all_ += claim->cost_seconds;
}

theorems::Watch ClaimProgress::next() {
  if (n_begun_ > 0)
    cost_before_ += claims_[n_begun_ - 1]->cost_seconds;
  ++n_begun_;
  last_ = begin_ - std::chrono::hours(1);
  show(0.0);
  return [this](double share) {
    show(share);
    return stop_requested();
  };
}

void ClaimProgress::show(double share) {
  const Clock::time_point now = Clock::now();
  if (!is_shown_ || now - last_ < std::chrono::milliseconds(100))
    return;
  last_ = now;
  const theorems::Claim& claim = *claims_[n_begun_ - 1];
  const double done = cost_before_ + share * claim.cost_seconds;
  // Costs are those of another machine. Until some work is done, its pace is all that is known.
  constexpr double known_pace = 5.0;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double left = (cost_of_all_ - done) * (elapsed + known_pace) / (done + known_pace);
  const std::string label = fmt::format("{} ({}/{})", claim.id, n_begun_, claims_.size());
  print_progress("\r\x1b[K" + report::work_bar(label, done / cost_of_all_, left, terminal_width() - 1));
  is_on_screen_ = true;
}

void ClaimProgress::clear() {
  if (is_on_screen_)
    print_progress("\r\x1b[K");
  is_on_screen_ = false;
}

} // namespace normdyn::cli
