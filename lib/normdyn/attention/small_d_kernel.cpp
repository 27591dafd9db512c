#include "normdyn/attention/head_kernel.hpp"

#include "normdyn/attention/small_d_vectors.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/state.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace normdyn::attention {
namespace {

constexpr std::size_t n_chunks = 8; // of rows, each with sums of its own, when there are pairs enough for threads
constexpr std::size_t pairs_for_threads = 400 * 400; // below, threads cost more than they save

/// T is the scalar of scores, exponentials and sums.
template <class T>
class SmallDKernel final : public HeadKernel {
 public:
  void evaluate(const HeadProblem& problem, const HeadSums& out) override;

 private:
  void evaluate_rows(const HeadProblem& problem, int n_threads);
  void evaluate_symmetric(const HeadProblem& problem, int n_threads);
  void set_planes(const Rows& rows);
  void write(const HeadProblem& problem, const HeadSums& out) const;

  std::size_t width_ = 0, stride_ = 0;
  const SmallDLoops<T>* loops_ = nullptr;
  Buffer<T> planes_, scaled_, shift_, seen_, keys_, sums_;
};

// Component after component; padding repeats zeros.
template <class T>
void SmallDKernel<T>::set_planes(const Rows& rows) {
  planes_.resize(width_ * stride_);
  std::fill(planes_.begin(), planes_.end(), T{0});
  for (std::size_t j = 0; j < rows.count; ++j)
    for (std::size_t c = 0; c < rows.size; ++c)
      planes_[c * stride_ + j] = narrowed<T>(rows.row(j)[c]);
}

template <class T>
void SmallDKernel<T>::evaluate_rows(const HeadProblem& problem, int n_threads) {
  const std::size_t n_queries = problem.query.count, n_keys = problem.key.count;
  shift_.resize(stride_);
  seen_.resize(stride_);
  for (std::size_t j = 0; j < stride_; ++j) {
    const std::size_t query = std::min(j, n_queries - 1);
    shift_[j] = narrowed<T>(problem.shift[query]);
    seen_[j] = static_cast<T>(problem.seen(query));
  }
  keys_.resize(n_keys * 2 * width_);
  std::fill(keys_.begin(), keys_.end(), T{0});
  for (std::size_t k = 0; k < n_keys; ++k) {
    T* key = keys_.data() + k * 2 * width_;
    std::transform(problem.key.row(k), problem.key.row(k) + problem.key.size, key, narrowed<T>);
    std::transform(problem.value.row(k), problem.value.row(k) + problem.value.size, key + width_, narrowed<T>);
  }
  sums_.resize((width_ + 1) * stride_);
  const SmallDRows<T> rows{planes_.data(), shift_.data(), seen_.data(), keys_.data(),
                           width_,         stride_,       problem.beta, sums_.data()};
  const std::size_t n_blocks = stride_ / small_d_block<T>;
  if (n_threads == 1) {
    for (std::size_t b = 0; b < n_blocks; ++b)
      loops_->rows(rows, b);
    return;
  }
#pragma omp parallel for schedule(static, 1) num_threads(n_threads)
  for (std::size_t b = 0; b < n_blocks; ++b)
    loops_->rows(rows, b);
}

// Bounds of chunks of rows with about the same number of pairs j >= i, in multiples of `group`.
std::array<std::size_t, n_chunks + 1> chunk_bounds(std::size_t n, std::size_t group) {
  std::array<std::size_t, n_chunks + 1> bounds{};
  for (std::size_t c = 1; c < n_chunks; ++c) {
    const double share = 1.0 - std::sqrt(1.0 - static_cast<double>(c) / n_chunks);
    bounds[c] =
        std::min(n, static_cast<std::size_t>(share * static_cast<double>(n) / static_cast<double>(group)) * group);
  }
  bounds[n_chunks] = n;
  return bounds;
}

template <class T>
void SmallDKernel<T>::evaluate_symmetric(const HeadProblem& problem, int n_threads) {
  const std::size_t n = problem.query.count, size = (width_ + 1) * stride_;
  scaled_.resize(planes_.size());
  const double scale = problem.beta * loops_->steps_per_unit;
  for (std::size_t i = 0; i < planes_.size(); ++i)
    scaled_[i] = narrowed<T>(double{planes_[i]} * scale);
  const SmallDSymmetric<T> pairs{planes_.data(), scaled_.data(), width_, stride_, n, problem.shift[0]};
  if (n * n < pairs_for_threads) {
    sums_.resize(size);
    std::fill(sums_.begin(), sums_.end(), T{0});
    loops_->symmetric(pairs, 0, n, sums_.data());
    return;
  }
  sums_.resize(n_chunks * size);
  const std::array<std::size_t, n_chunks + 1> bounds = chunk_bounds(n, small_d_group<T>);
  const auto add_chunk = [&](std::size_t c) {
    T* own = sums_.data() + c * size;
    std::fill(own, own + size, T{0});
    loops_->symmetric(pairs, bounds[c], bounds[c + 1], own);
  };
  if (n_threads == 1)
    for (std::size_t c = 0; c < n_chunks; ++c)
      add_chunk(c);
  else {
#pragma omp parallel for schedule(static, 1) num_threads(n_threads)
    for (std::size_t c = 0; c < n_chunks; ++c)
      add_chunk(c);
  }
  for (std::size_t c = 1; c < n_chunks; ++c) // rows before the chunk have nothing in it
    for (std::size_t plane = 0; plane <= width_; ++plane)
      for (std::size_t j = plane * stride_ + bounds[c]; j < plane * stride_ + n; ++j)
        sums_[j] += sums_[c * size + j];
}

template <class T>
void SmallDKernel<T>::write(const HeadProblem& problem, const HeadSums& out) const {
  for (std::size_t j = 0; j < problem.query.count; ++j) {
    out.totals[j] = double{sums_[width_ * stride_ + j]};
    for (std::size_t c = 0; c < problem.value.size; ++c)
      out.sums[j * out.sums_stride + c] = double{sums_[c * stride_ + j]};
  }
}

template <class T>
void SmallDKernel<T>::evaluate(const HeadProblem& problem, const HeadSums& out) {
  core::believe(problem.key.size <= small_d_limit && problem.value.size <= small_d_limit, "heads are small");
  loops_ = &small_d_loops<T>();
  width_ = small_d_width(std::max(problem.key.size, problem.value.size));
  stride_ = (problem.query.count + small_d_block<T> - 1) / small_d_block<T> * small_d_block<T>;
  set_planes(problem.query);
  const int n_threads = problem.query.count * problem.key.count < pairs_for_threads ? 1 : problem.n_threads;
  if (problem.is_symmetric && width_ <= 8) // beyond, sums of both sides do not fit the registers
    evaluate_symmetric(problem, n_threads);
  else
    evaluate_rows(problem, n_threads);
  write(problem, out);
}

} // namespace

std::unique_ptr<HeadKernel> make_small_d_kernel(Precision precision) {
  if (precision == Precision::float32)
    return std::make_unique<SmallDKernel<float>>();
  return std::make_unique<SmallDKernel<double>>();
}

} // namespace normdyn::attention
