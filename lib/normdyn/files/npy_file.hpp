#pragma once
// Arrays written by numpy.save (NPY format 1.0, 2.0, 3.0).

#include "normdyn/files/matrix_file.hpp"

namespace normdyn::files {

/// An array of one or two dimensions, row by row, whatever the order in the file.
struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// Parses the bytes of an NPY file: little-endian f4, f8, i4, i8, one or two dimensions. `path` is for messages. Throws
/// core::FileError for anything else and for bytes that are missing or too many.
[[nodiscard]] NpyArray parse_npy(std::string_view bytes, const std::string& path);

} // namespace normdyn::files
