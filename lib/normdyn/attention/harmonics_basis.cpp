#include "normdyn/attention/harmonics_vectors.hpp"
#include "normdyn/attention/series_basis.hpp"
#include "normdyn/attention/zonal_series.hpp"
#include "normdyn/geometry/state.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::attention {
namespace {

// The recurrence of degree l errs most near the poles, by about 0.6 l^1.5 roundings, and the l that count are of the
// order of sqrt(2 beta).
double noise(double beta) {
  return 8.0 + 0.6 * std::pow(2.0 * beta, 0.75);
}

// Work beside the coefficients: the squares of the moments of each degree.
SeriesBasis::Sizes sizes_of(std::size_t degree) {
  const std::size_t count = harmonics_count(degree);
  return {2 * count, harmonics_constants + harmonics_coefficients * count + degree + 1, harmonics_work(degree)};
}

class HarmonicsBasis final : public SeriesBasis {
 public:
  void set(double beta) override;
  [[nodiscard]] std::size_t degree() const override { return degree_; }
  [[nodiscard]] Sizes sizes() const override { return sizes_of(degree_); }
  [[nodiscard]] Sizes most_sizes() const override { return sizes_of(ZonalSeries::largest_degree + 1); }
  [[nodiscard]] std::size_t dim() const override { return 3; }
  [[nodiscard]] std::size_t add_moments(const double* tokens, std::size_t count, double* work,
                                        double* moments) const override {
    return harmonics_moments(tokens, count, degree_, recurrence_.data(), work, moments);
  }
  [[nodiscard]] double set_coefficients(const double* moments, std::size_t n_tokens,
                                        double* coefficients) const override;
  [[nodiscard]] double write_sums(const double* queries, std::size_t count, const double* coefficients,
                                  const SeriesRows& out) const override {
    return harmonics_sums(queries, count, {recurrence_.data(), coefficients, degree_, beta_}, out);
  }

 private:
  void set_polynomials();

  ZonalSeries series_{3, noise};
  double beta_ = 0.0;
  std::size_t degree_ = 0;
  geometry::State recurrence_, norm_; ///< of each harmonic: see harmonics_vectors.hpp; 1 / its mean square
  geometry::State slope_, radial_;    ///< of each degree, in Phi and Rho
};

// (2 l + 1) P_l(<a, b>) = sum_m e_m 2 / h_k^(m) p(a_z) p(b_z) Re (a_x + i a_y)^m conj(b_x + i b_y)^m, e_0 = 1, e_m = 2,
// h_k^(m) = int (p_k^(m))^2 (1 - z^2)^m dz = h_0^(m) g_1 ... g_k, h_0^(m) = 2 prod_{i <= m} 2 i / (2 i + 1).
void HarmonicsBasis::set_polynomials() {
  constexpr std::size_t most = harmonics_count(ZonalSeries::largest_degree + 1);
  recurrence_.reserve(most); // beta may grow from call to call
  norm_.reserve(most);
  recurrence_.resize(harmonics_count(degree_));
  norm_.resize(harmonics_count(degree_));
  double first = 2.0;
  for (std::size_t m = 0, place = 0; m <= degree_; ++m) {
    const auto order = static_cast<double>(m);
    if (m > 0)
      first *= 2.0 * order / (2.0 * order + 1.0);
    double square = first;
    for (std::size_t k = 0; m + k <= degree_; ++k, ++place) {
      const auto power = static_cast<double>(k);
      const double sum = 2.0 * (power + order);
      const double g = k == 0 ? 0.0 : power * (power + 2.0 * order) / ((sum + 1.0) * (sum - 1.0));
      square *= k == 0 ? 1.0 : g;
      recurrence_[place] = g;
      norm_[place] = (m == 0 ? 2.0 : 4.0) / square;
    }
  }
}

// Phi = sum_{l > 0} (2 l + 1) v_l / beta P_l, and Rho from cos P_l = (l P_{l-1} + (l + 1) P_{l+1}) / (2 l + 1). Where
// the next term of <theta, N> is not negligible beside the tail of Z, one degree more.
void HarmonicsBasis::set(double beta) {
  beta_ = beta;
  series_.set(beta);
  std::size_t degree = series_.degree();
  if (static_cast<double>(degree + 1) * std::abs(series_.value(degree)) > 10.0 * series_.tail())
    ++degree;
  if (degree != degree_ || norm_.empty()) {
    degree_ = degree;
    set_polynomials();
  }
  slope_.reserve(ZonalSeries::largest_degree + 2);
  radial_.reserve(ZonalSeries::largest_degree + 2);
  slope_.assign(degree_ + 1, 0.0);
  radial_.assign(degree_ + 1, 0.0);
  for (std::size_t l = 1; l <= degree_; ++l) {
    const auto order = static_cast<double>(l);
    slope_[l] = series_.slope(l);
    radial_[l] = (order * series_.value(l - 1) + (order + 1.0) * series_.value(l + 1)) / (2.0 * order + 1.0);
  }
}

double HarmonicsBasis::set_coefficients(const double* moments, std::size_t n_tokens, double* coefficients) const {
  coefficients[0] = series_.value(0) * norm_[0] * moments[0];
  coefficients[1] = series_.value(1) * norm_[0] * moments[0];
  double* squares = coefficients + harmonics_constants + harmonics_coefficients * norm_.size();
  std::fill(squares, squares + degree_ + 1, 0.0);
  double* out = coefficients + harmonics_constants;
  const double* lower = nullptr; // of order m - 1 and the same degree, from k = 1 on
  for (std::size_t m = 0, place = 0; m <= degree_; ++m) {
    const double* row = out;
    for (std::size_t k = 0; m + k <= degree_; ++k, ++place, out += harmonics_coefficients) {
      const std::size_t l = m + k;
      const double real = norm_[place] * moments[2 * place], imaginary = norm_[place] * moments[2 * place + 1];
      squares[l] += real * moments[2 * place] + imaginary * moments[2 * place + 1];
      out[0] = slope_[l] * real;
      out[1] = slope_[l] * imaginary;
      out[2] = radial_[l] * real;
      out[3] = radial_[l] * imaginary;
      out[4] = out[5] = 0.0;
      if (m > 0) { // d p_{k+1}^(m-1) / dz = (k + 1) p_k^(m)
        const double factor = static_cast<double>(k + 1), *same = lower + (k + 1) * harmonics_coefficients;
        out[4] = factor * same[0];
        out[5] = factor * same[1];
      }
    }
    lower = row;
  }
  // The squares of degree l make (2 l + 1) a_l^2. Where moments cancel that of some tokens, their errors do not.
  const auto n = static_cast<double>(n_tokens);
  double spread = 0.0;
  for (std::size_t l = 0; l <= degree_; ++l) {
    const double multiplicity = series_.multiplicity(l);
    spread += std::abs(series_.value(l)) * multiplicity * std::sqrt(squares[l] / multiplicity + n);
  }
  return series_.least_total(std::min(spread, n), n);
}

} // namespace

std::unique_ptr<SeriesBasis> make_harmonics_basis() {
  return std::make_unique<HarmonicsBasis>();
}

} // namespace normdyn::attention
