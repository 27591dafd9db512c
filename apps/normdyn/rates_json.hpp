#pragma once
#include "normdyn/analysis/decay.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace normdyn::cli {

/// What rates_text says, for programs: quantity, begin, end, n_rows, law (null: none, with "reason" and "refusal" in
/// words), and the parameters of the law as { value, low, high } with 95 % intervals.
[[nodiscard]] nlohmann::ordered_json rates_json(const analysis::Decay& decay, const std::string& quantity);

/// The same against a clock, as clock_rate_text.
[[nodiscard]] nlohmann::ordered_json clock_rate_json(const analysis::Decay& decay, const std::string& quantity,
                                                     const std::string& clock);

} // namespace normdyn::cli
