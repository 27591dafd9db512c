#pragma once
// Numbers and labels from files that users bring: HDF5 datasets, CSV, NPY. A file is named by a spec:
//   "words.h5:/x"  dataset /x of an HDF5 file (any float or integer type)
//   "start.csv"    numbers separated by commas, one optional header line, empty lines ignored
//   "start.npy"    NumPy array, format 1-3, little-endian f4, f8, i4, i8, C or Fortran order
// Reading does not depend on the locale. NaN and inf are refused. Every refusal is a core::FileError in one line that
// names the file and the cause (with line and cell where there are any).

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace normdyn::files {

/// rows x columns numbers, row by row.
struct MatrixData {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
  std::string header{}; ///< the line of titles that was left out of a CSV file; empty if there was none
};

/// The two parts of a spec: "words.h5:/x" is the path "words.h5" and the dataset "/x"; without ":/" the dataset is
/// empty.
struct FileSpec {
  std::string path, dataset;
};
[[nodiscard]] FileSpec split_spec(std::string_view spec);

/// The spec with its path made relative to `folder` (absolute paths stay).
[[nodiscard]] std::string resolved_spec(std::string_view spec, std::string_view folder);

/// A two-dimensional array of numbers (one-dimensional HDF5 or NPY data are refused: rows or columns? the user must
/// say).
[[nodiscard]] MatrixData read_matrix(const std::string& spec);

/// A vector: one-dimensional data, or a matrix with one row or one column.
[[nodiscard]] std::vector<double> read_vector(const std::string& spec);

/// Texts: a one-dimensional HDF5 dataset of strings (variable or fixed length), or a text file with one label per line.
[[nodiscard]] std::vector<std::string> read_strings(const std::string& spec);

/// The matrices of an attention block: the members query, key, value, output of an HDF5 group and their _bias (a bias
/// has columns = 0). Members that are absent are not in `parts`; other numeric members are ignored.
struct WeightsGroup {
  std::size_t n_heads = 1; ///< attribute "heads" (or "n_heads") of the group, 1 without
  std::vector<std::pair<std::string, MatrixData>> parts;
  [[nodiscard]] const MatrixData* find(std::string_view name) const;
};

/// Reads "weights.h5:/attention". Refuses a group that has none of the four matrices.
[[nodiscard]] WeightsGroup read_weights_group(const std::string& spec);

} // namespace normdyn::files
