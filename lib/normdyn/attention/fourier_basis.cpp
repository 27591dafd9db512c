#include "normdyn/attention/fourier_vectors.hpp"
#include "normdyn/attention/series_basis.hpp"
#include "normdyn/attention/zonal_series.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::attention {
namespace {

// z^m errs by about sqrt(m) roundings, and the m that count are of the order of sqrt(beta).
double noise(double beta) {
  return 8.0 + std::sqrt(0.64 * beta);
}

// Groups of three powers, up to degree + 1 at least.
constexpr std::size_t group_count(std::size_t degree) {
  return degree / 3 + 1;
}

SeriesBasis::Sizes sizes_of(std::size_t degree) {
  const std::size_t n_groups = group_count(degree);
  return {n_groups * fourier_group_moments, fourier_constants + n_groups * fourier_group_coefficients,
          fourier_work(n_groups)};
}

class FourierBasis final : public SeriesBasis {
 public:
  void set(double beta) override {
    series_.set(beta);
    n_groups_ = group_count(series_.degree());
  }
  [[nodiscard]] std::size_t degree() const override { return series_.degree(); }
  [[nodiscard]] Sizes sizes() const override { return sizes_of(series_.degree()); }
  [[nodiscard]] Sizes most_sizes() const override { return sizes_of(ZonalSeries::largest_degree); }
  [[nodiscard]] std::size_t dim() const override { return 2; }
  [[nodiscard]] std::size_t add_moments(const double* tokens, std::size_t count, double* work,
                                        double* moments) const override {
    return fourier_moments(tokens, count, n_groups_, work, moments);
  }
  [[nodiscard]] double set_coefficients(const double* moments, std::size_t n_tokens,
                                        double* coefficients) const override;
  [[nodiscard]] double write_sums(const double* queries, std::size_t count, const double* coefficients,
                                  const SeriesRows& out) const override {
    return fourier_sums(queries, count, {coefficients, n_groups_}, out);
  }

 private:
  ZonalSeries series_{2, noise};
  std::size_t n_groups_ = 0;
};

// N = sum_m v_m (z^m conj(F_{m-1}) + conj(z^m) F_{m+1}), F_0 = n. The parts of z^{m+1} and z^{m-1} are sums of the
// products xx, yy, xy, yx of the parts of z^m and z.
double FourierBasis::set_coefficients(const double* moments, std::size_t n_tokens, double* coefficients) const {
  struct Pair { // of Re z^m, Im z^m
    double real = 0.0, imaginary = 0.0;
  };
  const auto n = static_cast<double>(n_tokens);
  Pair before{n, 0.0}, now{moments[0], moments[1]};
  coefficients[0] = series_.value(0) * n;
  coefficients[1] = series_.value(0) * now.real;
  coefficients[2] = series_.value(0) * now.imaginary;
  double* out = coefficients + fourier_constants;
  for (std::size_t g = 0, m = 1; g < n_groups_; ++g, out += fourier_group_coefficients) {
    Pair part[3][3]; // power; Z, N_x, N_y
    for (std::size_t p = 0; p < 3; ++p, ++m) {
      if (m > series_.degree())
        continue;
      const Pair after{moments[2 * m], moments[2 * m + 1]};
      const double v = series_.value(m);
      part[p][0] = {2.0 * v * now.real, 2.0 * v * now.imaginary};
      part[p][1] = {v * (before.real + after.real), v * (before.imaginary + after.imaginary)};
      part[p][2] = {v * (after.imaginary - before.imaginary), v * (before.real - after.real)};
      before = now;
      now = after;
    }
    for (std::size_t s = 0; s < 3; ++s) {
      const Pair lower = part[0][s], middle = part[1][s], upper = part[2][s];
      double* own = out + 6 * s;
      own[0] = upper.real + lower.real;
      own[1] = lower.real - upper.real;
      own[2] = upper.imaginary - lower.imaginary;
      own[3] = upper.imaginary + lower.imaginary;
      own[4] = middle.real;
      own[5] = middle.imaginary;
    }
  }
  return series_.least_total(n, n); // whatever the moments: the mean of Z_j is well above that at any beta
}

} // namespace

std::unique_ptr<SeriesBasis> make_fourier_basis() {
  return std::make_unique<FourierBasis>();
}

} // namespace normdyn::attention
