#pragma once
// Starts that claims ask for. All draws are those of normdyn/initial, keyed by (seed, member).

#include "normdyn/core/random.hpp"
#include "normdyn/theorems/laboratory.hpp"

#include <cstdint>
#include <optional>

namespace normdyn::theorems {

/// Independent uniform directions, all radii `radius`.
[[nodiscard]] Cloud uniform_cloud(std::size_t n_tokens, std::size_t dim, std::uint64_t seed, std::uint64_t member = 0,
                                  double radius = 1.0);
/// Rows of a standard normal X(0), radii |x_j|.
[[nodiscard]] Cloud gaussian_cloud(std::size_t n_tokens, std::size_t dim, std::uint64_t seed, std::uint64_t member = 0);
/// Uniform on the cap in which all pairwise cosines are >= 1 - delta.
[[nodiscard]] Cloud cone_cloud(std::size_t n_tokens, std::size_t dim, double delta, std::uint64_t seed,
                               std::uint64_t member = 0, double radius = 1.0);
/// e_1 ... e_n in R^dim, dim >= n.
[[nodiscard]] Cloud orthogonal_cloud(std::size_t n_tokens, std::size_t dim, double radius = 1.0);
/// All pairwise cosines `cosine`.
[[nodiscard]] Cloud equiangular_cloud(std::size_t n_tokens, std::size_t dim, double cosine, double radius = 1.0);
/// Given rows, normalized; radii 1.
[[nodiscard]] Cloud cloud_of_rows(std::size_t dim, std::span<const double> rows);

/// A d x d matrix with independent normal entries divided by its spectral norm times `norm`.
[[nodiscard]] attention::Matrix random_matrix(std::size_t dim, double norm, core::Purpose purpose, std::uint64_t seed,
                                              std::uint64_t member = 0);

} // namespace normdyn::theorems
