#pragma once
// Which law a decay follows: exponential, stretched (in sqrt(1+t)) or power. Two witnesses:
//
//   curvature   u u''/u'^2 = 1 - d(u/u')/dt    -> 1 under the exponential and the stretched law, 1 + 1/p under a power
//   residuals   root mean square of log u minus each law, fitted
//
// A power law has one parameter more, and is an exponential for p -> infinity: it is chosen only if its residual is
// less than half of the others' and the interval of the curvature lies above 1. A stretched law is chosen only if its
// residual is less than two thirds of the best power law's too: over less than a decade or two the two look alike.

#include "normdyn/analysis/decay_fits.hpp"

#include <array>

namespace normdyn::analysis {

enum class Model { exponential, stretched, power };
inline constexpr std::array all_models{Model::exponential, Model::stretched, Model::power};
[[nodiscard]] const char* model_name(Model model);

struct ModelChoice {
  Model model = Model::exponential;
  Estimate curvature;                              ///< u u''/u'^2
  std::array<double, all_models.size()> residuals; ///< in the order of Model; infinite where a law cannot be fitted
  std::variant<ExponentialFit, PowerFit> fit;      ///< of the chosen law
  [[nodiscard]] double residual(Model of) const { return residuals[static_cast<std::size_t>(of)]; }
};

/// decay.times are times. Refuses a window that supports no rate, one in which the best law has not settled, one in
/// which the exponential and the stretched law lie within a factor 2 of each other, and one in which a power law, of
/// any shift, comes within a factor 1.5 of the stretched law that would be chosen.
[[nodiscard]] Verdict<ModelChoice> choose_model(const Decay& decay, const FitOptions& options = {});

} // namespace normdyn::analysis
