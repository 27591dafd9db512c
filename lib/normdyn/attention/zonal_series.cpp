#include "normdyn/attention/zonal_series.hpp"

#include "normdyn/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::attention {
namespace {

// Beyond it v_l is below 1e-20 of v_0: v_l falls at least like exp(-l^2 / (2 beta)) for l < beta, and like
// (beta / 2)^l / l! later.
std::size_t last_degree(double beta) {
  return 40 + static_cast<std::size_t>(10.0 * std::sqrt(beta));
}

} // namespace

double ZonalSeries::multiplicity(std::size_t l) const {
  return dim_ == 3 ? static_cast<double>(2 * l + 1) : l == 0 ? 1.0 : 2.0;
}

bool ZonalSeries::set(double beta) {
  if (is_set_ && beta == beta_)
    return false;
  is_set_ = true;
  beta_ = beta;
  const double size = std::abs(beta);
  core::believe(size <= largest_beta, "beta is within the reach of the series");
  value_.resize(largest_degree + spare); // all that any beta can need
  slope_.resize(largest_degree + spare);
  const std::size_t last = last_degree(size);
  const double order = static_cast<double>(2 * last + dim_) / 2.0;
  double ratio = size / (order + std::hypot(order, size)); // v_{last+1} / v_last, nearly
  for (std::size_t l = last; l > 0; --l) {
    const double divisor = static_cast<double>(2 * l + dim_ - 2) + size * ratio;
    ratio = size / divisor;
    value_[l] = ratio; // for now
    slope_[l] = 1.0 / divisor;
  }
  double total = 1.0, product = 1.0;
  value_[0] = 1.0;
  for (std::size_t l = 1; l <= last; ++l) {
    slope_[l] *= product;
    product *= value_[l];
    value_[l] = product;
    total += multiplicity(l) * product;
  }
  rounding_ = noise_(size) * 0x1p-53;
  const double most = tail_share * 0.1 * std::min(rounding_ / rounding_share, value_[0] / total);
  degree_ = last - 1;
  tail_ = 0.0;
  for (; degree_ > 0; --degree_) {
    const double longer = tail_ + multiplicity(degree_) * value_[degree_] / total;
    if (longer > most)
      break;
    tail_ = longer;
  }
  core::believe(degree_ + spare <= last && last <= largest_degree, "the series ends before its coefficients do");
  const double sign = beta < 0.0 ? -1.0 : 1.0;
  for (std::size_t l = 0; l <= last; ++l) {
    const double parity = l % 2 == 1 ? sign : 1.0;
    value_[l] *= parity / total;
    slope_[l] *= parity * sign / total;
  }
  return true;
}

} // namespace normdyn::attention
