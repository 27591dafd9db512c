#include "normdyn/attention/fourier_vectors.hpp"
#include "normdyn/attention/series_kernel.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace normdyn::attention {
namespace {

constexpr std::size_t block_tokens = 1024; // queries dealt with at once; under a mask, tokens between known moments
constexpr std::size_t most_chunks = 512;   // without a mask, moments are kept for this many chunks of blocks
constexpr std::size_t terms_for_threads = 200'000; // tokens times powers below which threads do not pay
constexpr std::size_t most_groups = ZonalSeries::largest_degree / 3 + 1;

std::size_t quotient_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

// Under a mask: one power beyond the degree, which the last coefficient of Z has a part in, for N.
std::size_t padded_powers(std::size_t degree) {
  return quotient_up(degree + 2, fourier_widest) * fourier_widest;
}

// Of a sum of weights: z^m errs by about sqrt(m) roundings, and the m that count are of the order of sqrt(beta).
double noise(double beta) {
  return 8.0 + std::sqrt(0.64 * beta);
}

class FourierKernel final : public SeriesKernel {
 public:
  [[nodiscard]] bool evaluate(const SeriesProblem& problem, const SeriesOutput& out) override;

 private:
  void set_sizes(const SeriesProblem& problem);
  void set_weights();
  bool gather(const SeriesProblem& problem, int n_threads);
  void set_coefficients(std::size_t n_tokens);
  void set_prefixes(std::size_t n_tokens);
  void write_block(const SeriesProblem& problem, std::size_t block, int thread, const SeriesOutput& out);
  [[nodiscard]] const double* chunk_moments(std::size_t chunk) const {
    return chunk_moments_.data() + chunk * n_groups_ * fourier_group_moments;
  }

  ZonalSeries series_ = fourier_series();
  std::size_t n_groups_ = 0, padded_ = 0, chunk_ = 0, n_chunks_ = 0;
  geometry::State lanes_;            ///< of each thread
  geometry::State chunk_moments_;    ///< from power 1 on: real part, imaginary part
  geometry::State moments_, errors_; ///< the same, summed
  geometry::State coefficients_;     ///< without a mask: see FourierSeries
  double constant_[3] = {};
  geometry::State weights_, before_, running_; ///< with one: see FourierRunning
  std::vector<char> is_unit_;
};

void FourierKernel::set_sizes(const SeriesProblem& problem) {
  n_groups_ = series_.degree() / 3 + 1; // powers up to degree + 1 at least
  padded_ = padded_powers(series_.degree());
  const std::size_t n_blocks = quotient_up(problem.n_tokens, block_tokens);
  chunk_ = block_tokens * (problem.is_causal ? 1 : quotient_up(n_blocks, most_chunks));
  n_chunks_ = quotient_up(problem.n_tokens, chunk_);
  const auto size = [](geometry::State& state, std::size_t count, std::size_t per_item, std::size_t most_per_item) {
    state.reserve(count * most_per_item); // beta may grow from call to call
    state.resize(count * per_item);
  };
  const auto threads = static_cast<std::size_t>(problem.n_threads);
  size(lanes_, threads * fourier_group_moments * fourier_widest, n_groups_, most_groups);
  size(chunk_moments_, n_chunks_ * fourier_group_moments, n_groups_, most_groups);
  size(moments_, fourier_group_moments, n_groups_, most_groups);
  size(errors_, fourier_group_moments, n_groups_, most_groups);
  is_unit_.resize(n_chunks_);
  if (!problem.is_causal)
    return size(coefficients_, fourier_group_coefficients, n_groups_, most_groups);
  const std::size_t most_padded = padded_powers(ZonalSeries::largest_degree);
  size(before_, 2 * n_chunks_, padded_, most_padded);
  size(running_, 2 * threads, padded_, most_padded);
  size(weights_, 3, padded_, most_padded);
  set_weights();
}

void FourierKernel::set_weights() {
  std::fill(weights_.begin(), weights_.end(), 0.0);
  double *total = weights_.data(), *radial = total + padded_, *tangential = radial + padded_;
  total[0] = series_.value(0);
  radial[0] = series_.value(1);
  for (std::size_t m = 1; m <= series_.degree() + 1; ++m) {
    total[m] = 2.0 * series_.value(m);
    radial[m] = series_.value(m - 1) + series_.value(m + 1);
    tangential[m] = 2.0 * static_cast<double>(m) * series_.slope(m);
  }
}

bool FourierKernel::gather(const SeriesProblem& problem, int n_threads) {
  const auto gather_chunk = [&](std::size_t chunk, int thread) {
    const std::size_t begin = chunk * chunk_, end = std::min(problem.n_tokens, begin + chunk_);
    const std::size_t size = n_groups_ * fourier_group_moments;
    is_unit_[chunk] = fourier_moments(problem.tokens + 2 * begin, end - begin, n_groups_,
                                      lanes_.data() + static_cast<std::size_t>(thread) * size * fourier_widest,
                                      chunk_moments_.data() + chunk * size)
                          ? 1
                          : 0;
  };
  if (n_threads == 1)
    for (std::size_t chunk = 0; chunk < n_chunks_; ++chunk)
      gather_chunk(chunk, 0);
  else {
#pragma omp parallel for schedule(static) num_threads(n_threads)
    for (std::size_t chunk = 0; chunk < n_chunks_; ++chunk)
      gather_chunk(chunk, omp_get_thread_num());
  }
  return std::all_of(is_unit_.begin(), is_unit_.end(), [](char is_unit) { return is_unit != 0; });
}

// N = sum_m v_m (z^m conj(F_{m-1}) + conj(z^m) F_{m+1}), F_0 = n. The parts of z^{m+1} and z^{m-1} are sums of the
// products xx, yy, xy, yx of the parts of z^m and z.
void FourierKernel::set_coefficients(std::size_t n_tokens) {
  std::fill(moments_.begin(), moments_.end(), 0.0);
  std::fill(errors_.begin(), errors_.end(), 0.0);
  for (std::size_t chunk = 0; chunk < n_chunks_; ++chunk)
    add_compensated(chunk_moments(chunk), moments_.size(), moments_.data(), errors_.data());
  const auto real = [&](std::size_t m) {
    return m == 0 ? static_cast<double>(n_tokens) : moments_[2 * m - 2] + errors_[2 * m - 2];
  };
  const auto imaginary = [&](std::size_t m) { return m == 0 ? 0.0 : moments_[2 * m - 1] + errors_[2 * m - 1]; };
  struct Pair { // of Re z^m, Im z^m
    double real = 0.0, imaginary = 0.0;
  };
  const auto coefficient = [&](std::size_t m, std::size_t part) -> Pair {
    if (m > series_.degree())
      return {};
    const double v = series_.value(m);
    if (part == 0)
      return {2.0 * v * real(m), 2.0 * v * imaginary(m)};
    if (part == 1)
      return {v * (real(m - 1) + real(m + 1)), v * (imaginary(m - 1) + imaginary(m + 1))};
    return {v * (imaginary(m + 1) - imaginary(m - 1)), v * (real(m - 1) - real(m + 1))};
  };
  double* out = coefficients_.data();
  for (std::size_t g = 0; g < n_groups_; ++g)
    for (std::size_t part = 0; part < 3; ++part, out += 6) {
      const Pair lower = coefficient(3 * g + 1, part), middle = coefficient(3 * g + 2, part),
                 upper = coefficient(3 * g + 3, part);
      out[0] = upper.real + lower.real;
      out[1] = lower.real - upper.real;
      out[2] = upper.imaginary - lower.imaginary;
      out[3] = upper.imaginary + lower.imaginary;
      out[4] = middle.real;
      out[5] = middle.imaginary;
    }
  constant_[0] = series_.value(0) * real(0);
  constant_[1] = series_.value(0) * real(1);
  constant_[2] = series_.value(0) * imaginary(1);
}

// The moments of all tokens before each block.
void FourierKernel::set_prefixes(std::size_t n_blocks) {
  std::fill(moments_.begin(), moments_.end(), 0.0);
  std::fill(errors_.begin(), errors_.end(), 0.0);
  for (std::size_t block = 0; block < n_blocks; ++block) {
    double *row = before_.data() + block * 2 * padded_, *imaginary = row + padded_;
    std::fill(row, row + 2 * padded_, 0.0);
    row[0] = static_cast<double>(block * block_tokens);
    for (std::size_t m = 1; m <= series_.degree() + 1; ++m) {
      row[m] = moments_[2 * m - 2] + errors_[2 * m - 2];
      imaginary[m] = moments_[2 * m - 1] + errors_[2 * m - 1];
    }
    add_compensated(chunk_moments(block), moments_.size(), moments_.data(), errors_.data());
  }
}

// The queries of one block: tokens block * block_tokens ... of all tokens.
void FourierKernel::write_block(const SeriesProblem& problem, std::size_t block, int thread, const SeriesOutput& out) {
  const std::size_t first = block * block_tokens, last = problem.first + problem.count;
  const std::size_t begin = std::max(first, problem.first), end = std::min(first + block_tokens, last);
  double totals[block_tokens];
  double* drift = out.drift + 2 * (begin - problem.first);
  double smallest = 0.0;
  if (problem.is_causal) {
    double* running = running_.data() + static_cast<std::size_t>(thread) * 2 * padded_;
    smallest = fourier_running_sums(problem.tokens + 2 * first, end - first, begin - first,
                                    {before_.data() + block * 2 * padded_, weights_.data(), running, padded_},
                                    {drift, totals, problem.factor});
  } else {
    smallest = fourier_sums(problem.queries + 2 * (begin - problem.first), end - begin,
                            {coefficients_.data(), n_groups_, {constant_[0], constant_[1], constant_[2]}},
                            {drift, totals, problem.factor});
  }
  const std::size_t seen_by_last = problem.is_causal ? end : problem.n_tokens;
  if (!(smallest >= series_.floor() * static_cast<double>(seen_by_last)))
    for (std::size_t j = begin; j < end; ++j)
      redo_if_lost(problem, series_.floor(), 2, j, totals[j - begin], drift + 2 * (j - begin));
  if (out.totals)
    std::copy(totals, totals + (end - begin), out.totals + (begin - problem.first));
}

bool FourierKernel::evaluate(const SeriesProblem& problem, const SeriesOutput& out) {
  series_.set(problem.beta);
  const int n_threads = problem.n_tokens * (series_.degree() + 1) < terms_for_threads ? 1 : problem.n_threads;
  set_sizes(problem);
  if (!gather(problem, n_threads))
    return false;
  if (problem.is_causal)
    set_prefixes(quotient_up(problem.first + problem.count, block_tokens));
  else
    set_coefficients(problem.n_tokens);
  const std::size_t begin = problem.first / block_tokens;
  const std::size_t end = quotient_up(problem.first + problem.count, block_tokens);
  if (n_threads == 1)
    for (std::size_t block = begin; block < end; ++block)
      write_block(problem, block, 0, out);
  else {
#pragma omp parallel for schedule(dynamic, 4) num_threads(n_threads)
    for (std::size_t block = begin; block < end; ++block)
      write_block(problem, block, omp_get_thread_num(), out);
  }
  return true;
}

} // namespace

ZonalSeries fourier_series() {
  return {2, noise};
}

std::unique_ptr<SeriesKernel> make_fourier_kernel() {
  return std::make_unique<FourierKernel>();
}

} // namespace normdyn::attention
