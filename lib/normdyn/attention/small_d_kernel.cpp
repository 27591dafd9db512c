#include "normdyn/attention/head_kernel.hpp"

#include "normdyn/attention/row_vectors.hpp"
#include "normdyn/attention/small_d_vectors.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/state.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace normdyn::attention {
namespace {

constexpr std::size_t most_chunks = 8; // of rows, each with sums of its own, when there are pairs enough for threads
constexpr std::size_t pairs_for_threads = 400 * 400; // below, threads cost more than they save

// Size: of the rows, 0 for any; a loop of unknown length becomes a call for each row.
template <std::size_t Size, class T>
void copy_rows_of(const Rows& rows, std::size_t stride, T* to) {
  const std::size_t size = Size > 0 ? Size : rows.size;
  for (std::size_t j = 0; j < rows.count; ++j)
    for (std::size_t c = 0; c < size; ++c)
      to[j * stride + c] = narrowed<T>(rows.row(j)[c]);
}

template <class T>
void copy_rows(const Rows& rows, std::size_t stride, T* to) {
  rows.size == 2   ? copy_rows_of<2>(rows, stride, to)
  : rows.size == 3 ? copy_rows_of<3>(rows, stride, to)
                   : copy_rows_of<0>(rows, stride, to);
}

/// T is the scalar of scores, exponentials and sums.
template <class T>
class SmallDKernel final : public HeadKernel {
 public:
  void evaluate(const HeadProblem& problem, const HeadSums& out) override;

 private:
  void set_tokens(const Rows& rows, double beta);
  void set_rows(const HeadProblem& problem);
  void set_chunks(const HeadProblem& problem);
  void evaluate_chunk(const HeadProblem& problem, std::size_t chunk);
  void write_block(const HeadProblem& problem, const HeadSums& out, std::size_t block);
  [[nodiscard]] bool is_bounded(double shift) const { return 2.01 * shift < -loops_->exponent_floor; }

  const SmallDLoops<T>* loops_ = nullptr;
  bool is_symmetric_ = false, is_bounded_ = false;
  std::size_t width_ = 0, n_padded_ = 0;               ///< components, queries
  std::size_t n_chunks_ = 0, n_sums_ = 0;              ///< sums: that a chunk has
  std::array<std::size_t, 2 * most_chunks + 1> begin_; ///< of ranges of rows (symmetric)
  Buffer<T> tokens_, shift_, seen_, keys_, sums_;
};

template <class T>
void SmallDKernel<T>::set_tokens(const Rows& rows, double beta) {
  const double scale = beta * loops_->steps_per_unit;
  tokens_.resize(n_padded_ * 2 * width_);
  rows_to_groups(rows, width_, n_padded_, scale, tokens_.data());
}

template <class T>
void SmallDKernel<T>::set_rows(const HeadProblem& problem) {
  const std::size_t n_queries = problem.query.count, n_keys = problem.key.count;
  shift_.resize(n_padded_);
  seen_.resize(n_padded_);
  is_bounded_ = true;
  for (std::size_t j = 0; j < n_padded_; ++j) {
    const std::size_t query = std::min(j, n_queries - 1);
    shift_[j] = narrowed<T>(problem.shift[query]);
    seen_[j] = static_cast<T>(problem.seen(query));
    is_bounded_ = is_bounded_ && is_bounded(problem.shift[query]);
  }
  keys_.resize(n_keys * 2 * width_);
  if (std::min(problem.key.size, problem.value.size) < width_)
    std::fill(keys_.begin(), keys_.end(), T{0});
  copy_rows(problem.key, 2 * width_, keys_.data());
  copy_rows(problem.value, 2 * width_, keys_.data() + width_);
  n_chunks_ = n_padded_ / small_d_block<T>;
  n_sums_ = 0; // all chunks share the sums: each has queries of its own
  sums_.resize((width_ + 1) * n_padded_);
}

// Twice as many ranges of rows as chunks, of equal length. Those first and last, second and last but one, ... have the
// same number of pairs j >= i together.
template <class T>
void SmallDKernel<T>::set_chunks(const HeadProblem& problem) {
  const std::size_t n = problem.query.count, n_groups = n / small_d_group<T>;
  n_chunks_ = n * n < pairs_for_threads ? 1 : n < 2048 ? most_chunks / 2 : most_chunks; // their sums must be summed
  for (std::size_t r = 0; r < 2 * n_chunks_; ++r)
    begin_[r] = n_groups * r / (2 * n_chunks_) * small_d_group<T>;
  begin_[2 * n_chunks_] = n;
  is_bounded_ = is_bounded(problem.shift[0]);
  n_sums_ = (width_ + 1) * n_padded_;
  sums_.resize(n_chunks_ * n_sums_);
}

template <class T>
void SmallDKernel<T>::evaluate_chunk(const HeadProblem& problem, std::size_t chunk) {
  if (!is_symmetric_)
    return loops_->rows({tokens_.data(), shift_.data(), seen_.data(), keys_.data(), width_, is_bounded_, sums_.data()},
                        chunk);
  const SmallDSymmetric<T> pairs{tokens_.data(), width_, problem.query.count, problem.shift[0], is_bounded_};
  T* own = sums_.data() + chunk * n_sums_;
  std::fill(own + begin_[chunk] * (width_ + 1), own + n_sums_, T{0}); // rows before the chunk have nothing in it
  if (n_chunks_ == 1)
    return loops_->symmetric(pairs, 0, problem.query.count, own);
  for (const std::size_t range : {chunk, 2 * n_chunks_ - 1 - chunk})
    loops_->symmetric(pairs, begin_[range], begin_[range + 1], own);
}

// The sums of the queries of one block, of all chunks together.
template <class T>
void SmallDKernel<T>::write_block(const HeadProblem& problem, const HeadSums& out, std::size_t block) {
  const std::size_t begin = block * small_d_block<T>, end = std::min(begin + small_d_block<T>, problem.query.count);
  if (is_symmetric_)
    for (std::size_t c = 1; c < n_chunks_; ++c) {
      const T* own = sums_.data() + c * n_sums_;
      for (std::size_t k = std::max(begin, begin_[c]) * (width_ + 1); k < (begin + small_d_block<T>)*(width_ + 1); ++k)
        sums_[k] += own[k];
    }
  groups_to_rows(sums_.data(), width_, begin, end, problem.value.size, out);
}

template <class T>
void SmallDKernel<T>::evaluate(const HeadProblem& problem, const HeadSums& out) {
  core::believe(problem.key.size <= small_d_limit && problem.value.size <= small_d_limit, "heads are small");
  const std::size_t n = problem.query.count;
  loops_ = &small_d_loops<T>();
  width_ = small_d_width(std::max(problem.key.size, problem.value.size));
  n_padded_ = (n + small_d_block<T> - 1) / small_d_block<T> * small_d_block<T>;
  is_symmetric_ = problem.is_symmetric && width_ <= 8; // beyond, sums of both sides do not fit the registers
  set_tokens(problem.query, problem.beta);
  is_symmetric_ ? set_chunks(problem) : set_rows(problem);
  const std::size_t n_blocks = n_padded_ / small_d_block<T>;
  if (problem.n_threads == 1 || n * problem.key.count < pairs_for_threads) {
    for (std::size_t c = 0; c < n_chunks_; ++c)
      evaluate_chunk(problem, c);
    for (std::size_t b = 0; b < n_blocks; ++b)
      write_block(problem, out, b);
    return;
  }
  // Neighboring chunks of rows are summed where they are made; under a causal mask later blocks of queries take longer.
  const int n_threads = problem.n_threads;
  const int at_once = is_symmetric_ ? (static_cast<int>(n_chunks_) + n_threads - 1) / n_threads : 1;
#pragma omp parallel num_threads(n_threads)
  {
#pragma omp for schedule(static, at_once)
    for (std::size_t c = 0; c < n_chunks_; ++c)
      evaluate_chunk(problem, c);
#pragma omp for schedule(static)
    for (std::size_t b = 0; b < n_blocks; ++b)
      write_block(problem, out, b);
  }
}

} // namespace

std::unique_ptr<HeadKernel> make_small_d_kernel(Precision precision) {
  if (precision == Precision::float32)
    return std::make_unique<SmallDKernel<float>>();
  return std::make_unique<SmallDKernel<double>>();
}

} // namespace normdyn::attention
