#include "normdyn/analysis/line.hpp"

#include "normdyn/core/error.hpp"

namespace normdyn::analysis {

Line fit_line(std::span<const double> x, std::span<const double> y) {
  core::believe(x.size() == y.size() && x.size() >= 2, "a line has two points at least");
  const std::size_t n = x.size();
  const double count = static_cast<double>(n);
  double x_mean = 0.0, y_mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    x_mean += x[i] / count;
    y_mean += y[i] / count;
  }
  double xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  const double slope = xy / xx, intercept = y_mean - slope * x_mean, root = x_mean - y_mean / slope;
  double squares = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = (y[i] - y_mean) - slope * (x[i] - x_mean);
    squares += residual * residual;
  }
  const double quantile = student_quantile(n - 2);
  const double variance = n > 2 ? squares / (count - 2.0) : 1.0; // two points leave no residual to judge by
  const auto around = [&](double value, double variance_of_value) {
    const double reach = quantile * std::sqrt(variance_of_value);
    return Estimate{value, value - reach, value + reach};
  };
  // y_mean and slope are uncorrelated, so these follow from y_mean + slope (x - x_mean).
  const double of_slope = variance / xx, of_mean = variance / count;
  const double lever = root - x_mean;
  return {around(slope, of_slope), around(intercept, of_mean + x_mean * x_mean * of_slope),
          around(root, (of_mean + lever * lever * of_slope) / (slope * slope)), std::sqrt(squares / count)};
}

} // namespace normdyn::analysis
