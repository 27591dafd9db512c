#pragma once
// A list of labels in one line: "government president state national war ... (23)".

#include <cstddef>
#include <span>
#include <string>

namespace normdyn::report {

/// As many labels as fit into `width` columns, "..." if some are left out, and the number of all in parentheses. At
/// least one label is shown, shortened if need be. Control characters become '?'.
[[nodiscard]] std::string words_line(std::span<const std::string> words, std::size_t width);

} // namespace normdyn::report
