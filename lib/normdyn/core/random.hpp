#pragma once
// Counter-based random numbers (Philox4x64-10, Salmon et al., SC11): every value is a pure function of
// (seed, purpose, member, index, position), so that token j of member m is the same whatever else is drawn, on any
// number of threads and in any order. The transforms to uniform and normal values are ours, hence the same on every
// standard library.

#include <array>
#include <cstdint>

namespace normdyn::core {

/// What a stream is drawn for. The numbers are part of the format of a seed: never reuse or change one.
enum class Purpose : std::uint32_t {
  token_direction = 1,
  token_norm = 2,
  cluster_center = 3,
  cluster_label = 4,
  query_weights = 10,
  key_weights = 11,
  value_weights = 12,
  output_weights = 13,
};

class RandomStream {
 public:
  /// `index` tells apart the items drawn for one purpose (token j; row i of layer l as layer * 2^32 + row).
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t member, std::uint64_t index);

  [[nodiscard]] std::uint64_t bits();
  /// Uniform on the open interval (0, 1): odd multiples of 2^-53.
  [[nodiscard]] double uniform();
  /// Standard normal (Box-Muller, both values used in turn).
  [[nodiscard]] double normal();

 private:
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_{};
  unsigned used_ = 4;
  double spare_normal_ = 0.0;
  bool has_spare_ = false;
};

} // namespace normdyn::core
