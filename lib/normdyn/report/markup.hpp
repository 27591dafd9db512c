#pragma once
// Plain text within pages.

#include <string>
#include <string_view>

namespace normdyn::report {

/// For the content and for the attributes of HTML and SVG elements. Control characters become '?'.
[[nodiscard]] std::string html_escaped(std::string_view text);

/// For a paragraph or a table cell of Markdown: nothing in it is markup, and it stays in its line.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

/// A name for a file or an anchor: small letters, digits and dashes only; never empty.
[[nodiscard]] std::string file_stem(std::string_view name);

} // namespace normdyn::report
