#include "stepper_rows.hpp"

#include "no_output.hpp"
#include "sample_tokens.hpp"

#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/integrate/solve.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <ctime>

namespace normdyn::bench {
namespace {

using integrate::Method;

struct Case {
  std::size_t n, dim;
  Method method;
  double tolerance, end;
  int evaluations_at_once; ///< timed together
  std::optional<double> at_most{};
};

// Processor time: what else runs on the machine does not count.
double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

Row measure(const Case& at, int repetitions) {
  const dynamics::TokenEquation equation({.beta = 5.0}, at.n, at.dim, {});
  const geometry::State x = equation.state(sample_tokens(at.n, at.dim), {});
  const core::Interval span{0.0, at.end};
  const std::unique_ptr<dynamics::System> system = equation.on(span);
  integrate::SolveOptions options;
  options.method = at.method;
  options.tolerance = {at.tolerance, at.tolerance, at.tolerance, at.tolerance};
  integrate::SolvePlan plan;
  plan.save_states = false;
  geometry::State out(x.size());
  NoOutput sink;
  double evaluation = 1e300, run = 1e300;
  for (int r = 0; r < repetitions; ++r) {
    std::clock_t begin = std::clock();
    for (int i = 0; i < at.evaluations_at_once; ++i)
      (*system)(x, out, 0.0);
    evaluation = std::min(evaluation, seconds_since(begin) / at.evaluations_at_once);
    begin = std::clock();
    const integrate::SolveSummary summary = integrate::solve(equation, x, span, options, plan, sink);
    run = std::min(run, seconds_since(begin) / static_cast<double>(summary.evaluations));
  }
  return against(
      "steps",
      fmt::format("{} n={} d={} tolerance {:.0e}", integrate::method_name(at.method), at.n, at.dim, at.tolerance),
      1e6 * run, "us/eval", 1e6 * evaluation, "an evaluation alone", at.at_most);
}

} // namespace

Rows stepper_rows(int repetitions) {
  omp_set_num_threads(1);
  Rows rows;
  for (const Case& at :
       {Case{32, 2, Method::dopri5, 1e-6, 30.0, 1000, 1.12}, Case{32, 2, Method::dop853, 1e-10, 30.0, 1000, 1.12},
        Case{256, 3, Method::dopri5, 1e-10, 15.0, 100}, Case{256, 3, Method::dop853, 1e-10, 15.0, 100},
        Case{1056, 64, Method::dopri5, 1e-6, 10.0, 10, 1.03}, Case{1056, 64, Method::dop853, 1e-10, 10.0, 10, 1.03}})
    rows.push_back(measure(at, 2 * repetitions));
  return rows;
}

} // namespace normdyn::bench
