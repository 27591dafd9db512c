#include "stop_signal.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace normdyn::cli {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may set it");

extern "C" void on_stop_signal(int) {
  if (requested.exchange(true))
    _exit(130);
}

} // namespace

void watch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART; // writes to the run file are not torn
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1})
    sigaction(signal, &action, nullptr);
}

bool stop_requested() {
  return requested.load();
}

void take_size_limits_as_errors() {
  std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace normdyn::cli
