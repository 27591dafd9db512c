#include "normdyn/core/error.hpp"
#include "normdyn/theorems/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace normdyn::theorems {
namespace {

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

bool is_named(const Claim& claim, const std::string& name) {
  const auto same = [&](const std::string& alias) { return lowered(alias) == name; };
  return same(claim.id) || std::any_of(claim.aliases.begin(), claim.aliases.end(), same);
}

bool is_in_suite(const Claim& claim, const std::string& suite) {
  return suite == "all" || (suite == "paper" && claim.is_of_paper) || (suite == "quick" && claim.is_quick);
}

[[noreturn]] void refuse_name(const std::string& name) {
  std::vector<std::string> known{"quick", "paper", "all"}, lowered_known;
  for (const Claim& claim : all_claims()) {
    known.push_back(claim.id);
    known.insert(known.end(), claim.aliases.begin(), claim.aliases.end());
  }
  std::transform(known.begin(), known.end(), std::back_inserter(lowered_known), lowered);
  std::string remedy = "normdyn reproduce --list shows all";
  if (name.find_first_of(",;") != std::string::npos)
    remedy = "names are separated by spaces";
  else if (const std::string near = core::nearest(lowered(name), lowered_known); !near.empty())
    remedy = fmt::format("did you mean '{}'?",
                         known[static_cast<std::size_t>(std::find(lowered_known.begin(), lowered_known.end(), near) -
                                                        lowered_known.begin())]); // in the spelling of the list
  throw core::InputError("reproduce", fmt::format("there is no claim or suite '{}'", name), remedy);
}

} // namespace

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> claims{
      layer_maps(),
      unit_norm_and_speed(),
      energy_descent(),
      time_change(),
      consensus(),
      consensus_with_radii(),
      radial_bound(),
      consensus_of_few_tokens(),
      lemmas_of_convergence(),
      initial_velocity(),
      terminal_laws(),
      causal_exponents(),
      symmetric_figure(),
      initial_drift(),
      radial_growth(),
      variance_decay(),
      random_weights(),
      errata_of_the_paper(),
      power_family(),
      one_curve(),
      votes_of_a_massive_token(),
  };
  return claims;
}

std::vector<const Claim*> find_claims(const std::vector<std::string>& names) {
  std::vector<const Claim*> found;
  for (const std::string& given : names) {
    const std::string name = lowered(given);
    const bool is_suite = name == "quick" || name == "paper" || name == "all";
    const std::size_t before = found.size();
    for (const Claim& claim : all_claims())
      if (is_suite ? is_in_suite(claim, name) : is_named(claim, name))
        found.push_back(&claim);
    if (found.size() == before && !is_suite)
      refuse_name(given);
  }
  std::sort(found.begin(), found.end()); // they lie in one vector, in the order of the table
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace normdyn::theorems
