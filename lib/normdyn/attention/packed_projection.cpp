#include "normdyn/attention/packed_projection.hpp"

#include <algorithm>

namespace normdyn::attention {

PackedProjection::PackedProjection(const Projection& projection, std::size_t dim)
    : is_identity_(projection.is_identity()), has_matrix_(projection.matrix.has_value()), size_(dim) {
  if (has_matrix_) {
    size_ = static_cast<std::size_t>(projection.matrix->rows());
    panels_.resize(static_cast<std::size_t>(projection.matrix->cols()), size_);
    for (std::size_t i = 0; i < size_; ++i)
      panels_.set_column(i, projection.matrix->data() + i * panels_.depth());
  }
  if (projection.bias)
    bias_.assign(projection.bias->data(), projection.bias->data() + projection.bias->size());
}

void PackedProjection::apply(const double* x, std::size_t n_rows, std::size_t x_stride, double* y) const {
  if (has_matrix_)
    panels_.multiply(x, n_rows, x_stride, panels_.depth(), panels_.n_panels(), y, stride());
  else
    for (std::size_t r = 0; r < n_rows; ++r)
      std::copy(x + r * x_stride, x + r * x_stride + size_, y + r * stride());
  if (!bias_.empty())
    for (std::size_t r = 0; r < n_rows; ++r)
      for (std::size_t i = 0; i < size_; ++i)
        y[r * stride() + i] += bias_[i];
}

double spectral_norm(const Matrix& matrix) {
  Eigen::Index row = 0;
  if (!(matrix.rowwise().squaredNorm().maxCoeff(&row) > 0.0))
    return 0.0;
  Eigen::VectorXd direction = matrix.row(row).normalized();
  double norm = 0.0;
  for (int i = 0; i < 30; ++i) {
    const Eigen::VectorXd image = matrix * direction;
    norm = image.norm();
    direction = (matrix.transpose() * image).normalized();
  }
  return norm;
}

} // namespace normdyn::attention
