#include "normdyn/initial/row_selection.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numeric>
#include <optional>

namespace normdyn::initial {
namespace {

constexpr const char* remedy = "write \"0:256\" (from, up to but not including), \"0:1000:10\" or a list [0, 5, 7]";

// Decimal digits, or nothing for an empty text.
std::optional<std::size_t> bound(const core::Settings& section, std::string_view key, std::string_view text,
                                 std::string_view whole) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  if (text.empty())
    return {};
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    section.refuse(key, fmt::format("'{}': '{}' is no row number", whole, text), remedy);
  return value;
}

std::vector<std::size_t> parse_range(const core::Settings& section, std::string_view key, std::string_view text,
                                     std::size_t n_rows) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos)
    section.refuse(key, fmt::format("'{}' is no range of rows", text), remedy);
  const std::size_t second = text.find(':', first + 1);
  const bool has_step = second != std::string_view::npos;
  const auto part = [&](std::size_t begin, std::size_t end) {
    return bound(section, key, text.substr(begin, end - begin), text);
  };
  const std::size_t begin = part(0, first).value_or(0);
  const std::size_t end = part(first + 1, has_step ? second : text.size()).value_or(n_rows);
  const std::size_t step = has_step ? part(second + 1, text.size()).value_or(1) : 1;
  if (step == 0)
    section.refuse(key, fmt::format("'{}' has step 0", text), remedy);
  if (end > n_rows)
    section.refuse(key, fmt::format("'{}' ends beyond the {} rows there are", text, n_rows));
  if (begin >= end)
    section.refuse(key, fmt::format("'{}' selects no rows", text), remedy);
  std::vector<std::size_t> rows;
  for (std::size_t row = begin; row < end; row += step)
    rows.push_back(row);
  return rows;
}

} // namespace

std::vector<std::size_t> read_rows(core::Settings& section, std::string_view key, std::size_t n_rows) {
  const core::Value* given = section.raw(key);
  std::vector<std::size_t> rows;
  if (!given) {
    rows.resize(n_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  }
  if (!given->is_array())
    return parse_range(section, key, section.text(key), n_rows);
  for (const core::Value& item : given->array()) {
    const auto* row = std::get_if<std::int64_t>(&item.data);
    if (!row)
      section.refuse(key, fmt::format("{} is no row number", core::toml_text(item)), remedy);
    if (*row < 0 || static_cast<std::uint64_t>(*row) >= n_rows)
      section.refuse(key, fmt::format("there is no row {}", *row), fmt::format("rows run from 0 to {}", n_rows - 1));
    rows.push_back(static_cast<std::size_t>(*row));
  }
  if (rows.empty())
    section.refuse(key, "[] selects no rows", remedy);
  return rows;
}

} // namespace normdyn::initial
