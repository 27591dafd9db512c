#include "normdyn/attention/fused_attention.hpp"

#include "normdyn/attention/head_kernel.hpp"
#include "normdyn/attention/packed_projection.hpp"
#include "normdyn/attention/row_vectors.hpp"
#include "normdyn/attention/shifts.hpp"
#include "normdyn/attention/small_d_vectors.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace normdyn::attention {
namespace {

constexpr std::size_t small_d_best = 6;                  // components up to which small_d is faster than tiles
constexpr std::size_t projection_rows = 32;              // rows projected at once by a thread
constexpr std::size_t projections_for_threads = 1 << 19; // multiplications below which threads do not pay

std::size_t projected_size(const Projection& map, std::size_t dim) {
  return map.matrix ? static_cast<std::size_t>(map.matrix->rows()) : dim;
}

// Whether the queries are rows of the keys, in place.
bool is_part_of(const Tokens& queries, const Tokens& keys) {
  const std::less_equal<const double*> not_after;
  return not_after(keys.theta.data(), queries.theta.data()) &&
         not_after(queries.theta.data() + queries.theta.size(), keys.theta.data() + keys.theta.size());
}

std::unique_ptr<Attention> make_fallback(AttentionOptions options, const Weights& weights, KernelChoice choice) {
  if (options.precision == Precision::float64)
    return make_direct_attention(options, weights);
  options.precision = Precision::float64;
  return make_fused_attention(options, weights, choice);
}

class FusedAttention final : public Attention {
 public:
  FusedAttention(const AttentionOptions& options, Weights weights, KernelChoice choice)
      : options_(options), weights_(std::move(weights)), choice_(choice), range_(safe_range(options.precision)),
        fallback_(make_fallback(options, weights_, choice)) {}

  void evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) override;
  [[nodiscard]] std::size_t n_heads() const override { return weights_.n_heads; }
  [[nodiscard]] std::string kernel() const override {
    return dim_ == 0 ? "auto" : fused_kernel_text(weights_, dim_, choice_, options_.precision);
  }

 private:
  void prepare(std::size_t dim);
  [[nodiscard]] Rows project(const PackedProjection& map, const Tokens& tokens, geometry::State& buffer) const;
  [[nodiscard]] HeadProblem head_problem(std::size_t head, const Tokens& queries, const Tokens& keys,
                                         double beta) const;
  void add_value_norms(Rows& value);
  bool set_shifts(HeadProblem& problem, bool has_plain_scores);
  void evaluate_head(std::size_t head, HeadProblem problem, const AttentionOutput& out);
  void finish_head(std::size_t head, const HeadProblem& problem, const HeadSums& sums,
                   const AttentionOutput& out) const;
  void scale_head(const HeadProblem& problem, const HeadSums& sums, const AttentionOutput& out) const;
  void write_output(const AttentionOutput& out);
  void find_unresolved_rows(const Tokens& queries, const AttentionOutput& out);
  void redo_unsafe_rows(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out);
  void redo_slice(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out, std::size_t first,
                  std::size_t last);

  AttentionOptions options_;
  Weights weights_;
  KernelChoice choice_;
  SafeRange range_;
  std::unique_ptr<Attention> fallback_;
  std::unique_ptr<HeadKernel> kernel_; ///< none: all is left to the fallback
  std::size_t most_values_ = 0;        ///< components that the kernel can take
  std::size_t dim_ = 0, head_dim_ = 0, value_dim_ = 0, n_queries_ = 0, n_keys_ = 0;
  std::vector<PackedProjection> maps_; ///< query, key, value, output
  Rows query_, key_, value_;           ///< of all heads
  bool wants_norms_ = false;           ///< whether |v_k| is carried as one more value
  bool has_unit_values_ = false;
  geometry::State query_buffer_, key_buffer_, value_buffer_, norm_buffer_;
  geometry::State shift_, totals_, sums_, concatenated_, output_;
  std::vector<char> is_unsafe_;
  geometry::State redone_drift_, redone_magnitude_, redone_log_partition_, tangent_;
  double output_norm_ = -1.0;
};

void FusedAttention::prepare(std::size_t dim) {
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
  core::believe(maps_[3].size() == dim, "the output has the dimension of the tokens");
  const std::string name = fused_kernel_name(weights_, dim, choice_);
  kernel_.reset();
  if (name == "small_d")
    kernel_ = make_small_d_kernel(options_.precision);
  else if (name == "tiles")
    kernel_ = make_tile_kernel(options_.precision);
  most_values_ = name == "small_d" ? small_d_limit : std::numeric_limits<std::size_t>::max();
}

Rows FusedAttention::project(const PackedProjection& map, const Tokens& tokens, geometry::State& buffer) const {
  const std::size_t count = tokens.count();
  if (map.is_identity())
    return {tokens.theta.data(), count, tokens.dim, tokens.dim};
  buffer.resize(count * map.stride());
  const std::size_t n_blocks = (count + projection_rows - 1) / projection_rows;
  const auto project_block = [&](std::size_t block) {
    const std::size_t begin = block * projection_rows, size = std::min(projection_rows, count - begin);
    map.apply(tokens.theta.data() + begin * tokens.dim, size, tokens.dim, buffer.data() + begin * map.stride());
  };
  if (count * tokens.dim * map.size() < projections_for_threads)
    for (std::size_t block = 0; block < n_blocks; ++block)
      project_block(block);
  else {
#pragma omp parallel for schedule(static)
    for (std::size_t block = 0; block < n_blocks; ++block)
      project_block(block);
  }
  return {buffer.data(), count, map.size(), map.stride()};
}

HeadProblem FusedAttention::head_problem(std::size_t head, const Tokens& queries, const Tokens& keys,
                                         double beta) const {
  HeadProblem problem;
  problem.query = {query_.data + head * head_dim_, n_queries_, head_dim_, query_.stride};
  problem.key = {key_.data + head * head_dim_, n_keys_, head_dim_, key_.stride};
  problem.value = {value_.data + head * value_dim_, n_keys_, value_dim_, value_.stride};
  problem.beta = beta;
  problem.is_causal = options_.mask == Mask::causal;
  problem.first_seen = queries.first + 1 - (problem.is_causal ? keys.first : 0);
  problem.n_threads = omp_get_max_threads();
  return problem;
}

// One more value per key: its length, whose weighted sum is the magnitude.
void FusedAttention::add_value_norms(Rows& value) {
  norm_buffer_.resize(value.count * (value.size + 1));
  for (std::size_t k = 0; k < value.count; ++k) {
    double* row = norm_buffer_.data() + k * (value.size + 1);
    std::copy_n(value.row(k), value.size, row);
    row[value.size] = geometry::norm({value.row(k), value.size});
  }
  value = {norm_buffer_.data(), value.count, value.size + 1, value.size + 1};
}

// Whether any query can be done.
bool FusedAttention::set_shifts(HeadProblem& problem, bool has_plain_scores) {
  shift_.resize(n_queries_);
  problem.shift = shift_.data();
  const std::size_t n_safe = bound_shifts(problem, {has_plain_scores, has_unit_values_}, range_, shift_);
  bool are_same = true; // looked at all of them: that takes vectors
  for (const double shift : shift_)
    are_same &= shift == std::abs(problem.beta);
  problem.is_symmetric = problem.is_symmetric && are_same;
  if (n_safe < n_queries_)
    for (std::size_t j = 0; j < n_queries_; ++j)
      is_unsafe_[j] = is_unsafe_[j] != 0 || !std::isfinite(shift_[j]);
  return n_safe > 0;
}

void FusedAttention::evaluate_head(std::size_t head, HeadProblem problem, const AttentionOutput& out) {
  if (wants_norms_)
    add_value_norms(problem.value);
  totals_.resize(n_queries_);
  HeadSums sums{.totals = totals_.data()};
  const bool writes_drift = weights_.n_heads == 1 && maps_[3].is_identity() && !wants_norms_ && !out.drift.empty();
  if (writes_drift) {
    sums.sums = out.drift.data();
    sums.sums_stride = dim_;
  } else {
    sums_.resize(n_queries_ * problem.value.size);
    sums.sums = sums_.data();
    sums.sums_stride = problem.value.size;
  }
  kernel_->evaluate(problem, sums);
  finish_head(head, problem, sums, out);
  if (!writes_drift && !out.drift.empty())
    for (std::size_t j = 0; j < n_queries_; ++j)
      std::copy_n(sums.sums + j * sums.sums_stride, value_dim_,
                  concatenated_.data() + j * maps_[2].size() + head * value_dim_);
}

void FusedAttention::finish_head(std::size_t head, const HeadProblem& problem, const HeadSums& sums,
                                 const AttentionOutput& out) const {
  const std::size_t size = problem.value.size;
  if (!out.log_partition.empty())
    for (std::size_t j = 0; j < n_queries_; ++j)
      out.log_partition[head * n_queries_ + j] = problem.shift[j] + std::log(sums.totals[j]);
  if (options_.normalization == Normalization::softmax) {
    divide_by_totals(sums, n_queries_, size);
    if (!out.magnitude.empty() && has_unit_values_) // of one head
      std::fill(out.magnitude.begin(), out.magnitude.end(), 1.0);
  } else
    scale_head(problem, sums, out);
  if (!out.magnitude.empty() && !has_unit_values_)
    for (std::size_t j = 0; j < n_queries_; ++j) {
      const double magnitude = sums.sums[j * sums.sums_stride + value_dim_];
      out.magnitude[j] = head == 0 ? magnitude : std::hypot(out.magnitude[j], magnitude);
    }
}

// Without normalization weights are exponentials / divisor * factor.
void FusedAttention::scale_head(const HeadProblem& problem, const HeadSums& sums, const AttentionOutput& out) const {
  const double n = static_cast<double>(n_keys_);
  for (std::size_t j = 0; j < n_queries_; ++j) {
    const double shift = problem.shift[j];
    const bool near_overflow = shift > 700.0; // of exp(shift), not necessarily of exp(shift) / n
    const double divisor = near_overflow ? 1.0 : n;
    const double factor = near_overflow ? std::exp(shift - std::log(n)) : std::exp(shift);
    double* row = sums.sums + j * sums.sums_stride;
    for (std::size_t i = 0; i < problem.value.size; ++i)
      row[i] = row[i] / divisor * factor;
    if (!out.magnitude.empty() && has_unit_values_)
      out.magnitude[j] = sums.totals[j] / divisor * factor;
  }
}

void FusedAttention::write_output(const AttentionOutput& out) {
  const PackedProjection& map = maps_[3];
  if (!out.magnitude.empty() && !map.is_identity()) {
    if (output_norm_ < 0.0)
      output_norm_ = weights_.output.matrix ? spectral_norm(*weights_.output.matrix) : 1.0;
    const double bias = weights_.output.bias ? weights_.output.bias->norm() : 0.0;
    for (double& magnitude : out.magnitude)
      magnitude = output_norm_ * magnitude + bias;
  }
  if (out.drift.empty() || (weights_.n_heads == 1 && map.is_identity() && !wants_norms_))
    return;
  const std::size_t size = maps_[2].size();
  const Rows rows = project(map, {concatenated_, size, 0}, output_);
  for (std::size_t j = 0; j < n_queries_; ++j)
    std::copy_n(rows.row(j), dim_, out.drift.data() + j * dim_);
}

// Queries whose motion float does not resolve: drifts far below their magnitude, and drifts along their own token.
// There, equal terms of a long sum are rounded the same way again and again, and clusters at rest would creep.
void FusedAttention::find_unresolved_rows(const Tokens& queries, const AttentionOutput& out) {
  constexpr double least_drift = 0x1p-10, least_turn = 0x1p-12;
  if (out.drift.empty())
    return;
  tangent_.resize(dim_);
  for (std::size_t j = 0; j < n_queries_; ++j) {
    const std::span<const double> drift = out.drift.subspan(j * dim_, dim_);
    (void)geometry::project_tangent(queries.theta.subspan(j * dim_, dim_), drift, tangent_);
    const double norm = geometry::norm(drift);
    if (geometry::norm(tangent_) <= least_turn * norm ||
        (!out.magnitude.empty() && norm <= least_drift * out.magnitude[j]))
      is_unsafe_[j] = 1;
  }
}

// In slices, which have the bits of the whole; few safe queries between unsafe ones are no reason for another slice.
void FusedAttention::redo_unsafe_rows(const Tokens& queries, const Tokens& keys, double beta,
                                      const AttentionOutput& out) {
  char any = 0;
  for (const char is_unsafe : is_unsafe_)
    any |= is_unsafe;
  if (any == 0)
    return;
  const std::size_t least_gap = std::max<std::size_t>(64, n_queries_ / 8);
  std::size_t first = n_queries_, last = 0;
  for (std::size_t j = 0; j < n_queries_; ++j) {
    if (is_unsafe_[j] == 0)
      continue;
    if (first < n_queries_ && j >= last + least_gap) {
      redo_slice(queries, keys, beta, out, first, last);
      first = j;
    }
    first = std::min(first, j);
    last = j + 1;
  }
  if (first < n_queries_)
    redo_slice(queries, keys, beta, out, first, last);
}

void FusedAttention::redo_slice(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out,
                                std::size_t first, std::size_t last) {
  const std::size_t count = last - first;
  redone_drift_.resize(out.drift.empty() ? 0 : count * dim_);
  redone_magnitude_.resize(out.magnitude.empty() ? 0 : count);
  redone_log_partition_.resize(out.log_partition.empty() ? 0 : weights_.n_heads * count);
  fallback_->evaluate({queries.theta.subspan(first * dim_, count * dim_), dim_, queries.first + first}, keys, beta,
                      {.drift = redone_drift_, .magnitude = redone_magnitude_, .log_partition = redone_log_partition_});
  for (std::size_t j = first; j < last; ++j) {
    if (is_unsafe_[j] == 0)
      continue;
    if (!out.drift.empty())
      std::copy_n(redone_drift_.data() + (j - first) * dim_, dim_, out.drift.data() + j * dim_);
    if (!out.magnitude.empty())
      out.magnitude[j] = redone_magnitude_[j - first];
    if (!out.log_partition.empty())
      for (std::size_t h = 0; h < weights_.n_heads; ++h)
        out.log_partition[h * n_queries_ + j] = redone_log_partition_[h * count + j - first];
  }
}

void FusedAttention::evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) {
  core::believe(queries.dim == keys.dim && queries.dim > 0, "queries and keys are tokens of one dimension");
  core::believe(keys.count() > 0, "there is a key");
  core::believe(options_.mask == Mask::full || queries.first >= keys.first, "a causal query sees itself");
  prepare(queries.dim);
  n_queries_ = queries.count();
  n_keys_ = keys.count();
  query_ = project(maps_[0], queries, query_buffer_);
  key_ = project(maps_[1], keys, key_buffer_);
  value_ = project(maps_[2], keys, value_buffer_);
  const RowKind tokens = kind_of_rows({keys.theta.data(), n_keys_, dim_, dim_});
  const bool is_part = is_part_of(queries, keys);
  const bool is_finite =
      tokens != RowKind::not_finite && std::isfinite(beta) &&
      (is_part || kind_of_rows({queries.theta.data(), n_queries_, dim_, dim_}) != RowKind::not_finite);
  has_unit_values_ = tokens == RowKind::unit && weights_.n_heads == 1 && maps_[2].is_identity();
  wants_norms_ = !out.magnitude.empty() && !has_unit_values_;
  const bool wants_sums = !out.drift.empty() || !out.magnitude.empty() || !out.log_partition.empty();
  if (!kernel_ || !is_finite || n_queries_ == 0 || (wants_norms_ && value_dim_ + 1 > most_values_) || !wants_sums ||
      (out.in_double && options_.precision != Precision::float64))
    return fallback_->evaluate(queries, keys, beta, out);

  const bool has_plain_scores =
      weights_.n_heads == 1 && maps_[0].is_identity() && maps_[1].is_identity() && tokens == RowKind::unit && is_part;
  const bool is_all = is_part && n_queries_ == n_keys_ && options_.mask == Mask::full;
  is_unsafe_.assign(n_queries_, 0);
  concatenated_.resize(n_queries_ * maps_[2].size());
  for (std::size_t h = 0; h < weights_.n_heads; ++h) {
    HeadProblem problem = head_problem(h, queries, keys, beta);
    problem.is_symmetric = has_plain_scores && has_unit_values_ && is_all;
    if (!set_shifts(problem, has_plain_scores))
      return fallback_->evaluate(queries, keys, beta, out);
    evaluate_head(h, problem, out);
  }
  write_output(out);
  if (options_.precision == Precision::float32)
    find_unresolved_rows(queries, out);
  redo_unsafe_rows(queries, keys, beta, out);
  if (!out.entropy.empty()) // apart, so that what is asked for besides does not change the bits of the drift
    fallback_->evaluate(queries, keys, beta, {.drift = {}, .entropy = out.entropy});
}

} // namespace

std::string fused_kernel_name(const Weights& weights, std::size_t dim, KernelChoice choice) {
  const std::size_t head_dim = projected_size(weights.query, dim) / weights.n_heads;
  const std::size_t value_dim = projected_size(weights.value, dim) / weights.n_heads;
  const std::size_t size = std::max(head_dim, value_dim);
  if (choice == KernelChoice::tiles || (choice == KernelChoice::automatic && size > small_d_best))
    return "tiles";
  return size <= small_d_limit ? "small_d" : "direct";
}

std::string fused_kernel_text(const Weights& weights, std::size_t dim, KernelChoice choice, Precision precision) {
  const std::string name = fused_kernel_name(weights, dim, choice);
  return precision == Precision::float64 || name == "direct" ? name
                                                             : fmt::format("{}, {}", name, precision_name(precision));
}

std::unique_ptr<Attention> make_fused_attention(const AttentionOptions& options, Weights weights, KernelChoice choice) {
  return std::make_unique<FusedAttention>(options, std::move(weights), choice);
}

} // namespace normdyn::attention
