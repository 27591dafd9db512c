#pragma once
// What a window of a decay says of its rate, for people: the law, its parameters with their 95 % intervals, or a
// refusal.

#include "normdyn/analysis/decay.hpp"

#include <string>
#include <vector>

namespace normdyn::cli {

/// `quantity` is what decays ("1 - cosine"). Indented by two spaces but for the first line.
[[nodiscard]] std::string rates_text(const analysis::Decay& decay, const std::string& quantity);

/// The same against a clock of the reader's choice, named `clock`: the k of A e^(-k c), or a refusal.
[[nodiscard]] std::string clock_rate_text(const analysis::Decay& decay, const std::string& quantity,
                                          const std::string& clock);

} // namespace normdyn::cli
