#pragma once
// A picture as data: curves against axes. What draws it is another matter (gnuplot.hpp).

#include <string>
#include <vector>

namespace normdyn::report {

struct Curve {
  std::string name; ///< for the key; empty: not in the key
  std::vector<double> x, y;
  enum class Style { line, points, dashes } style = Style::line; ///< measured: line or points; predicted: dashes
};

/// "line", "points" or "dashes"
[[nodiscard]] constexpr const char* style_name(Curve::Style style) {
  return style == Curve::Style::line ? "line" : style == Curve::Style::points ? "points" : "dashes";
}

struct Axis {
  std::string label; ///< with its unit, if it has one
  bool is_logarithmic = false;
};

struct Figure {
  std::string name;  ///< a file name without suffix: "na-09-terminal"
  std::string title; ///< one line, with the parameters behind the curves
  Axis x, y;
  std::vector<Curve> curves; ///< points that are not finite, or not positive on a logarithmic axis, are gaps
};

} // namespace normdyn::report
