// The order of every fixed-step method on tokens themselves: smooth, across Mix-LN's tau, and across a jump of alpha.
// Steps end on the breakpoint, so nothing of the order may be lost there.
#include "support/checks.hpp"
#include "support/recording.hpp"
#include "support/scheme_list.hpp"

#include <cmath>

using namespace normdyn;
using integrate::Method;
using normdyn::testing::make_scheme;

namespace {

constexpr std::size_t n = 5, d = 3;
constexpr double end = 2.0;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

struct Expected {
  Method method;
  double order, largest_step;
};

} // namespace

BOOST_AUTO_TEST_SUITE(laws)

BOOST_AUTO_TEST_CASE(methods_keep_their_order_on_tokens_across_tau_and_a_jump_of_alpha) {
  core::Value alpha;
  alpha.set("times", core::Value(core::Value::Array{0.0, 0.8}));
  alpha.set("values", core::Value(core::Value::Array{1.0, 0.25}));
  const std::vector<normdyn::testing::NamedScheme> schemes = {
      {"smooth", make_scheme({{"name", "pre_ln"}})},
      {"tau", make_scheme({{"name", "mix_ln"}, {"tau", 0.8}})},
      {"alpha", make_scheme({{"name", "ngpt"}, {"alpha", alpha}})},
  };
  // Steps at which the error is well above rounding and well below 1.
  const std::vector<Expected> methods = {
      {Method::euler, 1.0, 0.02},
      {Method::rk4, 4.0, 0.1},
      {Method::dopri5, 5.0, 0.1},
      {Method::dop853, 8.0, 0.8},
      {Method::cash_karp54, 5.0, 0.1},
      {Method::fehlberg78, 8.0, 0.4},
      {Method::adams_bashforth_moulton, 8.0, 0.05},
  };
  const geometry::State theta = normdyn::testing::random_tokens(n, d, 21),
                        radius = normdyn::testing::random_radii(n, 21);
  for (const auto& [name, scheme] : schemes) {
    const dynamics::TokenModel model{.scheme = scheme, .beta = 1.0};
    const auto exact = normdyn::testing::run(model, theta, radius, d, {0.0, end}, {end},
                                             normdyn::testing::with_tolerance(1e-14, Method::fehlberg78));
    for (const Expected& expected : methods) {
      std::vector<double> errors;
      for (const double step : {expected.largest_step, expected.largest_step / 2.0}) {
        const auto result = normdyn::testing::run(model, theta, radius, d, {0.0, end}, {end},
                                                  {.method = expected.method, .step = step});
        errors.push_back(largest_difference(result.record.states[0].theta, exact.record.states[0].theta));
      }
      const double order = std::log2(errors[0] / errors[1]);
      BOOST_TEST_MESSAGE(name << " " << integrate::method_name(expected.method) << " " << errors[0] << " " << errors[1]
                              << " " << order);
      BOOST_TEST_CONTEXT(name << " " << integrate::method_name(expected.method) << " errors " << errors[0] << " "
                              << errors[1])
      BOOST_TEST(std::abs(order - expected.order) < 0.15 * expected.order + 0.1);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
