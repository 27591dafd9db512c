#pragma once
// When data support no rate, the answer is a refusal that says why, in numbers, and what to do: a value, not an error.

#include "normdyn/analysis/decay.hpp"

#include <optional>
#include <string>
#include <variant>

namespace normdyn::analysis {

struct Refusal {
  enum class Reason {
    below_rounding, ///< a value below the floor of the decay
    too_short,      ///< too few samples, too little decay, or too little time
    plateau,        ///< u hardly falls, or its rate still grows
    not_this_law,   ///< the parameter of the law drifts over the window
  };
  Reason reason = Reason::too_short;
  std::string text; ///< "still on the plateau: ...; what to do"
};

template <class Fit>
using Verdict = std::variant<Fit, Refusal>;

/// What a window must offer before a rate is read off it.
struct FitOptions {
  std::size_t least_samples = 8;
  double least_fall = 1.0;    ///< of log u: a factor e
  double least_stretch = 2.2; ///< last time over first, for power laws: a third of a decade
  double settled = 0.1;       ///< by how much a parameter may differ between parts of the window, relative
};

/// Below rounding, too few samples, or too little decay; no refusal otherwise.
[[nodiscard]] std::optional<Refusal> refuse_window(const Decay& decay, const FitOptions& options);
/// Too little time for a power law.
[[nodiscard]] std::optional<Refusal> refuse_stretch(const Decay& decay, const FitOptions& options);
/// One parameter of a law by parts of the window, each half of its samples long.
struct ParameterByParts {
  double whole, first, middle, second;
};
/// A parameter (`name`) that is not positive, or differs between the parts by more than options.settled of the whole. A
/// plateau if the rate -u'/u grows by as much after the first quarter of the window, another law otherwise.
[[nodiscard]] std::optional<Refusal> refuse_drift(const Decay& decay, const FitOptions& options,
                                                  const std::string& name, const ParameterByParts& parameter);

} // namespace normdyn::analysis
