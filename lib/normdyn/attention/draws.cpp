#include "normdyn/attention/draws.hpp"

#include <Eigen/QR>

#include <cmath>

namespace normdyn::attention {
namespace {

Matrix draw_gaussian(Eigen::Index rows, Eigen::Index columns, double deviation, const DrawKey& key) {
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    core::RandomStream stream = key.row_stream(i);
    for (Eigen::Index c = 0; c < columns; ++c)
      matrix(i, c) = deviation * stream.normal();
  }
  return matrix;
}

Matrix draw_kaiming_normal(Eigen::Index rows, Eigen::Index columns, double gain, const DrawKey& key) {
  return draw_gaussian(rows, columns, gain * std::sqrt(2.0 / static_cast<double>(columns)), key);
}

Matrix draw_kaiming_uniform(Eigen::Index rows, Eigen::Index columns, double gain, const DrawKey& key) {
  const double bound = gain * std::sqrt(6.0 / static_cast<double>(columns));
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    core::RandomStream stream = key.row_stream(i);
    for (Eigen::Index c = 0; c < columns; ++c)
      matrix(i, c) = bound * (2.0 * stream.uniform() - 1.0);
  }
  return matrix;
}

Matrix draw_orthogonal(Eigen::Index rows, Eigen::Index columns, double gain, const DrawKey& key) {
  const bool is_tall = rows > columns;
  const Matrix normal = draw_gaussian(rows, columns, 1.0, key);
  const Eigen::MatrixXd tall = is_tall ? Eigen::MatrixXd(normal) : Eigen::MatrixXd(normal.transpose());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(tall);
  Eigen::MatrixXd frame = qr.householderQ() * Eigen::MatrixXd::Identity(tall.rows(), tall.cols());
  for (Eigen::Index c = 0; c < tall.cols(); ++c)
    frame.col(c) *= qr.matrixQR()(c, c) < 0.0 ? -gain : gain;
  return is_tall ? Matrix(frame) : Matrix(frame.transpose());
}

// Row i of the upper triangle, diagonal first, comes from the stream of row i.
Matrix draw_symmetric(Eigen::Index size, double on_diagonal, double off_diagonal, const DrawKey& key) {
  Matrix matrix(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    core::RandomStream stream = key.row_stream(i);
    matrix(i, i) = on_diagonal * stream.normal();
    for (Eigen::Index c = i + 1; c < size; ++c)
      matrix(i, c) = matrix(c, i) = off_diagonal * stream.normal();
  }
  return matrix;
}

Matrix draw_wigner(Eigen::Index rows, Eigen::Index, double scale, const DrawKey& key) {
  return draw_symmetric(rows, scale, scale, key);
}

Matrix draw_goe(Eigen::Index rows, Eigen::Index, double scale, const DrawKey& key) {
  return draw_symmetric(rows, std::sqrt(2.0) * scale, scale, key);
}

} // namespace

const std::vector<MatrixLaw>& matrix_laws() {
  static const std::vector<MatrixLaw> laws{
      {"gaussian", "std", true, false, draw_gaussian},
      {"kaiming_normal", "gain", false, false, draw_kaiming_normal},
      {"kaiming_uniform", "gain", false, false, draw_kaiming_uniform},
      {"orthogonal", "gain", false, false, draw_orthogonal},
      {"wigner", "scale", true, true, draw_wigner},
      {"goe", "scale", true, true, draw_goe},
  };
  return laws;
}

} // namespace normdyn::attention
