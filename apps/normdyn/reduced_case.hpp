#pragma once
// A study as the equiangular reduction sees it: n tokens at one cosine with one radius, at given times.

#include "normdyn/experiment/plan.hpp"
#include "normdyn/reduced/digits.hpp"
#include "normdyn/reduced/equiangular_equation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace normdyn::cli {

struct ReducedCase {
  std::string label;
  reduced::EquiangularModel model;
  double cosine = 0.0, radius = 1.0; ///< at the begin
  double begin = 0.0;
  double layer_step = 0.0;     ///< 0 for a flow
  std::vector<double> times{}; ///< increasing
};

/// Throws core::InputError, naming the key, for a study that is not equiangular (another law, unequal norms, weights, a
/// mask, unnormalized attention), that ends by a condition, or whose output.states gives no times.
[[nodiscard]] ReducedCase reduced_case(const experiment::PlannedCase& planned, const experiment::Study& study);

/// The same for quadrature in many digits: throws also for layers, a begin other than 0, a beta(t) that changes,
/// `formula`, and an alpha(t) that is no power law.
[[nodiscard]] reduced::DigitsModel digits_model(const experiment::PlannedCase& planned, const experiment::Study& study,
                                                const ReducedCase& one);

} // namespace normdyn::cli
