#include "normdyn/files/csv_file.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace normdyn::files {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos)
      return parts;
    begin = end + 1;
  }
}

/// The number that the whole cell spells, whatever the locale; "nan" and "inf" are numbers here and refused later.
std::optional<double> number_in(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+') && !cell.starts_with("+-"))
    cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, failed] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (end != cell.data() + cell.size() || failed == std::errc::invalid_argument)
    return std::nullopt;
  if (failed == std::errc::result_out_of_range) { // 1e-400 is 0, 1e400 is inf
    const std::size_t exponent = cell.find_first_of("eE");
    const bool is_small = exponent != std::string_view::npos && cell.substr(exponent + 1).starts_with('-');
    return is_small ? 0.0 : HUGE_VAL;
  }
  return value;
}

std::string place_of(const std::string& path, std::size_t line) {
  return fmt::format("{}:{}", path, line);
}

double cell_value(std::string_view cell, const std::string& path, std::size_t line, std::size_t column) {
  const std::optional<double> value = number_in(cell);
  if (!value) {
    const std::string_view shown = trimmed(cell);
    const bool has_semicolon = shown.find(';') != std::string_view::npos;
    throw core::FileError(place_of(path, line),
                          shown.empty() ? fmt::format("column {} is empty", column)
                                        : fmt::format("column {} holds '{}', which is no number", column,
                                                      shown.size() > 60 ? shown.substr(0, 60) : shown),
                          has_semicolon ? "separate numbers by commas and write decimals with a point" : "");
  }
  if (!std::isfinite(*value))
    throw core::FileError(place_of(path, line),
                          fmt::format("column {} holds '{}', which is not finite", column, trimmed(cell)));
  return *value;
}

/// Column titles: cells that do not even begin like a number ("1;2" is a bad cell, not a title).
bool is_header(const std::vector<std::string_view>& cells) {
  for (const std::string_view cell : cells) {
    const std::string_view title = trimmed(cell);
    if (title.empty() || std::string_view("0123456789+-.").find(title.front()) != std::string_view::npos ||
        number_in(title))
      return false;
  }
  return true;
}

} // namespace

MatrixData parse_csv(std::string_view text, const std::string& path) {
  if (text.starts_with("\xef\xbb\xbf")) // spreadsheet programs put a byte order mark first
    text.remove_prefix(3);
  MatrixData matrix;
  std::size_t first_line = 0, line_number = 0;
  bool may_be_header = true;
  for (const std::string_view line : split(text, '\n')) {
    ++line_number;
    if (trimmed(line).empty())
      continue;
    const std::vector<std::string_view> cells = split(line, ',');
    if (std::exchange(may_be_header, false) && is_header(cells)) {
      matrix.columns = cells.size();
      matrix.header = std::string(trimmed(line));
      first_line = line_number;
      continue;
    }
    if (first_line == 0) {
      matrix.columns = cells.size();
      first_line = line_number;
    }
    for (std::size_t i = 0; i < std::min(cells.size(), matrix.columns); ++i)
      matrix.values.push_back(cell_value(cells[i], path, line_number, i + 1));
    if (cells.size() != matrix.columns)
      throw core::FileError(place_of(path, line_number), fmt::format("has {} columns, but line {} has {}", cells.size(),
                                                                     first_line, matrix.columns));
    ++matrix.rows;
  }
  if (matrix.rows == 0)
    throw core::FileError(path, "holds no numbers");
  return matrix;
}

} // namespace normdyn::files
