#include "normdyn/observables/pairs.hpp"

#include "normdyn/geometry/sphere.hpp"
#include "normdyn/observables/centered.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::observables {
namespace {

constexpr std::size_t tile = 128; // two tiles of tokens and one of products stay in the second-level cache

geometry::ConstTokenMap rows(const double* data, std::size_t first, std::size_t count, std::size_t dim) {
  return {data + first * dim, static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(dim)};
}

} // namespace

Pairs::Pairs(std::span<const double> theta, std::size_t dim)
    : theta_(theta), n_tokens_(theta.size() / dim), dim_(dim), norm_squared_(n_tokens_) {
  // Far from consensus theta itself is better: exact where the products are (basis vectors).
  constexpr double near_squared = 0.25;
  if (Centered centered = center(theta, dim); centered.largest < near_squared)
    centered_ = std::move(centered.tokens);
  const double* data = centered_.size() > 0 ? centered_.data() : theta_.data();
  for (std::size_t j = 0; j < n_tokens_; ++j)
    norm_squared_[j] = rows(data, j, 1, dim_).squaredNorm();
  is_finite_ = std::all_of(norm_squared_.begin(), norm_squared_.end(), [](double v) { return std::isfinite(v); });
}

void Pairs::visit(const Visit& visit) const {
  const double* data = centered_.size() > 0 ? centered_.data() : theta_.data();
  geometry::TokenMatrix products;
  for (std::size_t top = 0; top < n_tokens_; top += tile)
    for (std::size_t left = top; left < n_tokens_; left += tile) {
      const std::size_t height = std::min(tile, n_tokens_ - top), width = std::min(tile, n_tokens_ - left);
      products.noalias() = rows(data, top, height, dim_) * rows(data, left, width, dim_).transpose();
      for (std::size_t i = 0; i < height; ++i) {
        const std::size_t j = top + i;
        const std::size_t skipped = left == top ? i + 1 : 0; // pairs of the diagonal tile with k <= j
        double* row = products.data() + i * width;
        for (std::size_t c = skipped; c < width; ++c)
          row[c] = norm_squared_[j] + norm_squared_[left + c] - 2.0 * row[c];
        if (skipped < width)
          visit(j, left + skipped, {row + skipped, width - skipped});
      }
    }
}

double Pairs::largest_slack() const {
  const auto largest = static_cast<std::size_t>(
      std::distance(norm_squared_.begin(), std::max_element(norm_squared_.begin(), norm_squared_.end())));
  return slack(largest, largest);
}

double Pairs::exact_square(std::size_t j, std::size_t k) const {
  return geometry::distance_squared(token(j), token(k));
}

double chord_squared(double angle) {
  const double half = std::sin(0.5 * angle);
  return 4.0 * half * half;
}

double cosine(std::span<const double> a, std::span<const double> b) {
  const double product = geometry::dot(a, b);
  if (product > 0.5)
    return 1.0 - 0.5 * geometry::distance_squared(a, b);
  if (product >= -0.5)
    return product;
  double square = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    square += (a[i] + b[i]) * (a[i] + b[i]);
  return 0.5 * square - 1.0;
}

} // namespace normdyn::observables
