#include "normdyn/theorems/examine.hpp"

#include <fmt/format.h>

#include <chrono>

namespace normdyn::theorems {
namespace {

using Check = Findings (*)(const Trial&);

Findings checked(Check check, const Trial& trial) {
  try {
    return check(trial);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    Evidence evidence;
    evidence.quantity = "the check itself";
    evidence.verdict = Verdict::fails;
    evidence.text = fmt::format("ended with: {}", error.what());
    return {{evidence}, {}};
  }
}

// The loose pass only votes: where its verdict differs the usual one does not count as settled.
void compare(std::vector<Evidence>& usual, const std::vector<Evidence>& loose) {
  for (std::size_t i = 0; i < usual.size(); ++i) {
    if (i < loose.size() && loose[i].verdict == usual[i].verdict)
      continue;
    const std::string other = i < loose.size() ? std::string(verdict_name(loose[i].verdict)) : "missing";
    usual[i].text += fmt::format(" ({} at 10 times the tolerance)", other);
    if (usual[i].verdict != Verdict::fails)
      usual[i].verdict = Verdict::unresolved;
  }
}

Watch part_of(const Watch& watch, double from, double to) {
  if (!watch)
    return {};
  return [&watch, from, to](double share) { return watch(from + (to - from) * share); };
}

template <class Work>
Examination timed(const Claim& claim, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  Examination result{.claim = &claim, .findings = work()};
  result.verdict = verdict_of(result.findings.evidence);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace

Examination examine(const Claim& claim, std::uint64_t seed, const Laboratory& laboratory, const Watch& watch) {
  return timed(claim, [&] {
    const double split = claim.integrates ? 0.6 : 1.0;
    Findings findings = checked(claim.check, Trial(seed, Accuracy::usual, laboratory, part_of(watch, 0.0, split)));
    if (claim.integrates) {
      const Findings loose = checked(claim.check, Trial(seed, Accuracy::loose, laboratory, part_of(watch, split, 1.0)));
      compare(findings.evidence, loose.evidence);
    }
    return findings;
  });
}

Examination examine_control(const Claim& claim, std::uint64_t seed, const Laboratory& laboratory, const Watch& watch) {
  return timed(claim, [&] { return checked(claim.control, Trial(seed, Accuracy::usual, laboratory, watch)); });
}

} // namespace normdyn::theorems
