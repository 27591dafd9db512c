#pragma once
// Orthogonal tokens followed far into their collapse: runs seen where the reduction says that the gap u = 1 - cosine
// has given values, so that every decade of u has the same number of samples under every scheme.

#include "normdyn/analysis/decay_fits.hpp"
#include "normdyn/theorems/evidence.hpp"
#include "normdyn/theorems/table_schemes.hpp"
#include "normdyn/theorems/trial.hpp"

#include <string>
#include <variant>
#include <vector>

namespace normdyn::theorems {

/// n orthogonal tokens of radius r0.
struct OrthogonalStart {
  std::size_t n_tokens = 8;
  double beta = 1.0, radius = 1.0;
};

struct TerminalRun {
  std::vector<double> times, due_gap, due_radius; ///< what the quadrature of the reduction says
  std::vector<double> gap, radius, clock;         ///< what was measured; shorter if the run has ended early
  /// The largest |u/u_due - 1|; infinity if the run has ended early. And the same of radii.
  [[nodiscard]] double deviation() const;
  [[nodiscard]] double radius_deviation() const;
};

/// `count` gaps in equal ratios from `first` down to `last`.
[[nodiscard]] std::vector<double> falling_gaps(double first, double last, std::size_t count);

/// Errors are measured against the spread. The gap is the mean over pairs, from differences. A run that has collapsed
/// far ahead of the reduction, or that needs more steps than ten times the usual, ends early: wrong dynamics may be
/// stiff.
[[nodiscard]] TerminalRun terminal_run(const Trial& trial, const TableRow& scheme, const OrthogonalStart& start,
                                       const std::vector<double>& gaps, attention::Mask mask = attention::Mask::full);

/// A parameter of a fit against its prediction; inconclusive with the reason where the data support no fit.
template <class Fit>
[[nodiscard]] Evidence fitted_rate(std::string quantity, double predicted, const analysis::Verdict<Fit>& verdict,
                                   analysis::Estimate Fit::*parameter, double allowance) {
  if (const Fit* fit = std::get_if<Fit>(&verdict))
    return rate(std::move(quantity), predicted, fit->*parameter, allowance);
  return refused(std::move(quantity), predicted, std::get<analysis::Refusal>(verdict).text);
}

} // namespace normdyn::theorems
