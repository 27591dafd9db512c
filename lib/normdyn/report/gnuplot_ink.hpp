#pragma once
// The color of text and axes in scripts; in the picture it becomes that of the page.

namespace normdyn::report {

inline constexpr const char* ink = "#010203";
inline constexpr const char* ink_of_lines = "rgb(  1,   2,   3)"; ///< as gnuplot writes it
inline constexpr const char* ink_of_text = "rgb(1,2,3)";

} // namespace normdyn::report
