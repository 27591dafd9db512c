#pragma once
#include "normdyn/theorems/dossier.hpp"

#include <nlohmann/json.hpp>

namespace normdyn::cli {

/// Who claims what: everything of a claim that is known before it is examined.
[[nodiscard]] nlohmann::ordered_json claim_json(const theorems::Claim& claim);

/// Every number of a call of `normdyn reproduce`, figures included. Numbers without a meaning are null.
[[nodiscard]] nlohmann::ordered_json dossier_json(const theorems::Dossier& dossier, int exit_code);

} // namespace normdyn::cli
