#include "normdyn/attention/attention.hpp"

#include "normdyn/attention/packed_projection.hpp"
#include "normdyn/attention/panel_product.hpp"
#include "normdyn/attention/score_row.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace normdyn::attention {
namespace {

constexpr std::size_t block_rows = 32; // tokens whose scores are held at once
constexpr double thread_work = 1e6;    // multiplications below which threads cost more than they save

// What one thread needs for a block of query rows.
struct Workspace {
  geometry::State projected, scores, head_values, concatenated, output;
};

// Calls f(begin, end, thread) for each block of rows. Blocks are dealt out in turn, which evens out causal masks; one
// thread does without OpenMP, whose start costs more than a small evaluation.
template <class F>
void for_blocks(std::size_t n_rows, int n_threads, F f) {
  const std::size_t n_blocks = (n_rows + block_rows - 1) / block_rows;
  if (n_threads == 1) {
    for (std::size_t b = 0; b < n_blocks; ++b)
      f(b * block_rows, std::min(n_rows, (b + 1) * block_rows), std::size_t{0});
    return;
  }
#pragma omp parallel for schedule(static, 1) num_threads(n_threads)
  for (std::size_t b = 0; b < n_blocks; ++b)
    f(b * block_rows, std::min(n_rows, (b + 1) * block_rows), static_cast<std::size_t>(omp_get_thread_num()));
}

class DirectAttention final : public Attention {
 public:
  DirectAttention(const AttentionOptions& options, Weights weights) : options_(options), weights_(std::move(weights)) {}

  void evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) override;
  [[nodiscard]] std::size_t n_heads() const override { return weights_.n_heads; }
  [[nodiscard]] std::string kernel() const override { return "direct"; }

 private:
  void prepare(std::size_t dim);
  void pack_keys(const Tokens& keys, int n_threads);
  void pack_key_block(const Tokens& keys, std::size_t begin, std::size_t end, Workspace& work);
  void evaluate_block(const Tokens& queries, std::size_t begin, std::size_t end, double beta,
                      const AttentionOutput& out, Workspace& work);
  void evaluate_head(const Tokens& queries, std::size_t head, std::size_t begin, std::size_t end, double beta,
                     const AttentionOutput& out, Workspace& work);
  void write_drift(std::size_t begin, std::size_t end, const AttentionOutput& out, Workspace& work) const;
  /// Number of keys that query row `row` sees.
  [[nodiscard]] std::size_t seen(const Tokens& queries, std::size_t row) const {
    return options_.mask == Mask::full ? n_keys_ : std::min(n_keys_, queries.first + row + 1 - first_key_);
  }

  AttentionOptions options_;
  Weights weights_;
  std::size_t dim_ = 0, n_keys_ = 0, first_key_ = 0, head_dim_ = 0, value_dim_ = 0;
  std::vector<PackedProjection> maps_; ///< query, key, value, output
  std::vector<PanelMatrix> keys_;      ///< per head, head_dim x n_keys
  std::vector<PanelMatrix> values_;    ///< per head, n_keys x value_dim
  geometry::State value_norms_;        ///< heads x keys: |V_h theta_k + b_V|
  double output_norm_ = -1.0;
  std::vector<Workspace> workspaces_;
};

void DirectAttention::prepare(std::size_t dim) {
  if (dim == dim_)
    return;
  dim_ = dim;
  maps_.clear();
  maps_.emplace_back(weights_.query, dim);
  maps_.emplace_back(weights_.key, dim);
  maps_.emplace_back(weights_.value, dim);
  maps_.emplace_back(weights_.output, maps_[2].size());
  head_dim_ = maps_[0].size() / weights_.n_heads;
  value_dim_ = maps_[2].size() / weights_.n_heads;
  core::believe(head_dim_ * weights_.n_heads == maps_[1].size(), "queries and keys have the same size in each head");
  core::believe(value_dim_ * weights_.n_heads == maps_[2].size(), "heads share the values evenly");
  core::believe(maps_[3].size() == dim, "the output has the dimension of the tokens");
  keys_.resize(weights_.n_heads);
  values_.resize(weights_.n_heads);
}

void DirectAttention::pack_key_block(const Tokens& keys, std::size_t begin, std::size_t end, Workspace& work) {
  for (const bool is_value : {false, true}) {
    const PackedProjection& map = maps_[is_value ? 2 : 1];
    const double* rows = keys.theta.data() + begin * dim_;
    std::size_t stride = dim_;
    if (!map.is_identity()) {
      stride = map.stride();
      work.projected.resize(block_rows * stride);
      map.apply(rows, end - begin, dim_, work.projected.data());
      rows = work.projected.data();
    }
    for (std::size_t h = 0; h < weights_.n_heads; ++h)
      for (std::size_t k = begin; k < end; ++k) {
        const double* row = rows + (k - begin) * stride + h * (is_value ? value_dim_ : head_dim_);
        if (is_value) {
          values_[h].set_row(k, row);
          value_norms_[h * n_keys_ + k] = geometry::norm({row, value_dim_});
        } else {
          keys_[h].set_column(k, row);
        }
      }
  }
}

void DirectAttention::pack_keys(const Tokens& keys, int n_threads) {
  n_keys_ = keys.count();
  first_key_ = keys.first;
  value_norms_.resize(weights_.n_heads * n_keys_);
  for (std::size_t h = 0; h < weights_.n_heads; ++h) {
    keys_[h].resize(head_dim_, n_keys_);
    values_[h].resize(n_keys_, value_dim_);
  }
  for_blocks(n_keys_, n_threads, [&](std::size_t begin, std::size_t end, std::size_t thread) {
    pack_key_block(keys, begin, end, workspaces_[thread]);
  });
}

void DirectAttention::evaluate_head(const Tokens& queries, std::size_t head, std::size_t begin, std::size_t end,
                                    double beta, const AttentionOutput& out, Workspace& work) {
  const PanelMatrix& keys = keys_[head];
  const PanelMatrix& values = values_[head];
  const bool projects = !maps_[0].is_identity();
  const std::size_t query_stride = projects ? maps_[0].stride() : dim_;
  const double* rows = (projects ? work.projected.data() : queries.theta.data() + begin * dim_) + head * head_dim_;
  const std::size_t n_rows = end - begin, n_queries = queries.count();
  const std::size_t most_seen = seen(queries, end - 1);
  const std::size_t end_panel = (most_seen + keys.width() - 1) / keys.width();
  const std::size_t stride = keys.padded_columns();
  keys.multiply(rows, n_rows, query_stride, head_dim_, end_panel, work.scores.data(), stride);

  const bool is_softmax = options_.normalization == Normalization::softmax;
  double divisor[block_rows], factor[block_rows]; // weights are exponentials / divisor * factor
  for (std::size_t r = 0; r < n_rows; ++r) {
    double* scores = work.scores.data() + r * stride;
    const std::size_t n_seen = seen(queries, begin + r), j = begin + r;
    const double shift = scale_scores(scores, n_seen, beta);
    const ExponentialSums sums = exponentiate(scores, n_seen, shift);
    std::fill(scores + n_seen, scores + most_seen, 0.0);
    const double n = static_cast<double>(n_keys_);
    const bool near_overflow = shift > 700.0; // of exp(shift), not necessarily of exp(shift) / n
    divisor[r] = is_softmax ? sums.total : near_overflow ? 1.0 : n;
    factor[r] = is_softmax ? 1.0 : near_overflow ? std::exp(shift - std::log(n)) : std::exp(shift);
    if (!out.log_partition.empty())
      out.log_partition[head * n_queries + j] = shift + std::log(sums.total);
    if (!out.entropy.empty()) {
      const double entropy = std::log(sums.total) - sums.weighted / sums.total;
      out.entropy[j] = (head == 0 ? 0.0 : out.entropy[j]) + entropy / static_cast<double>(weights_.n_heads);
    }
    if (!out.magnitude.empty()) {
      const double* norms = value_norms_.data() + head * n_keys_;
      double magnitude = 0.0;
      for (std::size_t k = 0; k < n_seen; ++k)
        magnitude += scores[k] * norms[k];
      out.magnitude[j] = std::hypot(head == 0 ? 0.0 : out.magnitude[j], magnitude / divisor[r] * factor[r]);
    }
  }
  if (out.drift.empty())
    return;
  values.multiply(work.scores.data(), n_rows, stride, most_seen, values.n_panels(), work.head_values.data(),
                  values.padded_columns());
  for (std::size_t r = 0; r < n_rows; ++r)
    for (std::size_t i = 0; i < value_dim_; ++i)
      work.concatenated[r * maps_[2].size() + head * value_dim_ + i] =
          work.head_values[r * values.padded_columns() + i] / divisor[r] * factor[r];
}

void DirectAttention::write_drift(std::size_t begin, std::size_t end, const AttentionOutput& out,
                                  Workspace& work) const {
  const PackedProjection& map = maps_[3];
  const double* rows = work.concatenated.data();
  if (!map.is_identity()) {
    work.output.resize(block_rows * map.stride());
    map.apply(rows, end - begin, maps_[2].size(), work.output.data());
    rows = work.output.data();
  }
  const std::size_t stride = map.is_identity() ? dim_ : map.stride();
  for (std::size_t r = 0; r < end - begin; ++r)
    std::copy(rows + r * stride, rows + r * stride + dim_, out.drift.data() + (begin + r) * dim_);
}

void DirectAttention::evaluate_block(const Tokens& queries, std::size_t begin, std::size_t end, double beta,
                                     const AttentionOutput& out, Workspace& work) {
  if (!maps_[0].is_identity()) {
    work.projected.resize(block_rows * maps_[0].stride());
    maps_[0].apply(queries.theta.data() + begin * dim_, end - begin, dim_, work.projected.data());
  }
  work.scores.resize(block_rows * keys_.front().padded_columns());
  work.head_values.resize(block_rows * values_.front().padded_columns());
  work.concatenated.resize(block_rows * maps_[2].size());
  for (std::size_t h = 0; h < weights_.n_heads; ++h)
    evaluate_head(queries, h, begin, end, beta, out, work);
  if (!out.magnitude.empty() && !maps_[3].is_identity()) {
    const double bias = weights_.output.bias ? weights_.output.bias->norm() : 0.0;
    for (std::size_t j = begin; j < end; ++j)
      out.magnitude[j] = output_norm_ * out.magnitude[j] + bias;
  }
  if (!out.drift.empty())
    write_drift(begin, end, out, work);
}

void DirectAttention::evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) {
  core::believe(queries.dim == keys.dim && queries.dim > 0, "queries and keys are tokens of one dimension");
  core::believe(keys.count() > 0, "there is a key");
  core::believe(options_.mask == Mask::full || queries.first >= keys.first, "a causal query sees itself");
  prepare(queries.dim);
  if (!out.magnitude.empty() && output_norm_ < 0.0)
    output_norm_ = weights_.output.matrix ? spectral_norm(*weights_.output.matrix) : 1.0;
  const std::size_t n_queries = queries.count();
  const double per_pair = static_cast<double>(maps_[0].size() + maps_[2].size() + 10 * weights_.n_heads);
  const double work = static_cast<double>(n_queries) * static_cast<double>(keys.count()) * per_pair;
  const int n_threads = work < thread_work ? 1 : omp_get_max_threads();
  if (workspaces_.size() < static_cast<std::size_t>(n_threads))
    workspaces_.resize(static_cast<std::size_t>(n_threads));
  pack_keys(keys, n_threads);
  for_blocks(n_queries, n_threads, [&](std::size_t begin, std::size_t end, std::size_t thread) {
    evaluate_block(queries, begin, end, beta, out, workspaces_[thread]);
  });
}

} // namespace

std::unique_ptr<Attention> make_direct_attention(const AttentionOptions& options, Weights weights) {
  return std::make_unique<DirectAttention>(options, std::move(weights));
}

} // namespace normdyn::attention
