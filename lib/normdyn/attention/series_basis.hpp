#pragma once
// What a series over pairs of tokens is made of, whatever functions it uses: numbers gathered from all keys (moments),
// numbers made of these (coefficients), and the sums of queries, which add up coefficients.

#include <cstddef>
#include <memory>

namespace normdyn::attention {

inline constexpr std::size_t series_rows = 8; ///< tokens are dealt with in multiples of this: doubles of any vector

/// Where the sums of queries go.
struct SeriesRows {
  double* drift = nullptr;  ///< rows of d: N / Z if factor = 0, else N * factor
  double* totals = nullptr; ///< Z
  double factor = 0.0;
  const double* near = nullptr; ///< planes of sums to be added first: N_x, N_y ..., Z, each aligned; or none
  std::size_t near_stride = 0;  ///< from plane to plane
};

/// Const functions may be called by several threads at once.
class SeriesBasis {
 public:
  virtual ~SeriesBasis() = default;

  /// |beta| <= ZonalSeries::largest_beta.
  virtual void set(double beta) = 0;
  [[nodiscard]] virtual std::size_t degree() const = 0; ///< the highest degree, or power, that the sums use

  struct Sizes {
    std::size_t moments = 0, coefficients = 0;
    std::size_t work = 0; ///< of each thread, for add_moments
  };
  [[nodiscard]] virtual Sizes sizes() const = 0;      ///< for the beta that was set
  [[nodiscard]] virtual Sizes most_sizes() const = 0; ///< for any beta
  [[nodiscard]] virtual std::size_t dim() const = 0;

  /// Adds the moments of `count` tokens, a multiple of series_rows. Tokens of zeros add nothing. Returns how many of
  /// them are unit vectors to rounding; unless all others are zero, the moments mean nothing.
  [[nodiscard]] virtual std::size_t add_moments(const double* tokens, std::size_t count, double* work,
                                                double* moments) const = 0;

  /// Coefficients of the moments of `n_tokens` tokens. Returns the smallest Z of a query that can be trusted.
  [[nodiscard]] virtual double set_coefficients(const double* moments, std::size_t n_tokens,
                                                double* coefficients) const = 0;

  /// Sums of `count` queries, a multiple of series_rows. Returns the smallest Z. The numbers of a query depend on that
  /// query alone, bit for bit.
  [[nodiscard]] virtual double write_sums(const double* queries, std::size_t count, const double* coefficients,
                                          const SeriesRows& out) const = 0;
};

/// d = 2: powers of x + i y.
[[nodiscard]] std::unique_ptr<SeriesBasis> make_fourier_basis();

/// d = 3: spherical harmonics.
[[nodiscard]] std::unique_ptr<SeriesBasis> make_harmonics_basis();

} // namespace normdyn::attention
