#include "normdyn/theorems/evidence.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace normdyn::theorems {
namespace {

Verdict pass_if(bool holds) {
  return holds ? Verdict::passes : Verdict::fails;
}

// "0.99999961 <= 1: slack 3.93e-07": with as many digits as the slack needs to be seen.
std::string bound_text(double measured, const char* sign, double bound, double slack) {
  const double share = std::abs(slack) / std::max(std::abs(measured), std::abs(bound));
  const int needed = share > 0.0 && share < 1.0 ? static_cast<int>(std::ceil(-std::log10(share))) + 1 : 6;
  const int digits = std::clamp(needed, 6, 17);
  return fmt::format("{:.{}g} {} {:.{}g}: slack {:.3g}", measured, digits, sign, bound, digits, slack);
}

double scale_of(double predicted) {
  return predicted == 0.0 ? 1.0 : std::abs(predicted);
}

analysis::Estimate clopper_pearson(std::int64_t n_runs, std::int64_t n_hits, double confidence) {
  using Binomial = boost::math::binomial_distribution<double>;
  const double n = static_cast<double>(n_runs), k = static_cast<double>(n_hits), tail = (1.0 - confidence) / 2.0;
  return {.value = k / n,
          .low = n_hits == 0 ? 0.0 : Binomial::find_lower_bound_on_p(n, k, tail),
          .high = n_hits == n_runs ? 1.0 : Binomial::find_upper_bound_on_p(n, k, tail)};
}

} // namespace

std::string_view verdict_name(Verdict verdict) {
  static constexpr std::array<std::string_view, 5> names{"recorded", "passes", "inconclusive", "unresolved", "fails"};
  return names.at(static_cast<std::size_t>(verdict));
}

std::string_view kind_name(EvidenceKind kind) {
  static constexpr std::array<std::string_view, 7> names{"exact",   "bound",   "rate", "statistic",
                                                         "picture", "erratum", "open"};
  return names.at(static_cast<std::size_t>(kind));
}

Evidence exact(std::string quantity, double predicted, double measured, double tolerance) {
  const double difference = std::abs(measured - predicted) / scale_of(predicted);
  return {.quantity = std::move(quantity),
          .kind = EvidenceKind::exact,
          .predicted = predicted,
          .measured = measured,
          .allowance = tolerance,
          .verdict = pass_if(difference <= tolerance),
          .text = fmt::format("{:.10g} against {:.10g}: off by {:.1e} (allowed {:.0e})", measured, predicted,
                              difference, tolerance)};
}

Evidence vanishing(std::string quantity, double residual, double tolerance) {
  return {.quantity = std::move(quantity),
          .kind = EvidenceKind::exact,
          .predicted = 0.0,
          .measured = residual,
          .allowance = tolerance,
          .verdict = pass_if(residual >= 0.0 && residual <= tolerance),
          .text = fmt::format("residual {:.1e} (allowed {:.0e})", residual, tolerance)};
}

Evidence at_most(std::string quantity, double measured, double bound, double tolerance) {
  return {.quantity = std::move(quantity),
          .kind = EvidenceKind::bound,
          .predicted = bound,
          .measured = measured,
          .allowance = bound - measured,
          .verdict = pass_if(measured <= bound + tolerance),
          .text = bound_text(measured, "<=", bound, bound - measured)};
}

Evidence at_least(std::string quantity, double measured, double bound, double tolerance) {
  return {.quantity = std::move(quantity),
          .kind = EvidenceKind::bound,
          .predicted = bound,
          .measured = measured,
          .allowance = measured - bound,
          .verdict = pass_if(measured >= bound - tolerance),
          .text = bound_text(measured, ">=", bound, measured - bound)};
}

Evidence rate(std::string quantity, double predicted, const analysis::Estimate& measured, double allowance) {
  const double half = allowance * scale_of(predicted);
  Evidence evidence{.quantity = std::move(quantity),
                    .kind = EvidenceKind::rate,
                    .predicted = predicted,
                    .measured = measured.value,
                    .low = measured.low,
                    .high = measured.high,
                    .allowance = allowance};
  const bool is_inside = measured.low >= predicted - half && measured.high <= predicted + half;
  const bool is_outside = measured.low > predicted + half || measured.high < predicted - half;
  const bool is_number = std::isfinite(measured.low) && std::isfinite(measured.high);
  evidence.verdict = is_inside ? Verdict::passes : is_outside || !is_number ? Verdict::fails : Verdict::inconclusive;
  evidence.text = fmt::format("{:.6g} in [{:.6g}, {:.6g}] against {:.6g} +- {:.2g}", measured.value, measured.low,
                              measured.high, predicted, half);
  return evidence;
}

Evidence refused(std::string quantity, double predicted, std::string reason) {
  return {.quantity = std::move(quantity),
          .kind = EvidenceKind::rate,
          .predicted = predicted,
          .verdict = Verdict::inconclusive,
          .text = std::move(reason)};
}

Evidence almost_surely(std::string quantity, std::int64_t n_runs, std::int64_t n_exceptions,
                       std::int64_t n_unfinished) {
  const std::int64_t n_finished = n_runs - n_unfinished;
  Evidence evidence{.quantity = std::move(quantity),
                    .kind = EvidenceKind::statistic,
                    .predicted = 0.0,
                    .n_runs = n_runs,
                    .n_exceptions = n_exceptions,
                    .n_unfinished = n_unfinished};
  if (n_finished > 0) {
    const analysis::Estimate share = clopper_pearson(n_finished, n_exceptions, 0.95);
    evidence.measured = share.value;
    evidence.low = share.low;
    evidence.high = n_exceptions == 0 ? std::min(1.0, 3.0 / static_cast<double>(n_finished)) : share.high;
  }
  evidence.verdict = n_exceptions > 0                         ? Verdict::fails
                     : 2 * n_finished < n_runs || n_runs == 0 ? Verdict::inconclusive
                                                              : Verdict::passes;
  evidence.text = n_exceptions > 0 ? fmt::format("{} exceptions in {} finished runs", n_exceptions, n_finished)
                                   : fmt::format("0 exceptions in {} runs: probability below {:.2g} at 95 %",
                                                 n_finished, evidence.high);
  if (n_unfinished > 0)
    evidence.text += fmt::format("; {} runs not finished", n_unfinished);
  return evidence;
}

Evidence frequency(std::string quantity, double probability, std::int64_t n_runs, std::int64_t n_hits) {
  const analysis::Estimate usual = clopper_pearson(n_runs, n_hits, 0.95), wide = clopper_pearson(n_runs, n_hits, 0.999);
  return {.quantity = std::move(quantity),
          .kind = EvidenceKind::statistic,
          .predicted = probability,
          .measured = usual.value,
          .low = usual.low,
          .high = usual.high,
          .n_runs = n_runs,
          .n_exceptions = n_hits,
          .verdict = pass_if(probability >= wide.low && probability <= wide.high),
          .text = fmt::format("{} of {}: {:.4g} in [{:.4g}, {:.4g}] against {:.4g}", n_hits, n_runs, usual.value,
                              usual.low, usual.high, probability)};
}

Evidence erratum(std::string quantity, const Evidence& printed, const Evidence& corrected) {
  Evidence evidence = corrected;
  evidence.quantity = std::move(quantity);
  evidence.kind = EvidenceKind::erratum;
  evidence.verdict = pass_if(printed.verdict == Verdict::fails && corrected.verdict == Verdict::passes);
  evidence.text = fmt::format("printed {}: {}; corrected {}: {}", verdict_name(printed.verdict), printed.text,
                              verdict_name(corrected.verdict), corrected.text);
  return evidence;
}

Evidence picture(Evidence check) {
  check.kind = EvidenceKind::picture;
  return check;
}

Evidence recorded(std::string quantity, double measured, std::string text) {
  return {.quantity = std::move(quantity),
          .measured = measured,
          .verdict = Verdict::recorded,
          .text = text.empty() ? fmt::format("{:.6g}", measured) : std::move(text)};
}

Verdict verdict_of(const std::vector<Evidence>& evidence) {
  Verdict verdict = Verdict::recorded;
  for (const Evidence& one : evidence)
    verdict = gravest(verdict, one.verdict);
  return verdict;
}

} // namespace normdyn::theorems
