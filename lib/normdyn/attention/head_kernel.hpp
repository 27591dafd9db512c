#pragma once
// One head of attention, as the fast kernels see it: rows of queries, keys and values, and a shift for each query that
// the front end knows to be safe, so that no kernel looks for a maximum.
//
//   sums_j = sum_{k < seen_j} E_jk v_k,   totals_j = sum_{k < seen_j} E_jk,   E_jk = exp(beta <q_j, k_k> - shift_j)

#include "normdyn/attention/precision.hpp"
#include "normdyn/geometry/state.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace normdyn::attention {

/// Work space of a kernel whose loops have the scalar T.
template <class T>
using Buffer = std::vector<T, geometry::AlignedAllocator<T>>;

/// x in the scalar T; what is too large for it becomes its largest number, so that a weight of 0 hides it.
template <class T>
[[nodiscard]] inline T narrowed(double x) {
  if constexpr (std::is_same_v<T, double>)
    return x;
  else
    return static_cast<T>(
        std::clamp(x, double{std::numeric_limits<T>::lowest()}, double{std::numeric_limits<T>::max()}));
}

/// Rows of `size` numbers, `stride` apart.
struct Rows {
  const double* data = nullptr;
  std::size_t count = 0, size = 0, stride = 0;
  [[nodiscard]] const double* row(std::size_t j) const { return data + j * stride; }
};

struct HeadProblem {
  Rows query, key, value;
  double beta = 0.0;
  const double* shift = nullptr; ///< one per query
  bool is_causal = false;
  std::size_t first_seen = 0; ///< causal: query j sees the first min(n_keys, j + first_seen) keys
  bool is_symmetric = false;  ///< query, key and value are the same rows, all see all, and all shifts are the same
  int n_threads = 1;          ///< as many as may be used
  [[nodiscard]] std::size_t seen(std::size_t j) const {
    return is_causal && j + first_seen < key.count ? j + first_seen : key.count;
  }
};

struct HeadSums {
  double* sums = nullptr; ///< rows of value.size numbers, sums_stride apart
  std::size_t sums_stride = 0;
  double* totals = nullptr; ///< one per query
};

/// Allocates nothing once it has seen its sizes. Results do not depend on n_threads. Unless is_symmetric, those of a
/// query depend on that query and the keys it sees alone, bit for bit.
class HeadKernel {
 public:
  virtual ~HeadKernel() = default;
  virtual void evaluate(const HeadProblem& problem, const HeadSums& out) = 0;
};

/// Direct sums for keys and values of at most small_d_limit components.
[[nodiscard]] std::unique_ptr<HeadKernel> make_small_d_kernel(Precision precision);

/// Tiles of tokens, for any number of components.
[[nodiscard]] std::unique_ptr<HeadKernel> make_tile_kernel(Precision precision);

} // namespace normdyn::attention
