// Error control against the spread: the gap 1 - cosine keeps its relative accuracy far below what radians resolve.
#include "normdyn/geometry/sphere.hpp"
#include "support/checks.hpp"
#include "support/recording.hpp"
#include "support/reference_scheme.hpp"

using namespace normdyn;
using normdyn::testing::CsvRow;
using normdyn::testing::number;

namespace {

// Relative error of the gap of tokens 0 and 1 against a row of the tail file, as a run of particles.
double gap_error(const CsvRow& row, integrate::ErrorScale scale) {
  const std::size_t n = std::stoul(row.at("n"));
  geometry::State theta(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    theta[j * n + j] = 1.0;
  const double t = number(row, "t");
  integrate::SolveOptions options;
  options.method = integrate::Method::dopri5;
  options.tolerance = {.rtol = 1e-8, .atol = 1e-10, .radius_rtol = 1e-8, .radius_atol = 1e-10};
  options.error_scale = scale;
  const auto result = normdyn::testing::run({.scheme = normdyn::testing::scheme_of(row), .beta = number(row, "beta")},
                                            theta, geometry::State(n, number(row, "r0")), n, {0.0, t}, {t}, options);
  const std::span<const double> tokens(result.record.states.at(0).theta);
  const double gap = 0.5 * geometry::distance_squared(tokens.first(n), tokens.subspan(n, n));
  return std::abs(gap / number(row, "one_minus_gamma") - 1.0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(laws)

// The gap is 6e-9 at t = 10 and 1e-17 at t = 20. Stored directions resolve 1e-16, so distances of 5e-9 keep 7 digits.
BOOST_AUTO_TEST_CASE(the_spread_as_error_scale_follows_the_collapse_where_radians_do_not) {
  std::size_t checked = 0;
  for (const CsvRow& row : normdyn::testing::read_csv("reference/equiangular-tail.csv")) {
    if (row.at("scheme") != "post" || row.at("beta") != "1" || (row.at("t") != "10" && row.at("t") != "20"))
      continue;
    BOOST_TEST_CONTEXT("t = " << row.at("t")) {
      BOOST_TEST(gap_error(row, integrate::ErrorScale::spread) < 1e-6);
      if (row.at("t") == "20")
        BOOST_TEST(gap_error(row, integrate::ErrorScale::radian) > 1e-3);
    }
    ++checked;
  }
  BOOST_TEST(checked == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
