#include "normdyn/report/display_text.hpp"
#include "normdyn/report/gnuplot.hpp"
#include "normdyn/report/gnuplot_ink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace normdyn::report {
namespace {

// Of middle lightness: readable on white and on black.
constexpr std::array<const char*, 8> colors{"#2f7ed8", "#d9651a", "#2a9d5c", "#b04fc0",
                                            "#b8930a", "#1793a5", "#e0529c", "#8a7f6a"};

// In single quotes gnuplot replaces nothing: no commands in backquotes, no macros, no escapes.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : printable(text)) {
    out += letter;
    if (letter == '\'')
      out += letter;
  }
  return out + "'";
}

// Lines of at most `width` columns, broken at spaces.
std::string quoted_lines(const std::string& text, std::size_t width) {
  std::string expression, line;
  const auto finish_line = [&] {
    if (!line.empty())
      expression += (expression.empty() ? "" : ".\"\\n\".") + quoted(line);
    line.clear();
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width)
      finish_line();
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  finish_line();
  return expression.empty() ? "''" : expression;
}

bool can_show(const Axis& axis, double value) {
  return std::isfinite(value) && (!axis.is_logarithmic || value > 0.0);
}

// Points in lines; an empty line, never two, where the curve has a gap.
std::string data_of(const Figure& figure, const Curve& curve) {
  std::string text;
  bool is_gap = true;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    const bool is_shown = can_show(figure.x, curve.x[i]) && can_show(figure.y, curve.y[i]);
    if (is_shown)
      text += fmt::format("{} {}\n", curve.x[i], curve.y[i]);
    else if (!is_gap)
      text += "\n";
    is_gap = !is_shown;
  }
  return text;
}

// Measured and predicted curves of the same number have one color; a single prediction has that of the text.
class Pens final {
 public:
  explicit Pens(const std::vector<Curve>& curves)
      : n_dashed_(std::count_if(curves.begin(), curves.end(),
                                [](const Curve& curve) { return curve.style == Curve::Style::dashes; })) {}
  [[nodiscard]] std::string next(const Curve& curve) {
    if (curve.style == Curve::Style::dashes)
      return fmt::format("with lines linewidth 1.6 dashtype (8,6) linecolor rgb '{}'",
                         n_dashed_ == 1 ? ink : color(dashed_++));
    if (curve.style == Curve::Style::points)
      return fmt::format("with points pointtype 7 pointsize 0.5 linecolor rgb '{}'", color(measured_++));
    return fmt::format("with lines linewidth 1.8 linecolor rgb '{}'", color(measured_++));
  }

 private:
  static std::string color(std::size_t index) { return colors.at(index % colors.size()); }
  std::ptrdiff_t n_dashed_;
  std::size_t dashed_ = 0, measured_ = 0;
};

/// How the key is laid out beneath the axes: as many columns as fit.
struct Key {
  std::size_t columns = 1, rows = 0;
};

Key key_of(const Figure& figure, const DrawOptions& options) {
  std::size_t count = 0, longest = 1;
  for (const Curve& curve : figure.curves) {
    count += curve.name.empty() ? 0 : 1;
    longest = std::max(longest, display_width(curve.name));
  }
  constexpr std::size_t letter = 7, sample = 60;
  const std::size_t columns =
      std::max<std::size_t>(1, static_cast<std::size_t>(options.width) / (longest * letter + sample));
  return {columns, (count + columns - 1) / columns};
}

std::string frame_of(const Figure& figure, const DrawOptions& options) {
  constexpr std::size_t row = 18; // of the key, which does not make the axes smaller
  const Key key = key_of(figure, options);
  std::string text = "set encoding utf8\n";
  text += fmt::format("set terminal svg size {},{} dynamic noenhanced font 'sans-serif,13'\n", options.width,
                      static_cast<std::size_t>(options.height) + row * key.rows);
  const auto columns = static_cast<std::size_t>(options.width / 8);
  text += fmt::format("set title {} noenhanced textcolor rgb '{}'\n", quoted_lines(figure.title, columns), ink);
  text += fmt::format("set xlabel {} noenhanced offset 0,0.3 textcolor rgb '{}'\n", quoted(figure.x.label), ink);
  text += fmt::format("set ylabel {} noenhanced textcolor rgb '{}'\n", quoted(figure.y.label), ink);
  text += fmt::format("set border 3 linecolor rgb '{}'\nset tics nomirror out textcolor rgb '{}'\n", ink, ink);
  text += fmt::format("set key bmargin center horizontal Left reverse samplen 2 width -4 maxcols {} noenhanced "
                      "font ',12' textcolor rgb '{}'\n",
                      key.columns, ink);
  if (figure.x.is_logarithmic)
    text += "set logscale x\n";
  if (figure.y.is_logarithmic)
    text += "set logscale y\n";
  return text;
}

} // namespace

std::string gnuplot_script(const Figure& figure, const DrawOptions& options) {
  Pens pens(figure.curves);
  std::string data, plots;
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const Curve& curve = figure.curves[i];
    const std::string pen = pens.next(curve), points = data_of(figure, curve);
    if (points.empty())
      continue;
    data += fmt::format("$data{} << EOD\n{}EOD\n", i, points);
    const std::string key = curve.name.empty() ? "notitle" : "title " + quoted(curve.name);
    plots += fmt::format("{}$data{} using 1:2 {} {}", plots.empty() ? "plot " : ", \\\n     ", i, pen, key);
  }
  return plots.empty() ? "" : frame_of(figure, options) + data + plots + "\n";
}

} // namespace normdyn::report
