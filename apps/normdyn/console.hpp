#pragma once
// What the program prints, beyond the texts themselves.

#include <cstddef>
#include <string>

namespace normdyn::cli {

/// "normdyn: ..." on stderr; colored on a terminal unless NO_COLOR is set or TERM is dumb.
void print_problem(const std::string& text);
/// Progress on stderr. A terminal that is gone (a hangup) is no trouble.
void print_progress(const std::string& text);
/// Whether a line on stderr may be rewritten in place.
[[nodiscard]] bool can_rewrite_line();
[[nodiscard]] bool wants_color(int descriptor);

/// Columns of the terminal on stderr; 80 if it does not say.
[[nodiscard]] std::size_t terminal_width();

} // namespace normdyn::cli
