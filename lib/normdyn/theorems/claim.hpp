#pragma once
// A statement of the literature, or of this project, with what would make it fail. One file per claim; its maker is
// listed in claims.hpp and, in the order of the table, in registry.cpp.

#include "normdyn/report/figure.hpp"
#include "normdyn/theorems/evidence.hpp"
#include "normdyn/theorems/trial.hpp"

#include <string>
#include <vector>

namespace normdyn::theorems {

/// What a claim found: every number that was compared, and pictures of them.
struct Findings {
  std::vector<Evidence> evidence;
  std::vector<report::Figure> figures;
};

struct Claim {
  std::string id;                     ///< "NA-8"
  std::vector<std::string> aliases;   ///< names in the source: "thm4.1", "tab2"
  std::string title;                  ///< "Initial velocity from orthogonal tokens"
  std::string source;                 ///< "arXiv:2510.22026, Theorem 4.1"; "derived here" for our own
  std::string statement;              ///< what is claimed, formulas in plain text
  std::string hypotheses;             ///< under what conditions
  std::vector<std::string> citations; ///< keys of citations.hpp, for `normdyn cite`
  bool is_quick = false;              ///< in the suite `quick`: takes a few seconds
  bool is_of_paper = true;            ///< in the suite `paper`: a statement or an erratum of arXiv:2510.22026
  bool integrates = true;             ///< runs are made, so it is examined at two tolerances
  double cost_seconds = 1.0;          ///< of one examination, on two cores, roughly: for the time left
  Findings (*check)(const Trial& trial) = nullptr;
  std::string control_text; ///< what the negative control breaks: "an exact antipodal pair"
  /// The same judges on a case in which the claim does not hold: its verdict must be `fails`.
  Findings (*control)(const Trial& trial) = nullptr;
};

/// All claims, in the order of their ids.
[[nodiscard]] const std::vector<Claim>& all_claims();

/// The claims named by ids, aliases or suites (quick, paper, all), each once, in the order of their ids; letter case
/// does not matter. Throws core::InputError for an unknown name, with the nearest.
[[nodiscard]] std::vector<const Claim*> find_claims(const std::vector<std::string>& names);

} // namespace normdyn::theorems
