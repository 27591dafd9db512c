#include "normdyn/attention/series_form.hpp"

#include <cmath>
#include <limits>

namespace normdyn::attention {
namespace {

constexpr double tolerance = 4.0 * std::numeric_limits<double>::epsilon();

bool is_multiple_of_identity(const Matrix& matrix, double factor) {
  const Matrix rest = matrix - factor * Matrix::Identity(matrix.rows(), matrix.cols());
  return rest.cwiseAbs().maxCoeff() <= tolerance * std::abs(factor);
}

} // namespace

SeriesForm series_form(const Weights& weights) {
  const std::optional<Matrix>& query = weights.query.matrix;
  const std::optional<Matrix>& key = weights.key.matrix;
  if (weights.n_heads != 1 || weights.query.bias || weights.key.bias)
    return {};
  if (!query && !key)
    return {.serves = true};
  Matrix product = query ? Matrix(query->transpose()) : *key;
  if (query && key)
    product = query->transpose() * *key;
  if (product.rows() != product.cols() || !product.allFinite())
    return {};
  if (is_multiple_of_identity(product, product(0, 0)))
    return {.serves = true, .scale = product(0, 0)};
  const Matrix square = product.transpose() * product;
  const double factor = square.trace() / static_cast<double>(square.rows());
  if (!is_multiple_of_identity(square, factor))
    return {};
  const double scale = std::sqrt(factor);
  return {.serves = true, .scale = scale, .rotation = Matrix(product.transpose() / scale)};
}

} // namespace normdyn::attention
