#include "normdyn/theorems/dossier.hpp"

#include "normdyn/report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace normdyn::theorems {
namespace {

// The share of what is allowed that a number uses up: 1 at the edge of passing.
double closeness(const Evidence& evidence) {
  const double scale = evidence.predicted == 0.0 ? 1.0 : std::abs(evidence.predicted);
  switch (evidence.kind) {
  case EvidenceKind::exact:
    return std::abs(evidence.measured - evidence.predicted) / (scale * evidence.allowance);
  case EvidenceKind::rate:
    return std::max(std::abs(evidence.low - evidence.predicted), std::abs(evidence.high - evidence.predicted)) /
           (scale * evidence.allowance);
  case EvidenceKind::bound:
    return 1.0 - evidence.allowance / std::max(std::abs(evidence.predicted), std::abs(evidence.measured));
  default:
    return 0.0;
  }
}

bool decides_more(const Evidence& a, const Evidence& b) {
  if (a.verdict != b.verdict)
    return a.verdict > b.verdict;
  return closeness(a) > closeness(b);
}

} // namespace

bool is_trouble(const Dossier& dossier, const Examination& examination) {
  return (examination.verdict == Verdict::fails) != dossier.of_controls;
}

const Evidence* decisive_evidence(const Findings& findings) {
  const Evidence* decisive = nullptr;
  for (const Evidence& evidence : findings.evidence)
    if (decisive == nullptr || decides_more(evidence, *decisive))
      decisive = &evidence;
  return decisive;
}

std::array<std::size_t, 5> tally(const Dossier& dossier) {
  std::array<std::size_t, 5> counts{};
  for (const Examination& examination : dossier.examinations)
    ++counts.at(static_cast<std::size_t>(examination.verdict));
  return counts;
}

std::string tally_text(const Dossier& dossier) {
  const auto counts = tally(dossier);
  const auto count = [&](Verdict verdict) { return counts.at(static_cast<std::size_t>(verdict)); };
  const std::size_t n = dossier.examinations.size();
  std::string text = fmt::format("{} {}{} with seed {}: ", n, dossier.of_controls ? "control" : "claim",
                                 n == 1 ? "" : "s", dossier.seed);
  if (dossier.of_controls) {
    text += fmt::format("{} fail{}, as {} must", count(Verdict::fails), count(Verdict::fails) == 1 ? "s" : "",
                        count(Verdict::fails) == 1 ? "it" : "they");
    if (const std::size_t missed = n - count(Verdict::fails); missed > 0)
      text += fmt::format(", {} do{} not", missed, missed == 1 ? "es" : "");
  } else {
    text += fmt::format("{} pass{}", count(Verdict::passes), count(Verdict::passes) == 1 ? "es" : "");
    for (const Verdict verdict : {Verdict::fails, Verdict::unresolved, Verdict::inconclusive, Verdict::recorded})
      if (count(verdict) > 0)
        text += fmt::format(", {} {}", count(verdict),
                            verdict == Verdict::fails && count(verdict) > 1 ? "fail" : verdict_name(verdict));
  }
  return text + "; " + report::duration_text(total_seconds(dossier));
}

double total_seconds(const Dossier& dossier) {
  return std::accumulate(dossier.examinations.begin(), dossier.examinations.end(), 0.0,
                         [](double sum, const Examination& examination) { return sum + examination.seconds; });
}

} // namespace normdyn::theorems
