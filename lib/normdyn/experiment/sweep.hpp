#pragma once
// [sweep]: dotted paths as in --set, each with the values it takes; several keys make the Cartesian product in the
// order of writing, the last one fastest.
//   attention.beta = [1, 2, 4]                                       a list
//   attention.beta = { from = 0.1, to = 9.0, count = 90 }            a grid; spacing = "linear" or "log"
//   scheme = [{ name = "post_ln" }, { name = "mix_ln", tau = 3.0 }]  tables replace the section

#include "normdyn/experiment/config.hpp"

#include <string>
#include <vector>

namespace normdyn::experiment {

/// What a swept key is in one case.
struct Varied {
  std::string path; ///< "scheme.params.p"
  std::string name; ///< its last part: "p"
  std::string text; ///< "0.1", "post_ln"; unlike that of any other value of the key
};

/// One case: the config without [sweep], with its own values put in.
struct Case {
  core::Value root;
  std::vector<Varied> varied; ///< empty without a sweep
};

/// The cases of a config, in order; one case when there is no [sweep]. A swept path that was set from outside (or whose
/// section was) has that one value. Throws InputError for what is no list and no grid, or for a setting that the sweep
/// would silently replace.
[[nodiscard]] std::vector<Case> expand(const Config& config);

/// `pattern` with each {name} replaced by the value of that name; "{{" and "}}" stand for braces. Throws InputError at
/// `place` for an unknown name, with the nearest known one.
[[nodiscard]] std::string filled(const std::string& pattern,
                                 const std::vector<std::pair<std::string, std::string>>& names,
                                 const std::string& place);

} // namespace normdyn::experiment
