#pragma once

namespace normdyn::cli {

/// From now on the first SIGINT, SIGTERM or SIGUSR1 asks the run to stop after its step; a second one quits at once
/// with 130.
void watch_stop_signals();
[[nodiscard]] bool stop_requested();

/// A file that reaches the size limit of the shell or the cluster (ulimit -f) becomes an error of its write, as a full
/// disk is one, instead of the death of the program.
void take_size_limits_as_errors();

} // namespace normdyn::cli
