#pragma once
// The config as text that reads back to the same study, and the name that its content gives it.

#include "normdyn/core/value.hpp"
#include "normdyn/storage/run_schema.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace normdyn::experiment {

/// TOML: root keys first, then one [section] for each table, keys in the order of reading. Doubles round-trip.
[[nodiscard]] std::string config_text(const core::Value& resolved);

/// The first 16 hexadecimal digits of the SHA-256 of what determines the numbers of a run: the config without what has
/// its default value, keys sorted, the seed, and the bytes of the inputs in place of their paths. Left out, because no
/// number depends on them: title, scheme.label, output.{file, deflate, flush_seconds, host}; and the code version,
/// because equal studies of two versions are to be found under one name. What is saved is in: it is what the file
/// holds.
[[nodiscard]] std::string run_id(const core::Value& changed, std::uint64_t seed,
                                 const std::vector<storage::RunInput>& inputs);

} // namespace normdyn::experiment
