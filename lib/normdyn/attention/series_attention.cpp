#include "normdyn/attention/series_attention.hpp"

#include "normdyn/attention/fused_attention.hpp"
#include "normdyn/attention/packed_projection.hpp"
#include "normdyn/attention/series_form.hpp"
#include "normdyn/attention/series_kernel.hpp"
#include "normdyn/attention/shifts.hpp"
#include "normdyn/attention/zonal_series.hpp"
#include "normdyn/core/error.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace normdyn::attention {
namespace {

enum class Series { none, fourier, harmonics };

// Tokens from which the series is faster than the sum over pairs by a good margin, measured. Under a mask a pair costs
// less and harmonics more.
double fourier_crossover(double beta) {
  return 128.0 + 20.0 * std::sqrt(std::abs(beta));
}
double harmonics_crossover(double beta, Mask mask) {
  return mask == Mask::causal ? 600.0 + 100.0 * std::abs(beta) : 300.0 + 75.0 * std::abs(beta);
}

// False for NaN.
bool is_between(double beta, double least, double most) {
  return beta >= least && beta <= most;
}

Series series_for(const SeriesForm& form, const KernelCase& at, SeriesChoice choice) {
  if (!form.serves || at.n_tokens == 0)
    return Series::none;
  const double beta = at.beta * form.scale, n = static_cast<double>(at.n_tokens);
  const double most = form.rotation ? largest_bound : ZonalSeries::largest_beta; // no token need be near a turned query
  if (!is_between(beta, -largest_bound, most))
    return Series::none;
  const bool is_forced = choice != SeriesChoice::automatic;
  if (at.dim == 2 && choice != SeriesChoice::harmonics && (is_forced || n >= fourier_crossover(beta)))
    return Series::fourier;
  if (at.dim == 3 && choice != SeriesChoice::fourier && (is_forced || n >= harmonics_crossover(beta, at.mask)))
    return Series::harmonics;
  return Series::none;
}

std::unique_ptr<SeriesBasis> make_basis(Series series) {
  return series == Series::fourier ? make_fourier_basis() : make_harmonics_basis();
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
      : options_(options), weights_(std::move(weights)), form_(series_form(weights_)), choice_(choice),
        pairs_(make_fused_attention(options_, weights_, KernelChoice::automatic)) {}

  void evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) override;
  [[nodiscard]] std::size_t n_heads() const override { return weights_.n_heads; }
  [[nodiscard]] std::string kernel() const override { return last_.empty() ? "auto" : last_; }

 private:
  [[nodiscard]] bool has_values() const { return !weights_.value.is_identity() || !weights_.output.is_identity(); }
  bool set_problem(const Tokens& queries, const Tokens& keys, double beta, SeriesProblem& problem);
  void turn_queries(const Tokens& queries, SeriesProblem& problem);
  void write_values(const SeriesProblem& problem, std::size_t dim, std::span<double> drift);
  void write_others(const SeriesProblem& problem, std::size_t dim, const double* mean, const AttentionOutput& out);
  bool evaluate_series(Series series, const Tokens& queries, const Tokens& keys, double beta,
                       const AttentionOutput& out);

  AttentionOptions options_;
  Weights weights_;
  SeriesForm form_;
  SeriesChoice choice_;
  std::unique_ptr<Attention> pairs_;
  std::optional<SeriesKernel> fourier_, harmonics_;
  std::vector<PackedProjection> maps_; ///< value, output
  geometry::State totals_, mean_, turned_, values_, outputs_;
  double factor_ = 0.0; ///< of the sums; 0: each divided by its total
  std::string last_;
};

// Sums are scaled by e^{-|beta|}.
double unnormalized_factor(double beta, std::size_t n_keys) {
  const double shift = std::abs(beta), n = static_cast<double>(n_keys);
  return shift > 700.0 ? std::exp(shift - std::log(n)) : std::exp(shift) / n;
}

// False if the queries are no rows of the keys, or not those that the mask counts.
bool SeriesAttention::set_problem(const Tokens& queries, const Tokens& keys, double beta, SeriesProblem& problem) {
  if (!find_queries(queries, keys, problem.first))
    return false;
  problem.is_causal = options_.mask == Mask::causal;
  if (problem.is_causal && queries.first - keys.first != problem.first)
    return false;
  problem.tokens = keys.theta.data();
  problem.n_tokens = keys.count();
  problem.count = queries.count();
  problem.queries = queries.theta.data();
  problem.beta = beta * form_.scale;
  problem.n_threads = omp_get_max_threads();
  if (form_.rotation)
    turn_queries(queries, problem);
  return true;
}

void SeriesAttention::turn_queries(const Tokens& queries, SeriesProblem& problem) {
  turned_.resize(queries.theta.size());
  const std::size_t dim = queries.dim;
  const double* rotation = form_.rotation->data();
  for (std::size_t j = 0; j < problem.count; ++j)
    for (std::size_t i = 0; i < dim; ++i) {
      double sum = 0.0;
      for (std::size_t c = 0; c < dim; ++c)
        sum += rotation[i * dim + c] * queries.theta[j * dim + c];
      turned_[j * dim + i] = sum;
    }
  problem.queries = turned_.data();
}

// W_O (V mean + b_V) times the sum of the weights, + b_O.
void SeriesAttention::write_values(const SeriesProblem& problem, std::size_t dim, std::span<double> drift) {
  constexpr std::size_t rows = 64;
  if (maps_.empty()) {
    maps_.emplace_back(weights_.value, dim);
    maps_.emplace_back(weights_.output, maps_[0].size());
  }
  values_.resize(rows * maps_[0].stride());
  outputs_.resize(rows * maps_[1].stride());
  for (std::size_t begin = 0; begin < problem.count; begin += rows) {
    const std::size_t count = std::min(rows, problem.count - begin);
    maps_[0].apply(mean_.data() + begin * dim, count, dim, values_.data());
    if (factor_ != 0.0)
      for (std::size_t j = 0; j < count; ++j)
        for (std::size_t i = 0; i < maps_[0].size(); ++i)
          values_[j * maps_[0].stride() + i] *= totals_[begin + j] * factor_;
    maps_[1].apply(values_.data(), count, maps_[0].stride(), outputs_.data());
    for (std::size_t j = 0; j < count; ++j)
      std::copy_n(outputs_.data() + j * maps_[1].stride(), dim, drift.data() + (begin + j) * dim);
  }
}

// `mean`: the mean of the tokens by their weights, times the sum of these if problem.factor is not 0.
void SeriesAttention::write_others(const SeriesProblem& problem, std::size_t dim, const double* mean,
                                   const AttentionOutput& out) {
  const double size = std::abs(problem.beta);
  for (std::size_t j = 0; j < problem.count; ++j) {
    const double log_total = std::log(totals_[j]);
    if (!out.log_partition.empty())
      out.log_partition[j] = size + log_total;
    if (!out.magnitude.empty())
      out.magnitude[j] = factor_ == 0.0 ? 1.0 : totals_[j] * factor_;
    if (out.entropy.empty())
      continue;
    double cosine = 0.0; // the mean of <q_j, theta_k>
    for (std::size_t c = 0; c < dim; ++c)
      cosine += problem.queries[j * dim + c] * mean[j * dim + c];
    if (problem.factor != 0.0)
      cosine /= totals_[j] * problem.factor;
    out.entropy[j] = log_total + (size - problem.beta * cosine);
  }
}

bool SeriesAttention::evaluate_series(Series series, const Tokens& queries, const Tokens& keys, double beta,
                                      const AttentionOutput& out) {
  SeriesProblem problem;
  if (!set_problem(queries, keys, beta, problem))
    return false;
  factor_ =
      options_.normalization == Normalization::softmax ? 0.0 : unnormalized_factor(problem.beta, problem.n_tokens);
  problem.factor = has_values() ? 0.0 : factor_;
  const bool wants_totals =
      !out.log_partition.empty() || !out.magnitude.empty() || !out.entropy.empty() || problem.factor != factor_;
  if (wants_totals)
    totals_.resize(problem.count);
  const bool keeps_mean = has_values() || out.drift.empty();
  if (keeps_mean)
    mean_.resize(queries.theta.size());
  double* mean = keeps_mean ? mean_.data() : out.drift.data();
  std::optional<SeriesKernel>& kernel = series == Series::fourier ? fourier_ : harmonics_;
  if (!kernel)
    kernel.emplace(make_basis(series));
  if (!kernel->evaluate(problem, {mean, wants_totals ? totals_.data() : nullptr}))
    return false;
  if (wants_totals)
    write_others(problem, queries.dim, mean, out);
  if (has_values() && !out.drift.empty())
    write_values(problem, queries.dim, out.drift);
  if (has_values() && !out.magnitude.empty()) // lengths of V theta_k + b_V are no function of one angle
    pairs_->evaluate(queries, keys, beta, {.drift = {}, .magnitude = out.magnitude});
  return true;
}

void SeriesAttention::evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) {
  core::believe(queries.dim == keys.dim && queries.dim > 0, "queries and keys are tokens of one dimension");
  core::believe(keys.count() > 0, "there is a key");
  core::believe(options_.mask == Mask::full || queries.first >= keys.first, "a causal query sees itself");
  const Series series = series_for(form_, {keys.count(), keys.dim, beta, options_.mask}, choice_);
  if (series != Series::none && evaluate_series(series, queries, keys, beta, out)) {
    last_ = series == Series::fourier ? "fourier" : "harmonics";
    return;
  }
  pairs_->evaluate(queries, keys, beta, out);
  last_ = pairs_->kernel();
}

} // namespace

std::string series_kernel_name(const Weights& weights, const KernelCase& at, SeriesChoice choice) {
  const SeriesForm form = series_form(weights);
  const Series kind = series_for(form, at, choice);
  if (kind == Series::none)
    return fused_kernel_name(weights, at.dim, KernelChoice::automatic);
  const std::unique_ptr<SeriesBasis> basis = make_basis(kind);
  basis->set(at.beta * form.scale);
  return fmt::format("{} = {}", kind == Series::fourier ? "fourier, K" : "harmonics, L", basis->degree());
}

std::unique_ptr<Attention> make_series_attention(const AttentionOptions& options, Weights weights,
                                                 SeriesChoice choice) {
  return std::make_unique<SeriesAttention>(options, std::move(weights), choice);
}

} // namespace normdyn::attention
