#include "normdyn/reduced/layer_map.hpp"

#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using normdyn::reduced::Equiangular;

namespace {

using Layered = normdyn::reduced::LayerResult<double>;

// y and r after depth/h layers of step h.
Layered stacked(const Equiangular<double>& family, const schemes::AnyScheme& scheme, Layered at, double depth,
                double h) {
  const auto count = static_cast<int>(std::lround(depth / h));
  const auto run = [&](const auto& s) {
    for (int l = 0; l < count; ++l)
      at = normdyn::reduced::layer(family, s.on({l * h, (l + 1) * h}), at.log_ratio, at.radius, l * h, h);
    return at;
  };
  return std::visit(run, scheme);
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

// gamma at depth 8 for beta = 5, n = 256, r0 = 1 minus the value of the flow, as printed.
BOOST_AUTO_TEST_CASE(layers_on_the_plateau_meet_the_printed_table) {
  struct Row {
    const char* scheme;
    double flow;
    std::array<double, 4> difference; // h = 1, 1/2, 1/4, 1/8
  };
  const Row rows[] = {{"post", 0.999760, {-0.1058, -0.0096, -0.0017, -0.0005}},
                      {"pre", 0.480788, {-0.3052, -0.2009, -0.1150, -0.0610}},
                      {"peri", 0.859498, {-0.3780, -0.1805, -0.0844, -0.0403}},
                      {"ngpt", 0.999998, {0.0, 0.0, 0.0, 0.0}},
                      {"sqrt", 0.587049, {-0.3736, -0.2377, -0.1314, -0.0681}}};
  const Equiangular<double> family(256, 5.0);
  for (const Row& row : rows) {
    const double flow =
        family.position(quadrature_from(256, 5.0, 0.0, 1.0, pace_named<double>(row.scheme, 3.0)).at(8.0).log_ratio)
            .cosine;
    BOOST_TEST(std::abs(flow - row.flow) < 6e-7);
    for (std::size_t i = 0; i < 4; ++i) {
      const double h = std::ldexp(1.0, -static_cast<int>(i));
      const Layered at = stacked(family, scheme_named(row.scheme, 3.0), {family.log_ratio(0.0), 1.0}, 8.0, h);
      BOOST_TEST_CONTEXT(row.scheme << ", h = " << h)
      BOOST_TEST(std::abs(family.position(at.log_ratio).cosine - flow - row.difference[i]) < 6e-5);
    }
  }
}

// Ten layers of the full vector form, every scheme: nothing of the family is assumed there.
BOOST_AUTO_TEST_CASE(ten_vector_layers_agree_with_the_map) {
  constexpr std::size_t n = 5;
  const double beta = 1.5, h = 0.25, cosine = -0.1, r0 = 1.2;
  const Equiangular<double> family(n, beta);
  for (const char* name : {"post", "pre", "mix", "peri", "ngpt", "sqrt"}) {
    dynamics::TokenModel model;
    model.scheme = scheme_named(name, 1.25, "1/(1+t)");
    model.beta = core::Schedule(beta);
    const dynamics::TokenEquation equation(model, n, n, std::vector<double>(n, r0));
    geometry::State x = equation.state(equiangular_tokens(n, cosine), std::vector<double>(n, r0)), next(x.size());
    for (int l = 0; l < 10; ++l) {
      equation.on({l * h, (l + 1) * h})->layer(x, next, l * h, h);
      std::swap(x, next);
    }
    const Layered at = stacked(family, model.scheme, {family.log_ratio(cosine), r0}, 10 * h, h);
    const std::span<const double> state(x);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(
          close(family.position(at.log_ratio).cosine, geometry::dot(state.first(n), state.subspan(n, n)), 4e-15));
      if (equation.has_radius())
        BOOST_TEST(close(at.radius, x[n * n], 4e-15));
    }
  }
}

// Terminal contraction of u per layer: (1+h)^-2, (1 + h/sqrt(1+t))^-2, (r/(r+h))^2, (1 - h alpha)^2.
BOOST_AUTO_TEST_CASE(layers_contract_the_gap_by_the_terminal_factors) {
  const Equiangular<double> family(12, 2.0);
  const double y = 60.0, r = 3.0, t = 8.0;
  for (const double h : {1.0, 0.5, 0.125}) {
    const auto factor = [&](const auto& scheme) {
      const Layered next = normdyn::reduced::layer(family, scheme, y, r, t, h);
      return std::exp(family.log_gap(next.log_ratio) - family.log_gap(y));
    };
    BOOST_TEST(close(factor(schemes::PostLn{}), std::pow(1.0 + h, -2.0), 1e-13));
    BOOST_TEST(close(factor(schemes::SqrtScaling{}), std::pow(1.0 + h / 3.0, -2.0), 1e-13));
    BOOST_TEST(close(factor(schemes::PreLn{}), std::pow(r / (r + h), 2.0), 1e-13));
    BOOST_TEST(close(factor(schemes::PeriLn{}), std::pow(r / (r + h), 2.0), 1e-13));
    if (h < 1.0)
      BOOST_TEST(close(factor(schemes::NGpt(core::Schedule(1.0))), std::pow(1.0 - h, 2.0), 1e-13));
  }
  // h alpha = 1: no linear term is left, u+ = O(u^3)
  const auto cubic = [&](double from) {
    return family.log_gap(
        normdyn::reduced::layer(family, schemes::NGpt(core::Schedule(1.0)), from, 1.0, 0.0, 1.0).log_ratio);
  };
  BOOST_TEST(close((cubic(21.0) - cubic(20.0)) / (family.log_gap(21.0) - family.log_gap(20.0)), 3.0, 1e-6));
}

BOOST_AUTO_TEST_CASE(layers_converge_to_the_flow_with_order_one_and_expand_in_powers_of_h) {
  const Equiangular<double> family(8, 2.0);
  for (const char* name : {"post", "pre", "mix", "peri", "ngpt", "sqrt"}) {
    const double flow = quadrature_from(8, 2.0, 0.0, 1.0, pace_named<double>(name, 3.0, "1/(1+t)")).at(5.0).log_ratio;
    const auto error = [&](double h) {
      return stacked(family, scheme_named(name, 3.0, "1/(1+t)"), {family.log_ratio(0.0), 1.0}, 5.0, h).log_ratio - flow;
    };
    const double coarse = error(1.0 / 256), middle = error(1.0 / 512), fine = error(1.0 / 1024);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(close(std::log2(middle / fine), 1.0, 0.02));
      BOOST_TEST(close(std::log2((2.0 * middle - coarse) / (2.0 * fine - middle)), 2.0, 0.04));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_full_step_of_ngpt_on_uniform_attention_is_consensus_at_once) {
  const Equiangular<double> family(6, 0.0);
  const Layered next =
      normdyn::reduced::layer(family, schemes::NGpt(core::Schedule(1.0)), family.log_ratio(0.0), 1.0, 0.0, 1.0);
  BOOST_TEST(next.log_ratio > 60.0); // 1 - h alpha + h alpha (E-1)/N is 0 to rounding
}

BOOST_AUTO_TEST_SUITE_END()
