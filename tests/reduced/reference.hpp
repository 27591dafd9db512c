#pragma once
// The reference values of the equiangular family (data/reference), read as any scalar type, and the helpers that
// several files of this suite share.

#include "normdyn/reduced/quadrature.hpp"
#include "support/checks.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cstddef>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace normdyn::testing {

using Digits50 = boost::multiprecision::cpp_bin_float_50;

template <class Scalar>
Scalar number(const std::string& text) {
  if constexpr (std::is_same_v<Scalar, double>)
    return std::stod(text);
  else
    return Scalar(text);
}

/// |a - b| <= tolerance |b|, tolerance * `floor` at least.
template <class Scalar>
boost::test_tools::predicate_result agrees(const Scalar& a, const Scalar& b, double tolerance, double floor = 0.0) {
  using std::abs, std::max;
  const Scalar allowed = tolerance * max(Scalar(floor), Scalar(abs(b)));
  boost::test_tools::predicate_result result(abs(a - b) <= allowed);
  if (!result) {
    result.message().stream().precision(30);
    result.message() << a << " differs from " << b << " by " << static_cast<double>(a - b) << ", allowed "
                     << static_cast<double>(allowed);
  }
  return result;
}

/// A study of the files: its key columns as text.
struct ReferenceKey {
  std::string scheme, beta, n, r0, tau, alpha;
  auto operator<=>(const ReferenceKey&) const = default;
  [[nodiscard]] std::string text() const {
    return scheme + " beta=" + beta + " n=" + n + " r0=" + r0 + " tau=" + tau + " alpha=" + alpha;
  }
};

/// One line of both files.
struct ReferenceRow {
  std::string time, cosine, radius, gap, log_ratio;
};

inline std::vector<std::vector<std::string>> csv_lines(const std::string& name) {
  std::ifstream file(std::string(NORMDYN_DATA_DIR "/reference/") + name);
  std::vector<std::vector<std::string>> lines;
  std::string line;
  std::getline(file, line); // header
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');)
      cells.push_back(cell);
    lines.push_back(std::move(cells));
  }
  return lines;
}

/// All 240 rows, by key, in the order of time.
inline const std::map<ReferenceKey, std::vector<ReferenceRow>>& equiangular_reference() {
  static const std::map<ReferenceKey, std::vector<ReferenceRow>> all = [] {
    std::map<ReferenceKey, std::vector<ReferenceRow>> rows;
    const auto curves = csv_lines("equiangular.csv"), tails = csv_lines("equiangular-tail.csv");
    BOOST_REQUIRE_EQUAL(curves.size(), 240U);
    BOOST_REQUIRE_EQUAL(tails.size(), 240U);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const std::vector<std::string>&c = curves[i], &t = tails[i];
      for (std::size_t k = 0; k < 7; ++k)
        BOOST_REQUIRE_EQUAL(c[k], t[k]);
      rows[{c[0], c[1], c[2], c[3], c[4], c[5]}].push_back({c[6], c[7], c[8], t[7], t[8]});
    }
    return rows;
  }();
  return all;
}

/// The pace of a scheme of the tables, exact in any scalar type. `alpha` is "1" or "1/(1+t)".
template <class Scalar>
reduced::SchemePace<Scalar> pace_named(const std::string& scheme, const Scalar& tau, const std::string& alpha = "1") {
  using std::expm1, std::log1p;
  if (scheme == "pre")
    return reduced::pre_pace<Scalar>();
  if (scheme == "mix")
    return reduced::mix_pace<Scalar>(tau);
  if (scheme == "peri")
    return reduced::peri_pace<Scalar>();
  if (scheme == "sqrt")
    return reduced::sqrt_pace<Scalar>();
  if (scheme == "ngpt" && alpha == "1")
    return reduced::ngpt_pace<Scalar>([](const Scalar& t) { return t; }, [](const Scalar& worth) { return worth; });
  if (scheme == "ngpt" && alpha == "1/(1+t)")
    return reduced::ngpt_pace<Scalar>([](const Scalar& t) -> Scalar { return log1p(t); },
                                      [](const Scalar& worth) -> Scalar { return expm1(worth); });
  BOOST_REQUIRE_EQUAL(scheme, "post");
  return reduced::post_pace<Scalar>();
}

template <class Scalar>
reduced::EquiangularQuadrature<Scalar> quadrature_from(std::size_t n, const Scalar& beta, const Scalar& cosine,
                                                       const Scalar& r0, reduced::SchemePace<Scalar> pace) {
  const reduced::Equiangular<Scalar> family(n, beta);
  return {reduced::EquiangularCurve<Scalar>(family, family.log_ratio(cosine), r0), std::move(pace)};
}

/// The scheme of that short name with the options of the tables.
inline schemes::AnyScheme scheme_named(const std::string& scheme, double tau, const std::string& alpha = "1") {
  if (scheme == "pre")
    return schemes::PreLn{};
  if (scheme == "mix")
    return schemes::MixLn(tau);
  if (scheme == "peri")
    return schemes::PeriLn{};
  if (scheme == "sqrt")
    return schemes::SqrtScaling{};
  if (scheme == "ngpt")
    return schemes::NGpt(alpha == "1" ? core::Schedule(1.0) : core::Schedule::power(1.0, 1.0, -1.0));
  return schemes::PostLn{};
}

/// Tokens theta_j = p e_j + q sum_k e_k in R^n with mutual cosine gamma, row by row.
inline std::vector<double> equiangular_tokens(std::size_t n, double cosine) {
  const double p = std::sqrt(1.0 - cosine), n_real = static_cast<double>(n);
  const double q = (std::sqrt(1.0 + (n_real - 1.0) * cosine) - p) / n_real;
  std::vector<double> theta(n * n, q);
  for (std::size_t j = 0; j < n; ++j)
    theta[j * n + j] += p;
  return theta;
}

} // namespace normdyn::testing
