#pragma once
// Draws figures with gnuplot, as SVG that suits light and dark pages. The data stand in the script, nothing of a figure
// is ever part of a command or of a file name, and the same figure gives the same bytes.

#include "normdyn/report/figure.hpp"

#include <string>

namespace normdyn::report {

struct DrawOptions {
  /// In units of the view box: the picture scales to the room there is. The key adds its height.
  int width = 540, height = 360;
  std::string program = "gnuplot";
  double most_seconds = 60.0; ///< a program that takes longer is ended
};

/// What gnuplot is told; "" if no curve has a point that the axes can show.
[[nodiscard]] std::string gnuplot_script(const Figure& figure, const DrawOptions& options = {});

struct Drawing {
  std::string svg;     ///< an <svg> element, for a file or within a page; empty if it could not be drawn
  std::string problem; ///< why not: "gnuplot is not installed"
};

/// Runs gnuplot. Ids within the picture begin with the figure's name, so that many pictures share a page.
[[nodiscard]] Drawing draw(const Figure& figure, const DrawOptions& options = {});

} // namespace normdyn::report
