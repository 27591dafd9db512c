#pragma once

namespace normdyn::cli {

/// From now on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 asks the work to stop after its step, and says so on a
/// terminal; a second one quits at once with 130. Under nohup SIGHUP stays ignored.
void watch_stop_signals();
[[nodiscard]] bool stop_requested();

/// A file that reaches the size limit of the shell or the cluster (ulimit -f) becomes an error of its write, as a full
/// disk is one, instead of the death of the program.
void take_size_limits_as_errors();

/// A reader that has gone (`| head`, a pager that was left) becomes an error of the write, for verbs that have more to
/// do than to print.
void take_closed_pipes_as_errors();

} // namespace normdyn::cli
