#include "work_line.hpp"

#include "console.hpp"

#include "normdyn/report/bar.hpp"

#include <cmath>

namespace normdyn::cli {

void WorkLine::show(const std::string& label, double share) {
  const Clock::time_point now = Clock::now();
  if (!is_shown_ || now - begin_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100))
    return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double left = share > 0.0 ? elapsed * (1.0 - share) / share : std::nan("");
  print_progress("\r\x1b[K" + report::work_bar(label, share, left, terminal_width() - 1));
  is_on_screen_ = true;
}

void WorkLine::clear() {
  if (is_on_screen_)
    print_progress("\r\x1b[K");
  is_on_screen_ = false;
}

} // namespace normdyn::cli
