#include "progress_line.hpp"

#include "console.hpp"
#include "stop_signal.hpp"

#include "normdyn/report/bar.hpp"

#include <fmt/format.h>

namespace normdyn::cli {

void ProgressLine::begin_case(std::size_t index, std::size_t count) {
  case_text_ = count > 1 ? fmt::format("{}/{} ", index + 1, count) : "";
  case_begin_ = Clock::now();
  last_ = case_begin_ - std::chrono::hours(1);
}

bool ProgressLine::progress(const experiment::Study& study, const integrate::Progress& progress,
                            std::optional<std::int64_t> n_clusters) {
  const bool stop = stop_requested();
  const Clock::time_point now = Clock::now();
  if (!is_shown_ || now - last_ < std::chrono::milliseconds(100))
    return stop;
  last_ = now;
  const report::BarFacts facts{.label = case_text_ + study.label,
                               .begin = study.time.span.begin,
                               .time = progress.time,
                               .end = study.time.span.end,
                               .step = progress.step,
                               .rejected = progress.rejected,
                               .n_clusters = n_clusters,
                               .elapsed_seconds = std::chrono::duration<double>(now - case_begin_).count()};
  print_progress("\r\x1b[K" + report::progress_bar(facts, terminal_width() - 1));
  is_on_screen_ = true;
  return stop;
}

void ProgressLine::clear() {
  if (is_on_screen_)
    print_progress("\r\x1b[K");
  is_on_screen_ = false;
}

} // namespace normdyn::cli
