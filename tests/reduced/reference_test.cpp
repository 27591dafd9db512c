// Every row of data/reference/equiangular.csv and equiangular-tail.csv, by quadrature in 50 digits and in double.

#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;

namespace {

template <class Scalar>
std::vector<typename reduced::EquiangularQuadrature<Scalar>::Point> solve(const ReferenceKey& key,
                                                                          const std::vector<ReferenceRow>& rows) {
  const auto quadrature = quadrature_from<Scalar>(
      std::stoul(key.n), number<Scalar>(key.beta), Scalar(0), number<Scalar>(key.r0),
      pace_named<Scalar>(key.scheme, key.tau.empty() ? Scalar(0) : number<Scalar>(key.tau), key.alpha));
  std::vector<Scalar> times;
  for (const ReferenceRow& row : rows)
    times.push_back(number<Scalar>(row.time));
  return quadrature.at(times);
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

// 25 digits are printed, so half a unit of the last is 5e-25 of the leading digit's decade.
BOOST_AUTO_TEST_CASE(quadrature_in_fifty_digits_gives_every_printed_digit) {
  for (const auto& [key, rows] : equiangular_reference()) {
    BOOST_TEST_CONTEXT(key.text()) {
      const normdyn::reduced::Equiangular<Digits50> family(std::stoul(key.n), Digits50(key.beta));
      const auto points = solve<Digits50>(key, rows);
      for (std::size_t i = 0; i < rows.size(); ++i)
        BOOST_TEST_CONTEXT("t = " << rows[i].time) {
          const auto at = family.position(points[i].log_ratio);
          BOOST_TEST(agrees(at.cosine, Digits50(rows[i].cosine), 1e-24));
          BOOST_TEST(agrees(at.gap, Digits50(rows[i].gap), 1e-24));
          BOOST_TEST(agrees(points[i].log_ratio, Digits50(rows[i].log_ratio), 1e-24));
          BOOST_TEST(agrees(points[i].radii, Digits50(rows[i].radius), 1e-24));
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(quadrature_in_double_keeps_the_relative_gap_to_rounding) {
  for (const auto& [key, rows] : equiangular_reference()) {
    BOOST_TEST_CONTEXT(key.text()) {
      const normdyn::reduced::Equiangular<double> family(std::stoul(key.n), std::stod(key.beta));
      const auto points = solve<double>(key, rows);
      for (std::size_t i = 0; i < rows.size(); ++i)
        BOOST_TEST_CONTEXT("t = " << rows[i].time) {
          const auto at = family.position(points[i].log_ratio);
          BOOST_TEST(agrees(at.gap, std::stod(rows[i].gap), 1e-14 * (1.0 + std::abs(points[i].log_ratio))));
          BOOST_TEST(agrees(points[i].radii, std::stod(rows[i].radius), 1e-14));
        }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
