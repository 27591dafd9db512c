#pragma once
// The laws, each in the file of its name.

#include "normdyn/initial/law.hpp"

namespace normdyn::initial {

/// Independent and uniform on S^{d-1}.
[[nodiscard]] Law uniform_law();
/// Rows of X(0) with independent normal entries of deviation `std` (1); their norms are kept unless told otherwise.
[[nodiscard]] Law gaussian_law();
/// The basis vectors e_1 ... e_n (n <= d); with `rotate`, n orthonormal vectors of a random rotation (Haar measure).
[[nodiscard]] Law orthogonal_law();
/// All pairwise cosines equal to `gamma0` in [-1/(n-1), 1); d >= n, or d >= n - 1 at the lower end (a simplex).
[[nodiscard]] Law equiangular_law();
/// Uniform on the cap around e_1 of angular radius asin(sqrt(delta / 2)): all pairwise cosines are >= 1 - `delta`.
[[nodiscard]] Law cone_law();
/// Uniform on the half sphere <e_1, x> > 0.
[[nodiscard]] Law hemisphere_law();
/// A mixture of `clusters` von Mises-Fisher laws, density ~ exp(concentration <center, x>); centers uniform unless
/// given.
[[nodiscard]] Law von_mises_fisher_law();
/// d = 2, angles 2 pi j/n + `amplitude` cos(2 pi `mode` j/n + `phase`).
[[nodiscard]] Law ring_law();
/// Tokens written in the config: unit rows `theta`, or rows `x` whose norms are kept.
[[nodiscard]] Law explicit_law();
/// Tokens as rows of a file: HDF5 dataset, CSV or NPY.
[[nodiscard]] Law file_law();

} // namespace normdyn::initial
