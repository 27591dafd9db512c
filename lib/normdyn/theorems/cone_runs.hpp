#pragma once
// Tokens in a cone under V = I and a random Q^T K of norm 1: the setting of Theorem 4.3.

#include "normdyn/theorems/starts.hpp"
#include "normdyn/theorems/table_schemes.hpp"
#include "normdyn/theorems/trial.hpp"

#include <vector>

namespace normdyn::theorems {

struct ConeStart {
  std::size_t n_tokens = 8, dim = 6;
  double beta = 2.0;
  double delta = 0.0;  ///< all cosines are >= 1 - delta
  double radius = 1.0; ///< of all tokens
  double value = 1.0;  ///< V = value I
  std::uint64_t member = 0;
};

/// 0.9 of the largest delta that the corrected Theorem 4.3 admits: min(1/(100 n^2 beta^2), 1/(100 n^2)).
[[nodiscard]] double admitted_delta(std::size_t n_tokens, double beta);

[[nodiscard]] Subject cone_subject(const Trial& trial, const schemes::AnyScheme& scheme, const ConeStart& start);

/// log Var at times that increase, up to the first below `floor`; shorter if the run has ended early.
[[nodiscard]] std::vector<double> log_variances(const Trial& trial, const Subject& subject,
                                                const std::vector<double>& times, double floor = 1e-24);

/// -(log Var)' against a clock, between neighbors: -Var'/(Var clock'), averaged over each interval.
[[nodiscard]] std::vector<double> decay_ratios(const std::vector<double>& log_variance,
                                               const std::vector<double>& clock);

} // namespace normdyn::theorems
