#pragma once
// The report as Markdown: a table, then a section for each claim.

#include "normdyn/report/gnuplot.hpp"
#include "normdyn/theorems/dossier.hpp"

#include <string>
#include <vector>

namespace normdyn::theorems {

/// A figure of a claim, drawn.
struct DrawnFigure {
  std::string file; ///< "figures/na-08-gap.svg", relative to the report
  std::string title;
  report::Drawing drawing;
};

/// The figures of each examination of a dossier.
using DrawnFigures = std::vector<std::vector<DrawnFigure>>;

/// The files of figures with these names, in order, all different: "figures/na-08-gap.svg".
[[nodiscard]] std::vector<std::string> figure_files(const std::vector<std::string>& names);

/// Draws all figures of a dossier; their files have different names. What cannot be drawn says why.
[[nodiscard]] DrawnFigures draw_figures(const Dossier& dossier, const report::DrawOptions& options = {});

/// Pictures are links to their files.
[[nodiscard]] std::string dossier_markdown(const Dossier& dossier, const DrawnFigures& figures);

} // namespace normdyn::theorems
