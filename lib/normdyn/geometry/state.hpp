#pragma once
// The state of a run is one flat aligned array: n*d directions (token after token), then n radii if the scheme carries
// them, then the clock. In Cartesian variables the first block holds x_j = r_j theta_j and there are no radii. Eigen
// sees the blocks through maps; HDF5 writes them unchanged as [token, component].

#include <Eigen/Core>

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace normdyn::geometry {

/// 64-byte aligned, so that a vector register never straddles a cache line.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* pointer, std::size_t) noexcept { ::operator delete(pointer, alignment); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

using State = std::vector<double, AlignedAllocator<double>>;

/// A matrix of tokens: row j is token j. Row-major n x d, hence byte for byte a column-major d x n matrix.
using TokenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using TokenMap = Eigen::Map<TokenMatrix>;
using ConstTokenMap = Eigen::Map<const TokenMatrix>;
using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;

/// Where the parts of a state stand.
struct Layout {
  std::size_t n_tokens = 0;
  std::size_t dim = 0;
  bool has_radius = false;

  [[nodiscard]] std::size_t directions_size() const { return n_tokens * dim; }
  [[nodiscard]] std::size_t radius_size() const { return has_radius ? n_tokens : 0; }
  [[nodiscard]] std::size_t clock_index() const { return directions_size() + radius_size(); }
  [[nodiscard]] std::size_t size() const { return clock_index() + 1; }

  [[nodiscard]] std::span<double> directions(std::span<double> x) const { return x.first(directions_size()); }
  [[nodiscard]] std::span<const double> directions(std::span<const double> x) const {
    return x.first(directions_size());
  }
  [[nodiscard]] std::span<double> radius(std::span<double> x) const {
    return x.subspan(directions_size(), radius_size());
  }
  [[nodiscard]] std::span<const double> radius(std::span<const double> x) const {
    return x.subspan(directions_size(), radius_size());
  }
  [[nodiscard]] std::span<const double> token(std::span<const double> block, std::size_t j) const {
    return block.subspan(j * dim, dim);
  }
  friend bool operator==(const Layout&, const Layout&) = default;
};

} // namespace normdyn::geometry
