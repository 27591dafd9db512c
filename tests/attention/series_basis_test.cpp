// What a series is trusted for, against sums over pairs in long double: the error rule of zonal_series.hpp.
#include "normdyn/attention/series_basis.hpp"
#include "normdyn/attention/simd.hpp"
#include "normdyn/geometry/state.hpp"

#include "naive_attention.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

using namespace normdyn::attention;
using namespace normdyn::attention::test;
using normdyn::geometry::State;

namespace {

constexpr std::size_t n_tokens = 2048, n_queries = 96;

struct Arrangement {
  std::string name;
  std::vector<double> tokens;
};

void normalize(std::vector<double>& rows, std::size_t dim) {
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t j = 0; j < rows.size(); j += dim) {
      double square = 0.0;
      for (std::size_t c = 0; c < dim; ++c)
        square += rows[j + c] * rows[j + c];
      for (std::size_t c = 0; c < dim; ++c)
        rows[j + c] /= std::sqrt(square);
    }
}

// Tokens around the last axis, or a direction that is no axis, within about `width`.
std::vector<double> clump(std::size_t dim, bool is_at_axis, double width) {
  std::vector<double> rows = random_tokens(n_tokens, dim);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::size_t c = j % dim;
    rows[j] = width * rows[j] + (is_at_axis ? (c + 1 == dim ? 1.0 : 0.0)
                                 : c == 0   ? 0.36
                                            : 0.48 * static_cast<double>(c));
  }
  normalize(rows, dim);
  return rows;
}

// A ring around the last axis: most orders cancel, and what is left is of the size that errs most near the pole. On the
// circle: two points.
std::vector<double> ring(std::size_t dim, double radius) {
  std::vector<double> rows;
  for (std::size_t j = 0; j < n_tokens; ++j) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(j) / n_tokens;
    rows.push_back(radius * std::cos(angle));
    if (dim == 3)
      rows.push_back(radius * std::sin(angle));
    rows.push_back(std::sqrt(1.0 - radius * radius));
  }
  normalize(rows, dim);
  return rows;
}

std::vector<Arrangement> arrangements(std::size_t dim) {
  std::vector<Arrangement> all{{"everywhere", random_tokens(n_tokens, dim)}};
  for (const double width : {0.0, 1e-9, 1e-3, 0.1}) {
    all.push_back({"at the axis", clump(dim, true, width)});
    all.push_back({"off the axis", clump(dim, false, width)});
  }
  for (const double radius : {0.03, 0.05, 0.07, 0.1, 0.2})
    all.push_back({"ring", ring(dim, radius)});
  return all;
}

// Some of the tokens, some anywhere, and some at all distances from both ends of the last axis, those included.
std::vector<double> queries_for(const std::vector<double>& tokens, std::size_t dim) {
  std::vector<double> rows = random_tokens(n_queries, dim, 9);
  for (std::size_t j = 0; j < n_queries; ++j) {
    double* row = rows.data() + j * dim;
    if (j % 4 == 0)
      std::copy_n(tokens.data() + (j * 21) * dim, dim, row);
    else if (j % 4 != 1)
      for (std::size_t c = 0; c < dim; ++c)
        row[c] = c + 1 < dim ? (j < 8 ? 0.0 : row[c] * std::pow(10.0, -0.1 * static_cast<double>(j % 40)))
                             : (j % 8 < 4 ? 1.0 : -1.0);
  }
  normalize(rows, dim);
  return rows;
}

std::vector<Real> exact_totals(const std::vector<double>& tokens, const std::vector<double>& queries, std::size_t dim,
                               double beta) {
  std::vector<Real> totals(n_queries, 0.0L);
  for (std::size_t j = 0; j < n_queries; ++j)
    for (std::size_t k = 0; k < n_tokens; ++k) {
      Real cosine = 0.0L;
      for (std::size_t c = 0; c < dim; ++c)
        cosine += static_cast<Real>(queries[j * dim + c]) * static_cast<Real>(tokens[k * dim + c]);
      totals[j] += std::exp(static_cast<Real>(beta) * (cosine - 1.0L));
    }
  return totals;
}

// Largest error of Z in units of what is allowed.
Real worst_error(const SeriesBasis& basis, const std::vector<double>& tokens, const std::vector<double>& queries,
                 const std::vector<Real>& exact, double beta) {
  const SeriesBasis::Sizes sizes = basis.sizes();
  State work(sizes.work), moments(sizes.moments, 0.0), coefficients(sizes.coefficients), drift(queries.size()),
      totals(n_queries);
  BOOST_TEST(basis.add_moments(tokens.data(), n_tokens, work.data(), moments.data()) == n_tokens);
  const double least = basis.set_coefficients(moments.data(), n_tokens, coefficients.data());
  (void)basis.write_sums(queries.data(), n_queries, coefficients.data(), {drift.data(), totals.data(), 1.0});
  Real worst = 0.0L;
  for (std::size_t j = 0; j < n_queries; ++j) {
    // 1e-12 of the smallest trusted sum; and unit vectors are rounded, which a sum notices at beta ulps.
    const Real allowed = 1e-12L * static_cast<Real>(least) + 3.0L * static_cast<Real>(beta) * 0x1p-53L * exact[j];
    worst = std::max(worst, std::abs(exact[j] - static_cast<Real>(totals[j])) / allowed);
  }
  return worst;
}

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(errors_of_a_series_stay_within_what_it_is_trusted_for) {
  for (const bool is_circle : {true, false}) {
    const std::unique_ptr<SeriesBasis> basis = is_circle ? make_fourier_basis() : make_harmonics_basis();
    for (const Arrangement& arrangement : arrangements(basis->dim())) {
      const std::vector<double> queries = queries_for(arrangement.tokens, basis->dim());
      for (const double beta : {0.0, 1.0, 5.0, 20.0, 100.0, 300.0, 1000.0, 2000.0}) {
        basis->set(beta);
        const std::vector<Real> exact = exact_totals(arrangement.tokens, queries, basis->dim(), beta);
        for (const std::string& target : simd_targets()) {
          use_simd_target(target);
          const Real worst = worst_error(*basis, arrangement.tokens, queries, exact, beta);
          BOOST_TEST(worst <= 1.0L,
                     arrangement.name << " d " << basis->dim() << " beta " << beta << " " << target << ": " << worst);
        }
      }
    }
  }
  use_simd_target({});
}

BOOST_AUTO_TEST_CASE(many_uniform_tokens_are_trusted_to_harmonics_at_the_largest_beta) {
  const std::unique_ptr<SeriesBasis> basis = make_harmonics_basis();
  basis->set(2000.0);
  const SeriesBasis::Sizes sizes = basis->sizes();
  State moments(sizes.moments, 0.0), coefficients(sizes.coefficients);
  const double n = 150'000.0;
  moments[0] = n; // the others of random tokens are of the order of sqrt(n), which the rule adds by itself
  const double least = basis->set_coefficients(moments.data(), static_cast<std::size_t>(n), coefficients.data());
  BOOST_TEST(least < 0.6 * n / 4000.0); // the mean of Z is n (1 - exp(-2 beta)) / (2 beta)
}

BOOST_AUTO_TEST_SUITE_END()
