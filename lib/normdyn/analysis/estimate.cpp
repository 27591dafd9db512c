#include "normdyn/analysis/estimate.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <limits>

namespace normdyn::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

double student_quantile(std::size_t degrees_of_freedom) {
  if (degrees_of_freedom == 0)
    return infinity;
  return boost::math::quantile(boost::math::students_t(static_cast<double>(degrees_of_freedom)), 0.975);
}

Estimate mean_estimate(std::span<const double> samples) {
  if (samples.empty())
    return {std::numeric_limits<double>::quiet_NaN(), -infinity, infinity};
  const double count = static_cast<double>(samples.size());
  double sum = 0.0;
  for (const double sample : samples)
    sum += sample;
  const double mean = sum / count;
  if (samples.size() == 1)
    return {mean, -infinity, infinity};
  double squares = 0.0;
  for (const double sample : samples)
    squares += (sample - mean) * (sample - mean);
  const double reach = student_quantile(samples.size() - 1) * std::sqrt(squares / ((count - 1.0) * count));
  return {mean, mean - reach, mean + reach};
}

Estimate covering_halves(const Estimate& whole, double first, double second) {
  const double step = std::abs(second - first);
  return {whole.value, std::min(whole.low, second - step), std::max(whole.high, second + step)};
}

Estimate covering_coarser(const Estimate& estimate, double coarser) {
  const double step = std::abs(coarser - estimate.value);
  return {estimate.value, std::min(estimate.low, estimate.value - step),
          std::max(estimate.high, estimate.value + step)};
}

} // namespace normdyn::analysis
