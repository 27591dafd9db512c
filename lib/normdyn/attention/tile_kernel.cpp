#include "normdyn/attention/head_kernel.hpp"

#include "normdyn/attention/tile_schedule.hpp"
#include "normdyn/attention/tile_vectors.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/geometry/state.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

namespace normdyn::attention {
namespace {

constexpr double work_for_threads = 4e6; // multiplications, some 50 microseconds: below, threads do not pay

std::size_t quotient_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

template <class T>
std::size_t n_tiles_of(std::size_t count) {
  return quotient_up(count, tile_tokens<T>);
}

/// T is the scalar of scores, exponentials and sums.
template <class T>
class TileKernel final : public HeadKernel {
 public:
  void evaluate(const HeadProblem& problem, const HeadSums& out) override;

 private:
  [[nodiscard]] std::size_t panel_width(std::size_t size) const;
  void resize(const HeadProblem& problem, std::size_t n_threads);
  void pack(const HeadProblem& problem);
  void pack_queries(const HeadProblem& problem, std::size_t tile);
  void meet_all(const HeadProblem& problem);
  void sum_rows(const HeadProblem& problem);
  void write(const HeadProblem& problem, const HeadSums& out);
  [[nodiscard]] TilePair<T> pair(const HeadProblem& problem, std::size_t query_tile, std::size_t key_tile,
                                 bool is_first);

  const TileLoops<T>* loops_ = nullptr;
  std::size_t n_query_tiles_ = 0, n_key_tiles_ = 0;
  std::size_t key_tile_ = 0, query_tile_ = 0, value_tile_ = 0; ///< numbers of one tile
  std::size_t query_width_ = 0, value_width_ = 0;
  Buffer<T> keys_, queries_, values_, sums_, query_totals_, exponentials_;
  Buffer<double> key_totals_;
  std::vector<TileMeeting> meetings_;
  std::vector<int> n_met_; ///< rounds that a tile has behind it
  std::size_t scheduled_tiles_ = 0, next_meeting_ = 0;
};

// Of `size` components: as few panels as can be, of vectors shared out evenly.
template <class T>
std::size_t TileKernel<T>::panel_width(std::size_t size) const {
  const std::size_t n_vectors = std::max<std::size_t>(1, quotient_up(size, loops_->lanes));
  const std::size_t n_panels = quotient_up(n_vectors * loops_->lanes, loops_->panel_rows);
  return quotient_up(n_vectors, n_panels) * loops_->lanes;
}

template <class T>
void TileKernel<T>::resize(const HeadProblem& problem, std::size_t n_threads) {
  loops_ = &tile_loops<T>();
  query_width_ = panel_width(problem.query.size);
  value_width_ = panel_width(problem.value.size);
  const auto panels = [&](std::size_t size, std::size_t width) {
    return quotient_up(size, width) * tile_tokens<T> * loops_->panel_rows;
  };
  n_query_tiles_ = n_tiles_of<T>(problem.query.count);
  n_key_tiles_ = n_tiles_of<T>(problem.key.count);
  key_tile_ = tile_tokens<T> * problem.key.size;
  query_tile_ = panels(problem.query.size, query_width_);
  value_tile_ = panels(problem.value.size, value_width_);
  keys_.resize(n_key_tiles_ * key_tile_);
  queries_.resize(n_query_tiles_ * query_tile_);
  if (!problem.is_symmetric)
    values_.resize(n_key_tiles_ * value_tile_);
  sums_.resize(n_query_tiles_ * value_tile_);
  query_totals_.resize(n_query_tiles_ * tile_tokens<T> * tile_total_lanes<T>);
  key_totals_.resize(n_query_tiles_ * tile_tokens<T>);
  exponentials_.resize(n_threads * tile_tokens<T> * tile_tokens<T>);
  if (problem.is_symmetric && scheduled_tiles_ != n_query_tiles_) {
    scheduled_tiles_ = n_query_tiles_;
    meetings_ = tile_schedule(n_query_tiles_);
    n_met_.resize(n_query_tiles_);
  }
}

// Where queries and keys are the same rows, both are packed while these are in the cache. Shared by the threads of the
// region it is called in.
template <class T>
void TileKernel<T>::pack(const HeadProblem& problem) {
#pragma omp for schedule(static)
  for (std::size_t tile = 0; tile < n_key_tiles_; ++tile) {
    loops_->pack_across(problem.key, tile, problem.beta, keys_.data() + tile * key_tile_);
    if (problem.is_symmetric)
      pack_queries(problem, tile);
    else
      loops_->pack_along(problem.value, tile, value_width_, values_.data() + tile * value_tile_);
  }
  if (problem.is_symmetric)
    return;
#pragma omp for schedule(static)
  for (std::size_t tile = 0; tile < n_query_tiles_; ++tile)
    pack_queries(problem, tile);
}

// Queries of one tile, and their totals set to zero.
template <class T>
void TileKernel<T>::pack_queries(const HeadProblem& problem, std::size_t tile) {
  constexpr std::size_t n = tile_tokens<T>, n_totals = n * tile_total_lanes<T>;
  loops_->pack_along(problem.query, tile, query_width_, queries_.data() + tile * query_tile_);
  std::fill_n(query_totals_.data() + tile * n_totals, n_totals, T{0});
  std::fill_n(key_totals_.data() + tile * n, n, 0.0);
}

template <class T>
TilePair<T> TileKernel<T>::pair(const HeadProblem& problem, std::size_t query_tile, std::size_t key_tile,
                                bool is_first) {
  const std::size_t j = query_tile * tile_tokens<T>, i = key_tile * tile_tokens<T>;
  const T* values = problem.is_symmetric ? queries_.data() : values_.data();
  TilePair<T> p{};
  p.keys = keys_.data() + key_tile * key_tile_;
  p.queries = queries_.data() + query_tile * query_tile_;
  p.depth = problem.key.size;
  p.query_width = query_width_;
  p.key_values = values + key_tile * value_tile_;
  p.query_values = problem.is_symmetric ? values + query_tile * value_tile_ : nullptr;
  p.n_values = problem.value.size;
  p.value_width = value_width_;
  p.n_queries = std::min(tile_tokens<T>, problem.query.count - j);
  p.n_keys = std::min(tile_tokens<T>, problem.key.count - i);
  p.shift = problem.shift + j;
  p.is_first = is_first;
  p.is_diagonal = problem.is_symmetric && query_tile == key_tile;
  p.first_seen = p.is_diagonal ? 1
                 : problem.is_causal
                     ? static_cast<std::ptrdiff_t>(j + problem.first_seen) - static_cast<std::ptrdiff_t>(i)
                     : static_cast<std::ptrdiff_t>(tile_tokens<T>);
  p.query_sums = sums_.data() + query_tile * value_tile_;
  p.key_sums = problem.is_symmetric ? sums_.data() + key_tile * value_tile_ : nullptr;
  p.query_totals = query_totals_.data() + j * tile_total_lanes<T>;
  p.key_totals = key_totals_.data() + i;
  p.exponentials =
      exponentials_.data() + static_cast<std::size_t>(omp_get_thread_num()) * tile_tokens<T> * tile_tokens<T>;
  return p;
}

// Threads take the meetings in order; one waits until both of its tiles have their earlier rounds behind them. The
// first meeting not yet over never waits, so all come to an end.
template <class T>
void TileKernel<T>::meet_all(const HeadProblem& problem) {
  std::atomic_ref<std::size_t> next(next_meeting_);
  for (std::size_t m = next.fetch_add(1); m < meetings_.size(); m = next.fetch_add(1)) {
    const TileMeeting& meeting = meetings_[m];
    std::atomic_ref<int> first(n_met_[meeting.first]), second(n_met_[meeting.second]);
    while (first.load(std::memory_order_acquire) != meeting.round ||
           second.load(std::memory_order_acquire) != meeting.round)
      std::this_thread::yield();
    loops_->add(pair(problem, meeting.second, meeting.first, meeting.round == 0));
    first.store(meeting.round + 1, std::memory_order_release);
    second.store(meeting.round + 1, std::memory_order_release);
  }
}

template <class T>
void TileKernel<T>::sum_rows(const HeadProblem& problem) {
#pragma omp for schedule(dynamic, 1)
  for (std::size_t t = 0; t < n_query_tiles_; ++t) {
    const std::size_t query_tile = n_query_tiles_ - 1 - t; // under a causal mask the last has the most keys
    const std::size_t last = std::min(problem.query.count, (query_tile + 1) * tile_tokens<T>) - 1;
    for (std::size_t key_tile = 0; key_tile < n_tiles_of<T>(problem.seen(last)); ++key_tile)
      loops_->add(pair(problem, query_tile, key_tile, key_tile == 0));
  }
}

template <class T>
void TileKernel<T>::write(const HeadProblem& problem, const HeadSums& out) {
#pragma omp for schedule(static)
  for (std::size_t tile = 0; tile < n_query_tiles_; ++tile) {
    loops_->unpack(sums_.data() + tile * value_tile_, tile, value_width_, problem.value.size, problem.query.count,
                   out.sums, out.sums_stride);
    for (std::size_t j = tile * tile_tokens<T>; j < std::min(problem.query.count, (tile + 1) * tile_tokens<T>); ++j) {
      double total = key_totals_[j];
      for (std::size_t lane = 0; lane < tile_total_lanes<T>; ++lane)
        total += double{query_totals_[j * tile_total_lanes<T> + lane]};
      out.totals[j] = total;
    }
  }
}

template <class T>
void TileKernel<T>::evaluate(const HeadProblem& problem, const HeadSums& out) {
  const double work = static_cast<double>(problem.query.count) * static_cast<double>(problem.key.count) *
                      static_cast<double>(problem.key.size + problem.value.size);
  const int n_threads = work < work_for_threads ? 1 : problem.n_threads;
  resize(problem, static_cast<std::size_t>(n_threads));
  next_meeting_ = 0;
  std::fill(n_met_.begin(), n_met_.end(), 0);
#pragma omp parallel num_threads(n_threads) if (n_threads > 1)
  {
    pack(problem);
    if (problem.is_symmetric)
      meet_all(problem);
    else
      sum_rows(problem);
#pragma omp barrier
    write(problem, out);
  }
}

} // namespace

std::unique_ptr<HeadKernel> make_tile_kernel(Precision precision) {
  if (precision == Precision::float32)
    return std::make_unique<TileKernel<float>>();
  return std::make_unique<TileKernel<double>>();
}

} // namespace normdyn::attention
