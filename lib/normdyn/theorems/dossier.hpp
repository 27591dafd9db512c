#pragma once
// What one call of `normdyn reproduce` found, and the few words that sum it up. The report files are made of it:
// dossier_markdown.hpp, dossier_html.hpp, dossier_file.hpp.

#include "normdyn/theorems/examine.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace normdyn::theorems {

struct Dossier {
  std::string version, command; ///< what made it: "0.1.0 (1a2b3c4)", "normdyn reproduce paper --out report"
  std::uint64_t seed = 1;
  bool of_controls = false; ///< the negative controls were examined: each must fail
  std::vector<const Claim*> asked;
  std::vector<Examination> examinations; ///< of the first of `asked`; fewer if it was stopped
};

/// Whether a claim, or its control, came out as it must not.
[[nodiscard]] bool is_trouble(const Dossier& dossier, const Examination& examination);

/// The number that decides a claim: of the gravest verdict, and among those the one nearest to its limit, as a share of
/// what is allowed. nullptr if there is no evidence.
[[nodiscard]] const Evidence* decisive_evidence(const Findings& findings);

/// How many claims have each verdict, in the order of Verdict.
[[nodiscard]] std::array<std::size_t, 5> tally(const Dossier& dossier);
/// "19 claims with seed 1: 17 pass, 1 inconclusive, 1 recorded; 3 min 10 s". Of controls: "19 controls with seed 1: 19
/// fail, as they must; 40.1 s".
[[nodiscard]] std::string tally_text(const Dossier& dossier);

/// Wall time of all examinations.
[[nodiscard]] double total_seconds(const Dossier& dossier);

} // namespace normdyn::theorems
