#include "normdyn/observables/centered.hpp"

#include <algorithm>

namespace normdyn::observables {

Centered center(std::span<const double> theta, std::size_t dim) {
  const auto n = static_cast<Eigen::Index>(theta.size() / dim);
  const auto d = static_cast<Eigen::Index>(dim);
  const geometry::ConstTokenMap map(theta.data(), n, d);

  Centered result;
  result.tokens = map.rowwise() - map.row(0);
  const Eigen::RowVectorXd mean = result.tokens.colwise().mean();
  result.tokens.rowwise() -= mean;

  // The mean is rounded, by e say; sum |theta_j - m - e|^2 = sum |theta_j - m|^2 + n |e|^2.
  const Eigen::RowVectorXd rounding = result.tokens.colwise().mean();
  const double count = static_cast<double>(n);
  result.variance = result.tokens.squaredNorm() / count - rounding.squaredNorm();
  result.variance = std::max(result.variance, 0.0); // in this order, NaN stays NaN
  result.largest = result.tokens.rowwise().squaredNorm().maxCoeff();
  return result;
}

} // namespace normdyn::observables
