// Kernels in float inside the double integrator: as accurate as the tolerance down to their floor, reproducible.
#include "normdyn/core/random.hpp"
#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/integrate/solve.hpp"
#include "support/recording_sink.hpp"

#include <boost/test/unit_test.hpp>
#include <omp.h>

#include <cmath>

using namespace normdyn;
using namespace normdyn::integrate;
using attention::Precision;

namespace {

struct Problem {
  schemes::AnyScheme scheme;
  std::size_t n_tokens, dim;
  double beta, end;
  attention::Mask mask = attention::Mask::full;
};

struct Solution {
  std::vector<double> theta;
  std::int64_t n_evaluations;
};

Solution solved(const Problem& problem, Precision precision, Method method, double tolerance) {
  dynamics::TokenModel model;
  model.scheme = problem.scheme;
  model.attention = {attention::Normalization::softmax, problem.mask, precision};
  model.beta = core::Schedule(problem.beta);
  const dynamics::TokenEquation equation(model, problem.n_tokens, problem.dim, {});
  std::vector<double> theta(problem.n_tokens * problem.dim);
  for (std::size_t j = 0; j < problem.n_tokens; ++j) {
    core::RandomStream stream(3, core::Purpose::token_direction, 0, j);
    const std::span<double> token = std::span(theta).subspan(j * problem.dim, problem.dim);
    for (double& component : token)
      component = stream.normal();
    geometry::normalize(token);
  }
  SolveOptions options;
  options.method = method;
  options.tolerance = {tolerance, 0.0, tolerance, 0.0};
  SolvePlan plan;
  plan.states = SaveSchedule::at({problem.end});
  support::RecordingSink sink;
  const auto summary = solve(equation, equation.state(theta, std::vector<double>(problem.n_tokens, 1.0)),
                             {0.0, problem.end}, options, plan, sink);
  BOOST_REQUIRE((summary.outcome.kind == Outcome::Kind::completed));
  return {sink.states.back().theta, summary.evaluations};
}

double distance(const Solution& a, const Solution& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.theta.size(); ++i)
    largest = std::max(largest, std::abs(a.theta[i] - b.theta[i]));
  return largest;
}

const std::vector<Problem> problems = {{schemes::PostLn{}, 256, 3, 5.0, 8.0},
                                       {schemes::PostLn{}, 200, 16, 4.0, 8.0},
                                       {schemes::PeriLn{}, 150, 8, 2.0, 6.0},
                                       {schemes::PreLn{}, 120, 2, 3.0, 10.0, attention::Mask::causal}};

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

BOOST_AUTO_TEST_CASE(float32_kernels_keep_the_error_of_the_tolerance_down_to_their_floor) {
  for (const Problem& problem : problems) {
    const Solution exact = solved(problem, Precision::float64, Method::dop853, 1e-12);
    for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
      const Solution twice = solved(problem, Precision::float64, Method::dopri5, tolerance);
      const Solution single = solved(problem, Precision::float32, Method::dopri5, tolerance);
      const double error64 = distance(twice, exact), error32 = distance(single, exact);
      BOOST_TEST(error32 < 2.0 * error64 + 1e-7, "n " << problem.n_tokens << " d " << problem.dim << " rtol "
                                                      << tolerance << ": " << error32 << ", in float64 " << error64);
      BOOST_TEST(error32 > 1e-9); // no silent return to double
      BOOST_TEST(std::abs(static_cast<double>(single.n_evaluations - twice.n_evaluations)) <
                 0.1 * static_cast<double>(twice.n_evaluations));
    }
  }
}

// Clusters at rest stay where they are: equal terms, summed in float, would push them on and on.
BOOST_AUTO_TEST_CASE(float32_kernels_let_no_consensus_creep) {
  const Problem problem{schemes::PostLn{}, 150, 8, 2.0, 200.0};
  const Solution single = solved(problem, Precision::float32, Method::dopri5, 1e-6);
  const Solution twice = solved(problem, Precision::float64, Method::dop853, 1e-12);
  const double error = distance(single, twice);
  BOOST_TEST(error < 1e-6, error);
}

BOOST_AUTO_TEST_CASE(float32_runs_have_the_same_bits_for_any_number_of_threads) {
  const int before = omp_get_max_threads();
  for (const Problem& problem :
       {Problem{schemes::PostLn{}, 420, 3, 5.0, 2.0}, Problem{schemes::PeriLn{}, 420, 16, 4.0, 2.0}}) {
    std::vector<Solution> solutions;
    for (const int threads : {1, 2, 3}) {
      omp_set_num_threads(threads);
      solutions.push_back(solved(problem, Precision::float32, Method::dopri5, 1e-6));
    }
    BOOST_TEST((solutions[1].theta == solutions[0].theta));
    BOOST_TEST((solutions[2].theta == solutions[0].theta));
  }
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_SUITE_END()
