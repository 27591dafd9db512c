#pragma once
// Comma-separated numbers.

#include "normdyn/files/matrix_file.hpp"

namespace normdyn::files {

/// The matrix in a CSV text. The first line that is not empty may be a header: it is one if none of its cells
/// begins like a number. `path` is for messages. Throws core::FileError naming line and cell.
[[nodiscard]] MatrixData parse_csv(std::string_view text, const std::string& path);

} // namespace normdyn::files
