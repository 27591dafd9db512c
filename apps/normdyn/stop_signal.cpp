#include "stop_signal.hpp"

#include "console.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

namespace normdyn::cli {
namespace {

std::atomic<bool> requested{false};
std::atomic<bool> is_acknowledged{false}; ///< at once, on a terminal
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may set it");

constexpr std::string_view acknowledgement =
    "\r\x1b[Knormdyn: stopping at the next step; what is done is kept (once more to quit at once)\n";

extern "C" void on_stop_signal(int) {
  if (requested.exchange(true))
    _exit(130);
  const int error_before = errno;
  if (is_acknowledged && ::write(STDERR_FILENO, acknowledgement.data(), acknowledgement.size()) < 0)
    is_acknowledged = false; // the terminal is gone, which may be why
  errno = error_before;
}

} // namespace

void watch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART; // writes to the run file are not torn
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) // nohup wants it ignored
      sigaction(signal, &action, nullptr);
  }
  is_acknowledged = can_rewrite_line();
}

bool stop_requested() {
  return requested.load();
}

void take_size_limits_as_errors() {
  std::signal(SIGXFSZ, SIG_IGN);
}

void take_closed_pipes_as_errors() {
  std::signal(SIGPIPE, SIG_IGN);
}

} // namespace normdyn::cli
