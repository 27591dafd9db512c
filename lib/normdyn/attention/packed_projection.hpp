#pragma once
// A projection packed for multiplication from the right: y = x M^T + b, or y = x.

#include "normdyn/attention/panel_product.hpp"
#include "normdyn/attention/weights.hpp"

namespace normdyn::attention {

class PackedProjection final {
 public:
  /// For rows x of length `dim`.
  PackedProjection(const Projection& projection, std::size_t dim);

  [[nodiscard]] bool is_identity() const { return is_identity_; }
  /// Length of y.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Distance of the rows of y in memory, at least size().
  [[nodiscard]] std::size_t stride() const { return has_matrix_ ? panels_.padded_columns() : size_; }
  /// Rows of x, `x_stride` apart, to rows of y, stride() apart.
  void apply(const double* x, std::size_t n_rows, std::size_t x_stride, double* y) const;

 private:
  bool is_identity_, has_matrix_;
  std::size_t size_;
  PanelMatrix panels_;
  geometry::State bias_;
};

/// |M|_2 by 30 power iterations on M^T M from the largest row: good to some percent, always between the largest row and
/// the true norm. Enough where only the size of terms is judged by it.
[[nodiscard]] double spectral_norm(const Matrix& matrix);

} // namespace normdyn::attention
