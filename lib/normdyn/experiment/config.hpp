#pragma once
// From TOML text to a core::Value tree in which every value knows its file and line. The only place that knows TOML.
//
// Precedence, later wins: defaults (of whoever reads a key) < file < environment < --set.
//   environment: NORMDYN_ATTENTION__BETA=3 sets attention.beta; NORMDYN__SEED=3 sets the root key seed. Section and key
//   are
//                lower-cased and joined by two underscores; variables without two underscores are not ours, and
//                those that name a key with one (NORMDYN_SEED) are refused.
//   --set:       attention.beta=3; the right side is a TOML value, and what is no TOML value is taken as a text.

#include "normdyn/core/value.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace normdyn::experiment {

struct Config {
  core::Value root;
  std::string source;                   ///< its name in messages: "studies/words.toml"
  std::string text{};                   ///< verbatim
  std::string folder = ".";             ///< relative paths in it are relative to this
  std::vector<core::Value> overrides{}; ///< one text per path set from outside, with its place
};

/// Parses TOML text. Throws InputError with "source:line", quoting the line, when it is no TOML (a key given twice
/// included).
[[nodiscard]] Config parse_config(std::string text, std::string source, std::string folder = ".");

/// Reads and parses a file. Throws FileError when it cannot be read.
[[nodiscard]] Config load_config(const std::string& path);

/// Applies "section.key=value". Throws InputError when it has no '=', an empty key, or an unclosed value.
void apply_set(Config& config, std::string_view assignment);

/// Applies every NORMDYN_<SECTION>__<KEY> of `environment` ("NAME=value" entries), in the order of their names. Throws
/// InputError for one that names a key with one underscore.
void apply_environment(Config& config, std::vector<std::string> environment);

/// The value that `text` is in TOML, or the text itself.
[[nodiscard]] core::Value parse_value(std::string_view text, const core::Place& place);

} // namespace normdyn::experiment
