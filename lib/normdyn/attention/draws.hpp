#pragma once
// Random matrices. Row i of the matrix of layer l is drawn from the stream (seed, purpose, member, layer * 2^32 + row):
// it depends on nothing else. N(0, s^2) is the normal law of deviation s; fan_in is the number of columns.
//
//   gaussian         std = 1/sqrt(d)    entries N(0, std^2)
//   kaiming_normal   gain = 1           entries N(0, 2 gain^2 / fan_in)
//   kaiming_uniform  gain = 1           entries uniform on [-b, b], b = gain sqrt(6 / fan_in)
//   orthogonal       gain = 1           gain times a matrix with orthonormal rows (columns, if there are more rows),
//                                       Haar measure: Householder QR of normal entries, signs fixed by diag R > 0
//   wigner           scale = 1/sqrt(d)  symmetric, entries on and above the diagonal N(0, scale^2)
//   goe              scale = 1/sqrt(d)  symmetric, off the diagonal N(0, scale^2), on it N(0, 2 scale^2)
//
// The largest eigenvalue of the last two is near 2 sqrt(d) scale. (He et al., ICCV 2015; Mezzadri, Notices AMS 2007.)

#include "normdyn/attention/weights.hpp"
#include "normdyn/core/random.hpp"

#include <string>
#include <vector>

namespace normdyn::attention {

/// The streams that a matrix is drawn from.
struct DrawKey {
  std::uint64_t seed = 0;
  std::uint64_t member = 0;
  core::Purpose purpose = core::Purpose::query_weights;
  std::uint64_t layer = 0; ///< below 2^32

  [[nodiscard]] core::RandomStream row_stream(Eigen::Index row) const {
    return {seed, purpose, member, (layer << 32) + static_cast<std::uint64_t>(row)};
  }
};

/// A law of matrices and its one parameter.
struct MatrixLaw {
  std::string name;
  std::string parameter;
  bool falls_with_dim; ///< the parameter is 1/sqrt(d) unless given, else 1
  bool is_square;      ///< exists for square matrices only
  Matrix (*draw)(Eigen::Index rows, Eigen::Index columns, double parameter, const DrawKey& key);
};

[[nodiscard]] const std::vector<MatrixLaw>& matrix_laws();

} // namespace normdyn::attention
