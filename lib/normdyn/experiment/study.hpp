#pragma once
// One case, read and checked: everything that a run needs, and nothing computed yet. Sections of the config:
//   title, seed
//   [initial]    normdyn/initial           defines n and d for formulas
//   [attention]  kind, mask, beta, heads   defines beta (its value at the start)
//   [weights]    normdyn/attention
//   [scheme]     normdyn/schemes, label
//   [time]       mode, begin, end | layers, step, stop
//   [solver]     normdyn/integrate, kernel, kernel_precision, variables (a flow only)
//   [output]     file, states, observables, record, events, cluster_angle, deflate, float32, flush_seconds, host

#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/experiment/sweep.hpp"
#include "normdyn/initial/initial_state.hpp"
#include "normdyn/integrate/solve.hpp"
#include "normdyn/storage/run_schema.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace normdyn::experiment {

struct TimePlan {
  core::Interval span;
  bool in_layers = false;
  std::int64_t n_layers = 0; ///< 0 for a flow
  double step = 0.0;         ///< of a layer
};

struct OutputOptions {
  std::string path;           ///< of the run file, resolved
  double cluster_angle = 0.0; ///< radians
  int deflate = 0;
  bool float32 = false;
  double flush_seconds = 1.0;
  bool with_host = false; ///< host and user name in the file
};

struct Study {
  std::string title;
  std::uint64_t seed = 0;
  initial::InitialState initial;
  dynamics::TokenModel model;
  std::string scheme, label;
  std::vector<Varied> varied;
  TimePlan time;
  integrate::SolveOptions solve;
  integrate::SolvePlan plan;
  /// Mean cosine and clusters of the last frame, for the table; parameters as in [output].
  std::vector<std::unique_ptr<observables::Observable>> closing;
  OutputOptions output;
  std::vector<storage::RunInput> inputs;
  core::Value resolved; ///< everything that was read, defaults included
  core::Value changed;  ///< the same without what has its default value
  std::string source_text, source_name, folder;
};

/// Where a run file goes when the caller says so.
struct StudyOptions {
  std::string output{}; ///< pattern relative to the working folder; empty: output.file, relative to the config's folder
  bool without_tokens = false; ///< makes none where [initial] has one cosine, as for the reduction
};

/// Reads and checks one case. Throws InputError for anything wrong, a key that nobody read included, and FileError for
/// inputs that cannot be read. Writes nothing.
[[nodiscard]] Study read_study(const Case& one, const Config& config, const StudyOptions& options = {});

/// The times at which the equation of the study jumps, strictly inside its span.
[[nodiscard]] std::vector<double> breakpoints(const Study& study);

/// The attention kernel that solver.kernel comes down to at the beginning of the run: "small_d", or "tiles, float32".
[[nodiscard]] std::string kernel_in_use(const Study& study);

/// The equation and its first state.
[[nodiscard]] dynamics::TokenEquation make_equation(const Study& study);

} // namespace normdyn::experiment
