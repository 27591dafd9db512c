#pragma once
// Where claims get their dynamics from. A claim never builds an equation of tokens itself: it asks the laboratory, so
// that a test can put deliberately wrong dynamics under every claim and see which of them notice.

#include "normdyn/dynamics/token_equation.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace normdyn::theorems {

/// Tokens at the start: n unit rows of length dim, and n positive radii.
struct Cloud {
  std::size_t n_tokens = 0, dim = 0;
  geometry::State theta, radius;
  [[nodiscard]] std::span<const double> token(std::size_t j) const { return std::span(theta).subspan(j * dim, dim); }
};

/// An equation and the state to start it from.
struct Subject {
  std::unique_ptr<dynamics::Equation> equation;
  geometry::State start;
};

class Laboratory {
 public:
  virtual ~Laboratory() = default;
  /// The tokens of `cloud` under `model`. Safe for concurrent calls.
  [[nodiscard]] virtual Subject prepare(const dynamics::TokenModel& model, const Cloud& cloud) const = 0;
};

/// The dynamics of the library: dynamics::TokenEquation.
[[nodiscard]] const Laboratory& library_dynamics();

/// Weights that never change, for TokenModel::weights.
[[nodiscard]] std::shared_ptr<const attention::WeightSchedule> fixed_weights(attention::Weights weights);

} // namespace normdyn::theorems
