#pragma once
// Text as a terminal shows it: UTF-8 in columns, without control characters.

#include <cstddef>
#include <string>
#include <string_view>

namespace normdyn::report {

/// Columns that a terminal uses for UTF-8 text: 2 for wide East Asian characters and emoji, 0 for combining marks, 1
/// for others and for each byte that is not UTF-8.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The longest beginning of `text` that fits into `width` columns, never cutting a character.
[[nodiscard]] std::string_view fitting(std::string_view text, std::size_t width);

/// `text`, or as much of it as leaves room for "..." at the end when it is wider than `width`.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// The same with the "..." in the middle, where both ends say something.
[[nodiscard]] std::string shortened_in_middle(std::string_view text, std::size_t width);

/// Control characters and bytes that are not UTF-8 become '?': labels come from files and must not steer the terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// Whether to color: a terminal, NO_COLOR unset or empty, TERM neither "dumb" nor unset (no-color.org). The caller
/// passes the environment: wants_color(isatty(2), getenv("NO_COLOR"), getenv("TERM")).
[[nodiscard]] bool wants_color(bool is_terminal, const char* no_color, const char* term);

} // namespace normdyn::report
