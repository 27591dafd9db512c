#pragma once
// Plain aligned tables for terminals. Columns of numbers are right-aligned; without color the text is plain UTF-8.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace normdyn::report {

enum class Tone { plain, strong, faint, good, warning, bad };

/// `text` in the color of a tone, or as it is.
[[nodiscard]] std::string toned(std::string_view text, Tone tone, bool in_color);

struct Cell {
  Cell(std::string content, Tone color = Tone::plain) : text(std::move(content)), tone(color) {}
  Cell(const char* content, Tone color = Tone::plain) : text(content), tone(color) {}
  std::string text;
  Tone tone;
};

class Table {
 public:
  explicit Table(std::vector<std::string> titles);

  /// One cell per title. Control characters become '?'.
  void add_row(std::vector<Cell> cells);

  /// Lines that end with a newline, without trailing spaces: titles, a rule, the rows. `indent` spaces in front. A
  /// column whose cells are all numbers, "-" or empty (and not all empty) is right-aligned with its title.
  [[nodiscard]] std::string text(bool in_color = false, std::size_t indent = 0) const;

 private:
  std::vector<std::string> titles_;
  std::vector<std::vector<Cell>> rows_;
};

} // namespace normdyn::report
