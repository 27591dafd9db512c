#include "normdyn/attention/draws.hpp"

#include <Eigen/Eigenvalues>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn;
using namespace normdyn::attention;

namespace {

Matrix drawn(const std::string& name, Eigen::Index rows, Eigen::Index columns, double parameter,
             const DrawKey& key = {.seed = 4}) {
  for (const MatrixLaw& law : matrix_laws())
    if (law.name == name)
      return law.draw(rows, columns, parameter, key);
  BOOST_FAIL("no such law: " << name);
  return {};
}

// Collects values; compares their mean with what it should be, in standard errors.
class Sample final {
 public:
  void add(double value) {
    sum_ += value;
    square_ += value * value;
    count_ += 1.0;
  }
  [[nodiscard]] double mean() const { return sum_ / count_; }
  [[nodiscard]] double error() const { return std::sqrt((square_ / count_ - mean() * mean()) / count_); }
  void check(double expected) const {
    BOOST_TEST(std::abs(mean() - expected) < 4.0 * error(),
               "mean " << mean() << ", expected " << expected << ", standard error " << error());
  }

 private:
  double sum_ = 0.0, square_ = 0.0, count_ = 0.0;
};

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(entries_have_the_moments_of_their_law) {
  const Eigen::Index rows = 300, columns = 200;
  const auto check = [&](const std::string& name, double parameter, double variance, double kurtosis) {
    const Matrix matrix = drawn(name, rows, columns, parameter);
    Sample first, second, fourth;
    for (const double entry : matrix.reshaped()) {
      first.add(entry);
      second.add(entry * entry);
      fourth.add(std::pow(entry, 4));
    }
    first.check(0.0);
    second.check(variance);
    fourth.check(kurtosis * variance * variance);
  };
  check("gaussian", 0.3, 0.09, 3.0);
  check("kaiming_normal", 1.5, 2.25 * 2.0 / 200.0, 3.0);
  check("kaiming_uniform", 1.5, 2.25 * 2.0 / 200.0, 1.8);
}

BOOST_AUTO_TEST_CASE(goe_has_twice_the_variance_on_the_diagonal_and_the_edge_of_the_semicircle) {
  Sample on, off, largest, wigner_on, wigner_off;
  const double scale = 0.5;
  for (std::uint64_t member = 0; member < 200; ++member) {
    const Matrix goe = drawn("goe", 64, 64, scale, {.seed = 9, .member = member});
    const Matrix wigner = drawn("wigner", 64, 64, scale, {.seed = 9, .member = member});
    BOOST_TEST_REQUIRE((goe == goe.transpose()));
    BOOST_TEST_REQUIRE((wigner == wigner.transpose()));
    for (Eigen::Index i = 0; i < 64; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) {
        (i == j ? on : off).add(goe(i, j) * goe(i, j));
        (i == j ? wigner_on : wigner_off).add(wigner(i, j) * wigner(i, j));
      }
    largest.add(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(goe, Eigen::EigenvaluesOnly).eigenvalues()(63));
  }
  on.check(2.0 * scale * scale);
  off.check(scale * scale);
  wigner_on.check(scale * scale);
  wigner_off.check(scale * scale);
  BOOST_TEST(std::abs(largest.mean() / (2.0 * 8.0 * scale) - 1.0) < 0.05);
}

BOOST_AUTO_TEST_CASE(orthogonal_draws_are_orthogonal_in_every_shape) {
  for (const auto& [rows, columns] : {std::pair<Eigen::Index, Eigen::Index>{1, 1}, {8, 8}, {5, 9}, {9, 5}}) {
    const Matrix q = drawn("orthogonal", rows, columns, 2.0);
    const Eigen::Index size = std::min(rows, columns);
    const Eigen::MatrixXd gram =
        rows <= columns ? Eigen::MatrixXd(q * q.transpose()) : Eigen::MatrixXd(q.transpose() * q);
    BOOST_TEST((gram - 4.0 * Eigen::MatrixXd::Identity(size, size)).cwiseAbs().maxCoeff() < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(orthogonal_draws_follow_haar_measure) {
  // Without fixing the signs the diagonal would be biased. E tr = 0, E tr^2 = 1, E Q_ij^4 = 3/(d (d+2)).
  Sample diagonal, trace, trace_square, fourth, determinant;
  for (std::uint64_t member = 0; member < 4000; ++member) {
    const Matrix q = drawn("orthogonal", 4, 4, 1.0, {.seed = 2, .member = member});
    diagonal.add(q(0, 0));
    trace.add(q.trace());
    trace_square.add(q.trace() * q.trace());
    fourth.add(std::pow(q(1, 2), 4));
    determinant.add(q.determinant());
  }
  diagonal.check(0.0);
  trace.check(0.0);
  trace_square.check(1.0);
  fourth.check(3.0 / 24.0);
  determinant.check(0.0);
}

BOOST_AUTO_TEST_CASE(a_row_depends_on_its_key_alone) {
  const DrawKey key{.seed = 1, .member = 2, .purpose = core::Purpose::value_weights, .layer = 3};
  const Matrix large = drawn("gaussian", 9, 5, 1.0, key), small = drawn("gaussian", 4, 5, 1.0, key);
  BOOST_TEST((large.topRows(4) == small));
  for (const DrawKey& other :
       {DrawKey{2, 2, core::Purpose::value_weights, 3}, DrawKey{1, 3, core::Purpose::value_weights, 3},
        DrawKey{1, 2, core::Purpose::key_weights, 3}, DrawKey{1, 2, core::Purpose::value_weights, 4}})
    BOOST_TEST((drawn("gaussian", 4, 5, 1.0, other).array() != small.array()).all());
}

BOOST_AUTO_TEST_SUITE_END()
