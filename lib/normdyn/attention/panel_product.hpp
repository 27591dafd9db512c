#pragma once
// The one matrix product of the direct kernel, out = rows * matrix, with the right factor packed into panels.
//
// Every element is summed over the depth in chunks of 128, in order, with one accumulator, by plain multiplications and
// additions. Its bits therefore depend on its row, its column and the depth alone: not on the other rows and columns,
// the vector width of the machine, or the threads. The same row times the same column is the same number anywhere.

#include "normdyn/geometry/state.hpp"

#include <cstddef>

namespace normdyn::attention {

/// A depth x columns matrix in panels of `width` columns: panel p holds columns [p*width, (p+1)*width) as
/// [depth][width], filled up with zeros.
class PanelMatrix {
 public:
  /// Makes room; contents are zero wherever nothing is set. Allocates only when it grows.
  void resize(std::size_t depth, std::size_t columns);

  [[nodiscard]] std::size_t depth() const { return depth_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  /// 16, or 8 for few columns.
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t n_panels() const { return n_panels_; }
  [[nodiscard]] std::size_t padded_columns() const { return n_panels_ * width_; }

  /// Column `column` from `depth` contiguous values.
  void set_column(std::size_t column, const double* values);
  /// Row `row` (an index of the depth) from `columns` contiguous values.
  void set_row(std::size_t row, const double* values);

  /// out[r, w] = sum_{c < depth} rows[r, c] m[c, p*width + w] for the columns of panels [0, end_panel): out has
  /// end_panel * width columns in each row. `depth` may be less than the matrix has.
  void multiply(const double* rows, std::size_t n_rows, std::size_t row_stride, std::size_t depth,
                std::size_t end_panel, double* out, std::size_t out_stride) const;

 private:
  std::size_t depth_ = 0, columns_ = 0, width_ = 16, n_panels_ = 0;
  geometry::State values_;
};

} // namespace normdyn::attention
