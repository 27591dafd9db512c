#pragma once
// How an observable is written: a function that reads its parameters from [output] and returns a Quantity, in a file of
// its own; then one line in the registry (registry.cpp).

#include "normdyn/observables/observable.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace normdyn::observables {

inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN(); ///< missing value of a double
inline constexpr double undefined_count = -1.0;                               ///< missing value of an integer

/// What one observable measures: its variables and the pure function that fills them (sum of widths).
struct Quantity {
  std::vector<Variable> variables;
  std::function<void(const Frame& frame, std::span<double> out)> measure;
  bool needs_motion = false;
  std::string missing{}; ///< why the study cannot have it ("the scheme carries no radius"); empty if it can
};

/// Reads the parameters and describes the observable. Called with an empty [output] it must succeed: the registry
/// learns names and parameters that way.
using Maker = Quantity(core::Settings& output, const ObservableContext& context);

inline constexpr char no_radius[] = "the scheme carries no radius";

} // namespace normdyn::observables
