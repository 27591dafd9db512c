#pragma once
// The report as one page that needs nothing else: styles and pictures stand in it.

#include "normdyn/theorems/dossier_markdown.hpp"

#include <string>

namespace normdyn::theorems {

[[nodiscard]] std::string dossier_html(const Dossier& dossier, const DrawnFigures& figures);

} // namespace normdyn::theorems
