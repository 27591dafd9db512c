#pragma once
// What made a run file: this program, its libraries and flags, and the machine.

#include "normdyn/storage/run_schema.hpp"

#include <string>
#include <vector>

namespace normdyn::experiment {

/// "0.1.0"
[[nodiscard]] std::string version();

/// normdyn_version, git_commit, git_dirty, build_type, compiler, cxx_flags, architecture, and the versions of Boost,
/// Eigen, HDF5 (of the headers and of the library in use), fmt, muParser and toml++.
[[nodiscard]] std::vector<storage::Fact> build_facts();

/// os, cpu_model, n_threads, rng. With `with_host` also hostname and user, which are nobody's business otherwise.
[[nodiscard]] std::vector<storage::Fact> machine_facts(bool with_host);

/// Now, in UTC, ISO 8601: "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

} // namespace normdyn::experiment
