#pragma once

namespace normdyn::cli {

/// From now on the first SIGINT, SIGTERM or SIGUSR1 asks the run to stop after its step; a second one quits at once
/// with 130.
void watch_stop_signals();
[[nodiscard]] bool stop_requested();

} // namespace normdyn::cli
