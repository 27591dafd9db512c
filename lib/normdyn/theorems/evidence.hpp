#pragma once
// What a claim rests on: one line for each number that was compared with a prediction. The judges below are the only
// makers of verdicts, one for each class of statement, so that "passes" means the same in every claim.

#include "normdyn/analysis/estimate.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace normdyn::theorems {

/// Ordered from good to grave: a claim has the gravest verdict of its evidence.
enum class Verdict {
  recorded,     ///< no claim in the source: the number is reported, nothing is judged
  passes,       ///< could have failed, and did not
  inconclusive, ///< the data do not decide it: an interval too wide, runs not finished
  unresolved,   ///< the verdict changed with the tolerance of the integration
  fails,
};

[[nodiscard]] std::string_view verdict_name(Verdict verdict);
[[nodiscard]] inline Verdict gravest(Verdict a, Verdict b) {
  return a < b ? b : a;
}

enum class EvidenceKind {
  exact,     ///< an identity, to the tolerance of the method
  bound,     ///< an inequality with explicit constants, at every sampled time and seed
  rate,      ///< an exponent or a rate, with a 95 % interval
  statistic, ///< a frequency over seeds
  picture,   ///< a figure of the source, with a scalar check
  erratum,   ///< two-sided: the printed form must fail, the corrected one hold
  open,      ///< nothing claimed
};

[[nodiscard]] std::string_view kind_name(EvidenceKind kind);

/// Numbers that have no meaning for a kind are NaN.
struct Evidence {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string quantity; ///< "gamma'(0) of pre_ln, n = 64, beta = 5"
  EvidenceKind kind = EvidenceKind::open;
  double predicted = none, measured = none;
  double low = none, high = none; ///< 95 % interval of what was measured
  double allowance = none;        ///< exact: the tolerance; rate: half the width of the band; bound: the slack
  std::int64_t n_runs = 0, n_exceptions = 0, n_unfinished = 0;
  Verdict verdict = Verdict::recorded;
  std::string text{}; ///< a sentence with the numbers, for people
};

/// |measured - predicted| <= tolerance |predicted| (absolute where the prediction is 0). NaN fails.
[[nodiscard]] Evidence exact(std::string quantity, double predicted, double measured, double tolerance);

/// A residual that should vanish: 0 <= residual <= tolerance. NaN fails.
[[nodiscard]] Evidence vanishing(std::string quantity, double residual, double tolerance);

/// measured <= bound + tolerance; slack = bound - measured.
[[nodiscard]] Evidence at_most(std::string quantity, double measured, double bound, double tolerance = 0.0);
/// measured >= bound - tolerance; slack = measured - bound.
[[nodiscard]] Evidence at_least(std::string quantity, double measured, double bound, double tolerance = 0.0);

/// An equivalence test: passes if the whole interval lies within predicted (1 +- allowance) (absolute where the
/// prediction is 0), fails if it lies outside, is inconclusive if it straddles an edge.
[[nodiscard]] Evidence rate(std::string quantity, double predicted, const analysis::Estimate& measured,
                            double allowance);

/// A rate that the data do not give: inconclusive, with the reason.
[[nodiscard]] Evidence refused(std::string quantity, double predicted, std::string reason);

/// An "almost surely" statement: no exception among the runs that finished. Says "0 exceptions in N runs: probability
/// below 3/N at 95 %", never "verified". Inconclusive if fewer than half of the runs finished.
[[nodiscard]] Evidence almost_surely(std::string quantity, std::int64_t n_runs, std::int64_t n_exceptions,
                                     std::int64_t n_unfinished);

/// A frequency against a probability, by the interval of Clopper and Pearson: fails outside the 99.9 % interval (so
/// that a table of many rows does not fail by chance); the 95 % interval is printed.
[[nodiscard]] Evidence frequency(std::string quantity, double probability, std::int64_t n_runs, std::int64_t n_hits);

/// Passes if what is printed fails and what is corrected passes.
[[nodiscard]] Evidence erratum(std::string quantity, const Evidence& printed, const Evidence& corrected);

/// The scalar check of a regenerated figure.
[[nodiscard]] Evidence picture(Evidence check);

/// A number for the record.
[[nodiscard]] Evidence recorded(std::string quantity, double measured, std::string text = {});

[[nodiscard]] Verdict verdict_of(const std::vector<Evidence>& evidence);

} // namespace normdyn::theorems
