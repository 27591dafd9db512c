#include "normdyn/attention/harmonics_vectors.hpp"
#include "normdyn/attention/series_kernel.hpp"
#include "normdyn/core/error.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace normdyn::attention {
namespace {

constexpr std::size_t block_tokens = 1024;         // queries dealt with at once
constexpr std::size_t part_tokens = 8192;          // tokens whose moments are summed without care for rounding
constexpr std::size_t most_chunks = 16;            // of tokens, with moments of their own
constexpr std::size_t terms_for_threads = 200'000; // tokens times harmonics below which threads do not pay

constexpr std::size_t largest_degree = 120; // more than harmonics_largest_beta takes

std::size_t quotient_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

// Of a sum of weights: the recurrence of degree l errs most near the poles, by about 0.2 l^1.5 roundings, and the l
// that count are of the order of sqrt(2 beta).
double noise(double beta) {
  return 8.0 + 0.2 * std::pow(2.0 * beta, 0.75);
}

class HarmonicsKernel final : public SeriesKernel {
 public:
  [[nodiscard]] bool evaluate(const SeriesProblem& problem, const SeriesOutput& out) override;

 private:
  void set_degree(double beta);
  void set_polynomials();
  void set_sizes(const SeriesProblem& problem);
  bool gather_chunk(const SeriesProblem& problem, std::size_t chunk, std::size_t thread);
  bool gather(const SeriesProblem& problem, int n_threads);
  void set_coefficients();
  void write_block(const SeriesProblem& problem, std::size_t block, const SeriesOutput& out) const;

  ZonalSeries series_ = harmonics_series();
  std::size_t degree_ = 0, n_harmonics_ = 0, chunk_ = 0, n_chunks_ = 0;
  geometry::State recurrence_, norm_;    ///< of each harmonic: see harmonics_vectors.hpp; 1 / its mean square
  geometry::State lanes_, part_moments_; ///< of each thread
  geometry::State chunk_moments_;        ///< of each chunk: real part, imaginary part of each harmonic; then errors
  geometry::State coefficients_;
  double constant_total_ = 0.0, constant_radial_ = 0.0;
  std::vector<char> is_unit_;
};

// (2 l + 1) P_l(<a, b>) = sum_m e_m 2 / h_k^(m) p(a_z) p(b_z) Re (a_x + i a_y)^m conj(b_x + i b_y)^m, e_0 = 1, e_m = 2,
// h_k^(m) = int (p_k^(m))^2 (1 - z^2)^m dz = h_0^(m) g_1 ... g_k, h_0^(m) = 2 prod_{i <= m} 2 i / (2 i + 1).
void HarmonicsKernel::set_polynomials() {
  recurrence_.resize(n_harmonics_);
  norm_.resize(n_harmonics_);
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

// Where the next term of <theta, N> is not negligible beside the tail of Z, one degree more.
void HarmonicsKernel::set_degree(double beta) {
  series_.set(beta);
  std::size_t degree = series_.degree();
  const double next = static_cast<double>(degree + 1) * std::abs(series_.value(degree));
  if (next > 10.0 * ZonalSeries::truncation_share * series_.floor())
    ++degree;
  if (degree == degree_ && n_harmonics_ > 0)
    return;
  degree_ = degree;
  n_harmonics_ = harmonics_count(degree_);
  recurrence_.reserve(harmonics_count(largest_degree)); // beta may grow from call to call
  norm_.reserve(harmonics_count(largest_degree));
  set_polynomials();
}

void HarmonicsKernel::set_sizes(const SeriesProblem& problem) {
  constexpr std::size_t most = harmonics_count(largest_degree);
  core::believe(n_harmonics_ <= most, "the series is within the reach of the kernel");
  chunk_ = block_tokens * quotient_up(quotient_up(problem.n_tokens, block_tokens), most_chunks);
  n_chunks_ = quotient_up(problem.n_tokens, chunk_);
  const auto size = [&](geometry::State& state, std::size_t count) {
    state.reserve(count * most);
    state.resize(count * n_harmonics_);
  };
  const auto threads = static_cast<std::size_t>(problem.n_threads);
  size(lanes_, 2 * harmonics_widest * threads);
  size(part_moments_, 2 * threads);
  size(chunk_moments_, 4 * n_chunks_);
  size(coefficients_, harmonics_coefficients);
  is_unit_.resize(n_chunks_);
}

bool HarmonicsKernel::gather_chunk(const SeriesProblem& problem, std::size_t chunk, std::size_t thread) {
  const std::size_t size = 2 * n_harmonics_, end = std::min(problem.n_tokens, (chunk + 1) * chunk_);
  double *sums = chunk_moments_.data() + chunk * 2 * size, *part = part_moments_.data() + thread * size;
  std::fill(sums, sums + 2 * size, 0.0);
  bool is_unit = true;
  for (std::size_t begin = chunk * chunk_; begin < end; begin += part_tokens) {
    const bool is_part_unit =
        harmonics_moments(problem.tokens + 3 * begin, std::min(part_tokens, end - begin), degree_, recurrence_.data(),
                          lanes_.data() + thread * size * harmonics_widest, part);
    add_compensated(part, size, sums, sums + size);
    is_unit = is_unit && is_part_unit;
  }
  return is_unit;
}

bool HarmonicsKernel::gather(const SeriesProblem& problem, int n_threads) {
  if (n_threads == 1)
    for (std::size_t chunk = 0; chunk < n_chunks_; ++chunk)
      is_unit_[chunk] = gather_chunk(problem, chunk, 0) ? 1 : 0;
  else {
#pragma omp parallel for schedule(static) num_threads(n_threads)
    for (std::size_t chunk = 0; chunk < n_chunks_; ++chunk)
      is_unit_[chunk] = gather_chunk(problem, chunk, static_cast<std::size_t>(omp_get_thread_num())) ? 1 : 0;
  }
  return std::all_of(is_unit_.begin(), is_unit_.end(), [](char is_unit) { return is_unit != 0; });
}

// Phi = sum_{l > 0} (2 l + 1) v_l / beta P_l, and Rho from cos P_l = (l P_{l-1} + (l + 1) P_{l+1}) / (2 l + 1).
void HarmonicsKernel::set_coefficients() {
  const std::size_t size = 2 * n_harmonics_;
  double *sums = chunk_moments_.data(), *errors = sums + size; // the first chunk gathers the others
  for (std::size_t chunk = 1; chunk < n_chunks_; ++chunk) {
    const double* terms = sums + chunk * 2 * size;
    add_compensated(terms, size, sums, errors);
    for (std::size_t i = 0; i < size; ++i)
      errors[i] += terms[size + i];
  }
  for (std::size_t m = 0, place = 0; m <= degree_; ++m)
    for (std::size_t k = 0; m + k <= degree_; ++k, ++place) {
      const std::size_t l = m + k;
      const auto degree = static_cast<double>(l);
      const double real = norm_[place] * (sums[2 * place] + errors[2 * place]);
      const double imaginary = norm_[place] * (sums[2 * place + 1] + errors[2 * place + 1]);
      const double slope = l == 0 ? 0.0 : series_.slope(l);
      const double radial =
          l == 0 ? 0.0 : (degree * series_.value(l - 1) + (degree + 1.0) * series_.value(l + 1)) / (2.0 * degree + 1.0);
      double* out = coefficients_.data() + place * harmonics_coefficients;
      out[0] = slope * real;
      out[1] = slope * imaginary;
      out[2] = radial * real;
      out[3] = radial * imaginary;
      out[4] = out[5] = 0.0;
      if (l == 0) {
        constant_total_ = series_.value(0) * real;
        constant_radial_ = series_.value(1) * real;
      } else if (m > 0) { // d p_{k+1}^(m-1) / dz = (k + 1) p_k^(m)
        const double* lower = coefficients_.data() + harmonics_place(m - 1, k + 1, degree_) * harmonics_coefficients;
        out[4] = static_cast<double>(k + 1) * lower[0];
        out[5] = static_cast<double>(k + 1) * lower[1];
      }
    }
}

// The queries of one block: tokens block * block_tokens ... of all tokens.
void HarmonicsKernel::write_block(const SeriesProblem& problem, std::size_t block, const SeriesOutput& out) const {
  const std::size_t first = block * block_tokens;
  const std::size_t begin = std::max(first, problem.first);
  const std::size_t end = std::min(first + block_tokens, problem.first + problem.count);
  double totals[block_tokens];
  double* drift = out.drift + 3 * (begin - problem.first);
  const double smallest = harmonics_sums(
      problem.queries + 3 * (begin - problem.first), end - begin,
      {recurrence_.data(), coefficients_.data(), degree_, problem.beta, constant_total_, constant_radial_},
      {drift, totals, problem.factor});
  if (!(smallest >= series_.floor() * static_cast<double>(problem.n_tokens)))
    for (std::size_t j = begin; j < end; ++j)
      redo_if_lost(problem, series_.floor(), 3, j, totals[j - begin], drift + 3 * (j - begin));
  if (out.totals)
    std::copy(totals, totals + (end - begin), out.totals + (begin - problem.first));
}

bool HarmonicsKernel::evaluate(const SeriesProblem& problem, const SeriesOutput& out) {
  core::believe(!problem.is_causal, "harmonics know no mask");
  set_degree(problem.beta);
  set_sizes(problem);
  const int n_threads = problem.n_tokens * n_harmonics_ < terms_for_threads ? 1 : problem.n_threads;
  if (!gather(problem, n_threads))
    return false;
  set_coefficients();
  const std::size_t begin = problem.first / block_tokens;
  const std::size_t end = quotient_up(problem.first + problem.count, block_tokens);
  if (n_threads == 1)
    for (std::size_t block = begin; block < end; ++block)
      write_block(problem, block, out);
  else {
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (std::size_t block = begin; block < end; ++block)
      write_block(problem, block, out);
  }
  return true;
}

} // namespace

ZonalSeries harmonics_series() {
  return {3, noise};
}

std::unique_ptr<SeriesKernel> make_harmonics_kernel() {
  return std::make_unique<HarmonicsKernel>();
}

} // namespace normdyn::attention
