#include "normdyn/attention/series_kernel.hpp"

#include "normdyn/attention/moment_vectors.hpp"
#include "normdyn/attention/near_vectors.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

namespace normdyn::attention {
namespace {

constexpr std::size_t full_block = 1008; // without a mask; it and causal blocks are multiples of
constexpr std::size_t block_unit = 48;   // what the loops over queries like best
constexpr std::size_t most_block = 42 * block_unit;
constexpr std::size_t part_tokens = 8192;              // tokens whose moments are summed without care for rounding
constexpr std::size_t run_unit = 1024, most_runs = 16; // without a mask: tokens with moments of their own
constexpr std::size_t rows_at_once = 48;               // under a mask: blocks whose moments are kept
constexpr std::size_t slice = 512;                     // moments that one thread sums over blocks
constexpr std::size_t terms_for_threads = 200'000;     // tokens times functions below which threads do not pay
constexpr std::size_t most_dim = 3;

constexpr std::size_t quotient_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}
constexpr std::size_t aligned(std::size_t count) {
  return quotient_up(count, series_rows) * series_rows;
}

// Each f(index, thread), in any order.
template <class F>
void for_each(std::size_t count, int n_threads, const F& f) {
  if (n_threads == 1 || count == 1) {
    for (std::size_t i = 0; i < count; ++i)
      f(i, 0);
    return;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
  for (std::size_t i = 0; i < count; ++i)
    f(i, omp_get_thread_num());
}

// A block costs its coefficients, whose share falls with its length, and its own pairs, whose share grows.
std::size_t causal_block(std::size_t n_moments) {
  const double best = 3.5 * std::sqrt(static_cast<double>(n_moments));
  return std::clamp<std::size_t>(static_cast<std::size_t>(best / block_unit + 0.5), 1, most_block / block_unit) *
         block_unit;
}

// Computes the sums of a token directly if its `total` is not trusted.
void redo_if_lost(const SeriesProblem& problem, double least, std::size_t dim, std::size_t query, double& total,
                  double* drift) {
  if (total >= least)
    return;
  double sums[most_dim + 1];
  lone_sums(problem.tokens, problem.is_causal ? query + 1 : problem.n_tokens, dim,
            problem.queries + (query - problem.first) * dim, problem.beta, sums);
  total = sums[dim];
  for (std::size_t c = 0; c < dim; ++c)
    drift[c] = problem.factor == 0.0 ? sums[c] / total : sums[c] * problem.factor;
}

} // namespace

void SeriesKernel::set_sizes(const SeriesProblem& problem) {
  sizes_ = basis_->sizes();
  const SeriesBasis::Sizes most = basis_->most_sizes();
  block_ = problem.is_causal ? causal_block(sizes_.moments) : full_block;
  n_threads_ = problem.n_tokens * sizes_.moments < 2 * terms_for_threads ? 1 : problem.n_threads;
  const auto size = [](geometry::State& state, std::size_t count, std::size_t most_count) {
    state.reserve(most_count); // beta may grow from call to call
    state.resize(count);
  };
  const auto stride = [](const SeriesBasis::Sizes& s) {
    return aligned(s.work) + 2 * aligned(s.moments) + aligned(s.coefficients) + (most_dim + 2) * most_block;
  };
  work_stride_ = stride(sizes_);
  const auto threads = static_cast<std::size_t>(problem.n_threads);
  size(work_, threads * work_stride_, threads * stride(most));
  const std::size_t least_run = terms_for_threads / sizes_.moments; // shorter ones cost more than their tokens
  const std::size_t full_run =
      run_unit * quotient_up(std::max(quotient_up(problem.n_tokens, most_runs), least_run), run_unit);
  run_ = problem.is_causal ? block_ : full_run;
  row_ = aligned(sizes_.moments);
  const std::size_t most_rows = problem.is_causal ? rows_at_once : most_runs;
  const std::size_t n_rows = std::min(most_rows, quotient_up(problem.n_tokens, run_));
  size(rows_, n_rows * row_, most_rows * aligned(most.moments));
  size(sums_, 2 * row_, 2 * aligned(most.moments));
  size(coefficients_, sizes_.coefficients, most.coefficients);
  is_unit_.resize(most_rows);
  std::fill(sums_.begin(), sums_.end(), 0.0);
}

SeriesKernel::Work SeriesKernel::work(int thread) {
  Work own{};
  own.basis = work_.data() + static_cast<std::size_t>(thread) * work_stride_;
  own.part = own.basis + aligned(sizes_.work);
  own.errors = own.part + row_;
  own.coefficients = own.errors + row_;
  own.near = own.coefficients + aligned(sizes_.coefficients);
  own.totals = own.near + (most_dim + 1) * most_block;
  return own;
}

// The moments of some tokens; false unless all of them are unit vectors.
bool SeriesKernel::gather(const double* tokens, std::size_t count, const Work& own, double* moments) const {
  const std::size_t dim = basis_->dim();
  std::fill(moments, moments + row_, 0.0);
  if (count > part_tokens)
    std::fill(own.errors, own.errors + row_, 0.0);
  std::size_t n_unit = 0;
  for (std::size_t begin = 0; begin < count; begin += part_tokens) {
    const std::size_t size = std::min(part_tokens, count - begin), whole = size / series_rows * series_rows;
    double* part = count <= part_tokens ? moments : own.part;
    if (part != moments)
      std::fill(part, part + row_, 0.0);
    n_unit += basis_->add_moments(tokens + begin * dim, whole, own.basis, part);
    if (whole < size) {
      alignas(64) double rest[most_dim * series_rows] = {};
      std::copy(tokens + (begin + whole) * dim, tokens + (begin + size) * dim, rest);
      n_unit += basis_->add_moments(rest, series_rows, own.basis, part);
    }
    if (part != moments)
      add_compensated(part, row_, moments, own.errors);
  }
  if (count > part_tokens)
    for (std::size_t i = 0; i < row_; ++i)
      moments[i] += own.errors[i];
  return n_unit == count;
}

// The moments of runs of tokens from run `first` on; false unless all tokens up to `n_seen` are unit vectors.
bool SeriesKernel::gather_rows(const SeriesProblem& problem, std::size_t first, std::size_t n_rows,
                               std::size_t n_seen) {
  for_each(n_rows, n_threads_, [&](std::size_t r, int thread) {
    const std::size_t begin = (first + r) * run_, count = std::min(run_, n_seen - begin);
    is_unit_[r] = gather(problem.tokens + begin * basis_->dim(), count, work(thread), row(r)) ? 1 : 0;
  });
  return std::all_of(is_unit_.begin(), is_unit_.begin() + static_cast<std::ptrdiff_t>(n_rows),
                     [](char is_unit) { return is_unit != 0; });
}

// Replaces each row by the sum of those before it, and of what sums_ held before; sums_ holds the sum of all then.
void SeriesKernel::sum_before(std::size_t n_rows) {
  for_each(quotient_up(row_, slice), n_threads_, [&](std::size_t s, int) {
    const std::size_t begin = s * slice;
    replace_by_sums_before(rows_.data() + begin, n_rows, row_, std::min(slice, row_ - begin), sums_.data() + begin,
                           sums_.data() + row_ + begin);
  });
}

// Queries `begin` ... `begin + count - 1` of a block, a multiple of series_rows.
double SeriesKernel::write_vectors(const SeriesProblem& problem, std::size_t block, std::size_t begin,
                                   std::size_t count, const double* queries, const double* coefficients,
                                   const Work& own, SeriesRows rows) const {
  if (problem.is_causal) {
    const std::size_t dim = basis_->dim(), first = block * block_;
    near_sums({problem.tokens + first * dim, std::min(block_, problem.n_tokens - first), dim, problem.beta}, queries,
              begin, count, own.near, most_block);
    rows.near = own.near;
    rows.near_stride = most_block;
  }
  return basis_->write_sums(queries, count, coefficients, rows);
}

// The queries among the tokens of one block.
void SeriesKernel::write_block(const SeriesProblem& problem, std::size_t block, const double* coefficients,
                               double least, const Work& own, const SeriesOutput& out) const {
  const std::size_t dim = basis_->dim(), first = block * block_;
  const std::size_t begin = std::max(first, problem.first);
  const std::size_t end = std::min(first + block_, problem.first + problem.count);
  if (begin >= end)
    return;
  const std::size_t size = end - begin, whole = size / series_rows * series_rows;
  const double* queries = problem.queries + (begin - problem.first) * dim;
  double* drift = out.drift + (begin - problem.first) * dim;
  double smallest = write_vectors(problem, block, begin - first, whole, queries, coefficients, own,
                                  {drift, own.totals, problem.factor});
  if (whole < size) { // filled up with the last query
    alignas(64) double rest[most_dim * series_rows], rest_drift[most_dim * series_rows], totals[series_rows];
    for (std::size_t i = 0; i < dim * series_rows; ++i)
      rest[i] = queries[dim * std::min(whole + i / dim, size - 1) + i % dim];
    smallest = std::min(smallest, write_vectors(problem, block, begin - first + whole, series_rows, rest, coefficients,
                                                own, {rest_drift, totals, problem.factor}));
    std::copy(rest_drift, rest_drift + dim * (size - whole), drift + dim * whole);
    std::copy(totals, totals + (size - whole), own.totals + whole);
  }
  if (!(smallest >= least))
    for (std::size_t j = 0; j < size; ++j)
      redo_if_lost(problem, least, dim, begin + j, own.totals[j], drift + dim * j);
  if (out.totals)
    std::copy(own.totals, own.totals + size, out.totals + (begin - problem.first));
}

bool SeriesKernel::evaluate_full(const SeriesProblem& problem, const SeriesOutput& out) {
  const std::size_t n_runs = quotient_up(problem.n_tokens, run_);
  if (!gather_rows(problem, 0, n_runs, problem.n_tokens))
    return false;
  double *sums = sums_.data(), *errors = sums + row_;
  for (std::size_t r = 0; r < n_runs; ++r)
    add_compensated(row(r), row_, sums, errors);
  for (std::size_t i = 0; i < row_; ++i)
    sums[i] += errors[i];
  const double least = basis_->set_coefficients(sums, problem.n_tokens, coefficients_.data());
  const std::size_t begin = problem.first / block_, end = quotient_up(problem.first + problem.count, block_);
  for_each(end - begin, n_threads_, [&](std::size_t b, int thread) {
    write_block(problem, begin + b, coefficients_.data(), least, work(thread), out);
  });
  return true;
}

bool SeriesKernel::evaluate_causal(const SeriesProblem& problem, const SeriesOutput& out) {
  const std::size_t n_seen = problem.first + problem.count, n_blocks = quotient_up(n_seen, block_);
  for (std::size_t first = 0; first < n_blocks; first += rows_at_once) {
    const std::size_t n_rows = std::min(rows_at_once, n_blocks - first);
    if (!gather_rows(problem, first, n_rows, n_seen))
      return false;
    sum_before(n_rows);
    for_each(n_rows, n_threads_, [&](std::size_t r, int thread) {
      const std::size_t block = first + r;
      if ((block + 1) * block_ <= problem.first)
        return;
      const Work own = work(thread);
      const double least = basis_->set_coefficients(row(r), block * block_, own.coefficients);
      write_block(problem, block, own.coefficients, least, own, out);
    });
  }
  return true;
}

bool SeriesKernel::evaluate(const SeriesProblem& problem, const SeriesOutput& out) {
  basis_->set(problem.beta);
  set_sizes(problem);
  return problem.is_causal ? evaluate_causal(problem, out) : evaluate_full(problem, out);
}

} // namespace normdyn::attention
