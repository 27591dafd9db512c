#pragma once
// What a run file holds, as plain data: the header that is written at the start, and the summary at the end. Names and
// rules in docs/file-format.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace normdyn::storage {

inline constexpr char schema_name[] = "normdyn-run";
inline constexpr int schema_version[2] = {1, 0};

/// A text or a number with its name, for provenance.
using Fact = std::pair<std::string, std::variant<std::int64_t, double, std::string>>;

/// A variable recorded over time (mirrors observables::Variable, which this stage does not see).
struct SeriesVariable {
  std::string name, long_name;
  bool is_integer = false;
  std::vector<std::pair<std::string, std::variant<double, std::string>>> attributes{};
  std::string axis{};
  std::vector<double> axis_values{}, axis_bounds{};
  [[nodiscard]] std::size_t width() const { return axis.empty() ? 1 : axis_values.size(); }
};

/// An input that the run read: kept so that the file alone says what made it, and can repeat it.
struct RunInput {
  std::string key;     ///< config key that named it: "initial.file"
  std::string path;    ///< as written in the config
  std::string sha256;  ///< of the file's bytes
  std::string found{}; ///< where it was found, if not at `path`: the output must not be this file; not stored
};

/// One piece of weights for /parameters, row by row; empty data means identity.
struct WeightRecord {
  double from = 0.0;
  std::size_t n_heads = 1;
  struct Part {
    std::string name;                  ///< "query", "key_bias", ...
    std::size_t rows = 0, columns = 0; ///< columns = 0 for a bias
    std::vector<double> data;
  };
  std::vector<Part> parts;
};

struct RunHeader {
  std::string title, run_id, history;
  std::string source = "normdyn"; ///< "normdyn <version>"
  std::string scheme;             ///< "pre_ln"
  std::string label;              ///< the user's name for the case; the scheme when there is none
  double beta = 0.0;              ///< at the start
  std::uint64_t seed = 0;
  std::int64_t member = 0;
  std::size_t n_tokens = 0, dim = 0;
  bool has_radius = false;
  bool in_layers = false; ///< adds `layer` on the time axes
  bool with_states = true;
  /// States and observables have one schedule: observables lie on `time`, not `observable_time` (as they do without
  /// states). Then each time gets its state() and its series(), in any order, before the next time.
  bool shared_axis = true;
  std::int64_t n_states = 0; ///< how many states are planned; 0 if that is not known
  std::vector<SeriesVariable> series;
  std::vector<double> theta0, radius0; ///< radius0 always (1 where the scheme carries none)
  std::vector<std::string> labels;     ///< empty or one per token
  std::string generator, initial_note;
  std::string config;        ///< resolved, TOML
  std::string config_source; ///< as the user wrote it
  std::string command_line;
  std::vector<RunInput> inputs;
  std::vector<WeightRecord> weights;
  std::vector<Fact> provenance; ///< version, commit, compiler, flags, library versions, machine
  bool float32_states = false;
  int deflate = 0; ///< 0 none, 1-9
  double flush_seconds = 1.0;
};

enum class Status { running, completed, event, stopped, failed };
[[nodiscard]] const char* status_text(Status status); ///< "running", ...
[[nodiscard]] std::optional<Status> status_from(std::string_view text);

/// The scalar coordinates of every variable.
inline constexpr char scalar_coordinates[] = "scheme label beta n_tokens dim member seed";
/// Observables lie on `time` or on `observable_time`.
[[nodiscard]] inline bool series_lie_on_time(const RunHeader& header) {
  return header.shared_axis || !header.with_states;
}

struct EventRecord {
  std::string name;
  double time = 0.0;
  double value = 0.0; ///< NaN where the event has none
};

struct RunEnd {
  Status status = Status::completed;
  std::string stop_reason;  ///< a sentence
  std::vector<Fact> counts; ///< steps_accepted, steps_rejected, rhs_evals, wall_seconds, ..., exit_code
};

} // namespace normdyn::storage
