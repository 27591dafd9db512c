#pragma once
// The matrices of one attention block. Column vectors: q = Q theta + b_Q, head h uses rows [h*head_dim,
// (h+1)*head_dim).

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace normdyn::attention {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A linear map with an optional bias; without a matrix it is the identity.
struct Projection {
  std::optional<Matrix> matrix{};
  std::optional<Eigen::VectorXd> bias{};
  [[nodiscard]] bool is_identity() const { return !matrix && !bias; }
};

/// Q, K, V, W_O of n_heads heads. All identity: scores beta <theta_j, theta_k>, values theta_k.
/// Shapes: query, key, value are (n_heads * head_dim) x dim, output is dim x (n_heads * head_dim).
struct Weights {
  std::size_t n_heads = 1;
  Projection query{}, key{}, value{}, output{};
  [[nodiscard]] bool is_identity() const {
    return n_heads == 1 && query.is_identity() && key.is_identity() && value.is_identity() && output.is_identity();
  }
};

#ifdef NORMDYN_EIGEN_ALIGNMENT // in programs that link the library
static_assert(
    EIGEN_DEFAULT_ALIGN_BYTES == NORMDYN_EIGEN_ALIGNMENT,
    "normdyn was built for other vector instructions than this program, which would free its matrices wrongly: "
    "give both the same -march and -m flags");
#endif

} // namespace normdyn::attention
