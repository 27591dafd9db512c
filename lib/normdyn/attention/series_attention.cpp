#include "normdyn/attention/series_attention.hpp"

#include "normdyn/attention/fused_attention.hpp"
#include "normdyn/attention/series_kernel.hpp"
#include "normdyn/attention/shifts.hpp"
#include "normdyn/core/error.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <functional>

namespace normdyn::attention {
namespace {

enum class Series { none, fourier, harmonics };

// Tokens from which the series is faster than the sum over pairs by a good margin. Under a mask a pair costs less and a
// series more.
double fourier_crossover(double beta, Mask mask) {
  const double full = 128.0 + 20.0 * std::sqrt(std::abs(beta));
  return mask == Mask::causal ? 4.0 * full : full;
}
double harmonics_crossover(double beta) {
  return 300.0 + 75.0 * std::abs(beta);
}

// False for NaN.
bool is_between(double beta, double least, double most) {
  return beta >= least && beta <= most;
}

Series series_for(const Weights& weights, const KernelCase& at, SeriesChoice choice) {
  if (!weights.is_identity() || at.n_tokens == 0)
    return Series::none;
  const auto n = static_cast<double>(at.n_tokens);
  const bool is_forced = choice != SeriesChoice::automatic;
  if (at.dim == 2 && choice != SeriesChoice::harmonics &&
      is_between(at.beta, -largest_bound, ZonalSeries::largest_beta) &&
      (is_forced || n >= fourier_crossover(at.beta, at.mask)))
    return Series::fourier;
  if (at.dim == 3 && choice != SeriesChoice::fourier && at.mask == Mask::full &&
      is_between(at.beta, -harmonics_largest_beta, harmonics_largest_beta) &&
      (is_forced || n >= harmonics_crossover(at.beta)))
    return Series::harmonics;
  return Series::none;
}

// The index of the first query among the keys, if the queries are rows of the keys, in place.
bool find_queries(const Tokens& queries, const Tokens& keys, std::size_t& first) {
  const std::less_equal<const double*> not_after;
  const double *begin = keys.theta.data(), *query = queries.theta.data();
  if (!not_after(begin, query) || !not_after(query + queries.theta.size(), begin + keys.theta.size()))
    return false;
  const auto offset = static_cast<std::size_t>(query - begin);
  first = offset / keys.dim;
  return offset % keys.dim == 0;
}

class SeriesAttention final : public Attention {
 public:
  SeriesAttention(const AttentionOptions& options, Weights weights, SeriesChoice choice)
      : options_(options), weights_(std::move(weights)), choice_(choice),
        pairs_(make_fused_attention(options_, weights_, KernelChoice::automatic)) {}

  void evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) override;
  [[nodiscard]] std::size_t n_heads() const override { return weights_.n_heads; }
  [[nodiscard]] std::string kernel() const override { return last_.empty() ? "auto" : last_; }

 private:
  bool evaluate_series(Series series, const Tokens& queries, const Tokens& keys, double beta,
                       const AttentionOutput& out);
  void write_others(const Tokens& queries, double beta, std::span<const double> drift, const AttentionOutput& out);

  AttentionOptions options_;
  Weights weights_;
  SeriesChoice choice_;
  std::unique_ptr<Attention> pairs_;
  std::unique_ptr<SeriesKernel> fourier_, harmonics_;
  geometry::State totals_, drift_;
  double factor_ = 0.0; ///< of the sums; 0: each divided by its total
  std::string last_;
};

// Sums are scaled by e^{-|beta|}.
double unnormalized_factor(double beta, std::size_t n_keys) {
  const double shift = std::abs(beta), n = static_cast<double>(n_keys);
  return shift > 700.0 ? std::exp(shift - std::log(n)) : std::exp(shift) / n;
}

void SeriesAttention::write_others(const Tokens& queries, double beta, std::span<const double> drift,
                                   const AttentionOutput& out) {
  const std::size_t dim = queries.dim, n = queries.count();
  for (std::size_t j = 0; j < n; ++j) {
    const double log_total = std::log(totals_[j]);
    if (!out.log_partition.empty())
      out.log_partition[j] = std::abs(beta) + log_total;
    if (!out.magnitude.empty())
      out.magnitude[j] = factor_ == 0.0 ? 1.0 : totals_[j] * factor_;
    if (out.entropy.empty())
      continue;
    double cosine = 0.0; // the mean of <theta_j, theta_k>
    for (std::size_t c = 0; c < dim; ++c)
      cosine += queries.theta[j * dim + c] * drift[j * dim + c];
    if (factor_ != 0.0)
      cosine /= totals_[j] * factor_;
    out.entropy[j] = log_total + (std::abs(beta) - beta * cosine);
  }
}

bool SeriesAttention::evaluate_series(Series series, const Tokens& queries, const Tokens& keys, double beta,
                                      const AttentionOutput& out) {
  SeriesProblem problem{.tokens = keys.theta.data(), .n_tokens = keys.count(), .count = queries.count(), .beta = beta};
  if (!find_queries(queries, keys, problem.first))
    return false;
  problem.is_causal = options_.mask == Mask::causal;
  if (problem.is_causal && queries.first - keys.first != problem.first)
    return false;
  factor_ = options_.normalization == Normalization::softmax ? 0.0 : unnormalized_factor(beta, problem.n_tokens);
  problem.factor = factor_;
  problem.n_threads = omp_get_max_threads();
  const bool wants_more = !out.log_partition.empty() || !out.magnitude.empty() || !out.entropy.empty();
  if (wants_more)
    totals_.resize(problem.count);
  if (out.drift.empty())
    drift_.resize(queries.theta.size());
  double* drift = out.drift.empty() ? drift_.data() : out.drift.data();
  std::unique_ptr<SeriesKernel>& kernel = series == Series::fourier ? fourier_ : harmonics_;
  if (!kernel)
    kernel = series == Series::fourier ? make_fourier_kernel() : make_harmonics_kernel();
  if (!kernel->evaluate(problem, {drift, wants_more ? totals_.data() : nullptr}))
    return false;
  if (wants_more)
    write_others(queries, beta, {drift, queries.theta.size()}, out);
  return true;
}

void SeriesAttention::evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) {
  core::believe(queries.dim == keys.dim && queries.dim > 0, "queries and keys are tokens of one dimension");
  core::believe(keys.count() > 0, "there is a key");
  core::believe(options_.mask == Mask::full || queries.first >= keys.first, "a causal query sees itself");
  const Series series = series_for(weights_, {keys.count(), keys.dim, beta, options_.mask}, choice_);
  if (series != Series::none && evaluate_series(series, queries, keys, beta, out)) {
    last_ = series == Series::fourier ? "fourier" : "harmonics";
    return;
  }
  pairs_->evaluate(queries, keys, beta, out);
  last_ = pairs_->kernel();
}

} // namespace

std::string series_kernel_name(const Weights& weights, const KernelCase& at, SeriesChoice choice) {
  const Series kind = series_for(weights, at, choice);
  if (kind == Series::none)
    return fused_kernel_name(weights, at.dim, KernelChoice::automatic);
  ZonalSeries series = kind == Series::fourier ? fourier_series() : harmonics_series();
  series.set(at.beta);
  return fmt::format("{} = {}", kind == Series::fourier ? "fourier, K" : "harmonics, L", series.degree());
}

std::unique_ptr<Attention> make_series_attention(const AttentionOptions& options, Weights weights,
                                                 SeriesChoice choice) {
  return std::make_unique<SeriesAttention>(options, std::move(weights), choice);
}

} // namespace normdyn::attention
