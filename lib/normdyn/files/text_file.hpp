#pragma once
// Opening and reading plain files, with one-line errors that say why it failed.

#include <fstream>
#include <string>

namespace normdyn::files {

/// Opens for reading in binary mode. Throws core::FileError: no such file (proposes the nearest name in the folder), is
/// a folder, permission denied.
[[nodiscard]] std::ifstream open_input(const std::string& path);

/// The whole content, bytes unchanged.
[[nodiscard]] std::string read_text(const std::string& path);

/// Throws what open_input would throw, without opening anything afterwards.
void require_readable_file(const std::string& path);

} // namespace normdyn::files
