#pragma once
// Runs one study into one run file.

#include "normdyn/experiment/study.hpp"
#include "normdyn/integrate/solve.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace normdyn::experiment {

/// Exit codes of the program, and of a case.
enum class ExitCode : int {
  done = 0,
  wrong_input = 2,   ///< usage or config
  numerical_end = 3, ///< the run ended before its end for a numerical reason; the rows until there are kept
  file_trouble = 4,
  check_failed = 5,  ///< a verification failed
  fault = 70,        ///< a fault of the program itself
  stopped = 75,      ///< stopped early by a signal or a budget; everything computed until there is kept
  interrupted = 130, ///< a second Ctrl-C: quit at once
};

/// The code of several cases: the gravest, where file trouble > numerical end > wrong input > stopped > done.
[[nodiscard]] ExitCode worst(ExitCode a, ExitCode b);

struct RunOptions {
  bool overwrite = false;
  std::string command_line{}; ///< for the file's history; may be empty
  std::string note{};         ///< added to the history: "repeats run.h5"
};

/// Watches a run.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// After each accepted step; `n_clusters` is that of the last saved row, if it is recorded. True stops the run.
  virtual bool progress(const Study& study, const integrate::Progress& progress,
                        std::optional<std::int64_t> n_clusters) = 0;
};

struct CaseResult {
  std::string scheme, label;
  std::vector<Varied> varied;
  std::string path, run_id;
  std::optional<integrate::SolveSummary> summary; ///< none when the case could not be run
  double mean_cosine = 0.0;                       ///< of the last frame; NaN for one token
  std::int64_t n_clusters = 0;                    ///< of the last frame, at output.cluster_angle
  std::vector<std::vector<std::size_t>> clusters; ///< tokens of each, largest first
  std::vector<std::string> labels;                ///< of the tokens, or empty
  std::string note;                               ///< on the initial tokens: a header that was no token
  std::string problem;                            ///< why it ended early or could not be run; empty when done
  ExitCode exit_code = ExitCode::done;
};

/// Runs the study and writes its file; makes the folder if needed. Numerical ends and stops are results. Throws
/// InputError when the output exists (unless overwrite) or is being written, FileError when it cannot be written.
[[nodiscard]] CaseResult run_case(const Study& study, const RunOptions& options, Watcher& watcher);

/// Throws InputError if the study's output exists and must not be overwritten.
void require_free_output(const Study& study, bool overwrite);

/// What stands at the head of the study's run file.
[[nodiscard]] storage::RunHeader make_header(const Study& study, const RunOptions& options);

} // namespace normdyn::experiment
