#include "normdyn/report/table.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/report/display_text.hpp"

#include <algorithm>
#include <cstdlib>

namespace normdyn::report {
namespace {

constexpr std::size_t gap = 2; // spaces between columns

bool is_number(const std::string& text) {
  char* end = nullptr;
  (void)std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size();
}

struct Column {
  std::size_t width = 0;
  bool is_right = false;
};

// The padding on the left and on the right of a text in its column.
std::string aligned(std::string_view text, std::string_view shown, const Column& column, bool is_last) {
  const std::size_t space = column.width - display_width(text);
  std::string result(column.is_right ? space : 0, ' ');
  result += shown;
  if (!column.is_right && !is_last)
    result.append(space, ' ');
  return result;
}

void trim_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

} // namespace

std::string toned(std::string_view text, Tone tone, bool in_color) {
  if (!in_color || tone == Tone::plain || text.empty())
    return std::string(text);
  constexpr const char* codes[] = {"", "1", "2", "32", "33", "31"};
  return std::string("\x1b[").append(codes[static_cast<std::size_t>(tone)]).append("m").append(text).append("\x1b[0m");
}

Table::Table(std::vector<std::string> titles) : titles_(std::move(titles)) {
  for (std::string& title : titles_)
    title = printable(title);
}

void Table::add_row(std::vector<Cell> cells) {
  core::believe(cells.size() == titles_.size(), "a row of a table has one cell per title");
  for (Cell& cell : cells)
    cell.text = printable(cell.text);
  rows_.push_back(std::move(cells));
}

std::string Table::text(bool in_color, std::size_t indent) const {
  std::vector<Column> columns(titles_.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].width = display_width(titles_[c]);
    bool may_be_numbers = true, has_number = false;
    for (const auto& row : rows_) {
      const std::string& cell = row[c].text;
      columns[c].width = std::max(columns[c].width, display_width(cell));
      has_number = has_number || is_number(cell);
      may_be_numbers = may_be_numbers && (cell.empty() || cell == "-" || is_number(cell));
    }
    columns[c].is_right = may_be_numbers && has_number;
  }

  std::string result;
  const auto add_line = [&](const auto& text_of, Tone (*tone_of)(const std::vector<Cell>*, std::size_t),
                            const std::vector<Cell>* row) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string text = text_of(c);
      line += aligned(text, toned(text, tone_of(row, c), in_color), columns[c], c + 1 == columns.size());
      if (c + 1 < columns.size())
        line.append(gap, ' ');
    }
    trim_end(line);
    result += line + "\n";
  };
  const auto strong = [](const std::vector<Cell>*, std::size_t) { return Tone::strong; };
  const auto faint = [](const std::vector<Cell>*, std::size_t) { return Tone::faint; };
  const auto own = [](const std::vector<Cell>* row, std::size_t c) { return (*row)[c].tone; };
  add_line([&](std::size_t c) { return titles_[c]; }, strong, nullptr);
  add_line([&](std::size_t c) { return std::string(columns[c].width, '-'); }, faint, nullptr);
  for (const auto& row : rows_)
    add_line([&](std::size_t c) { return row[c].text; }, own, &row);
  return result;
}

} // namespace normdyn::report
