#include "work_precision.hpp"

#include "field.hpp"
#include "no_output.hpp"
#include "sample_tokens.hpp"

#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/integrate/solve.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace normdyn::bench {
namespace {

integrate::SolveSummary solve(const Problem& problem, integrate::Method method, double tolerance) {
  const dynamics::TokenEquation equation({.beta = problem.beta}, problem.n_tokens, problem.dim, {});
  integrate::SolveOptions options;
  options.method = method;
  options.tolerance = {.rtol = tolerance, .atol = 0.0, .radius_rtol = tolerance, .radius_atol = tolerance};
  integrate::SolvePlan plan;
  plan.save_states = false;
  NoOutput sink;
  return integrate::solve(equation, equation.state(problem.start, {}), {0.0, problem.end}, options, plan, sink);
}

integrate::Method method_of(const std::string& name) {
  int index = 0;
  while (integrate::method_name(static_cast<integrate::Method>(index)) != name)
    ++index;
  return static_cast<integrate::Method>(index);
}

// The value at `error`, on the straight line in logarithms between the two neighbors of falling error.
double at_error(const WorkSeries& series, double error, const std::function<double(const WorkPoint&)>& value) {
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const WorkPoint &coarse = series.points[i - 1], &fine = series.points[i];
    if (coarse.error < error || fine.error > error || !(fine.error < coarse.error))
      continue;
    const double share = std::log(coarse.error / error) / std::log(coarse.error / fine.error);
    return value(coarse) * std::pow(value(fine) / value(coarse), share);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

Problem make_problem(std::string name, std::size_t n_tokens, std::size_t dim, double beta, double end, int n_threads) {
  Problem problem{std::move(name), n_tokens, dim, beta, end, n_threads, sample_tokens(n_tokens, dim), {}};
  omp_set_num_threads(n_threads);
  problem.reference = solve(problem, integrate::Method::bulirsch_stoer, 1e-15).final_state;
  problem.reference.resize(n_tokens * dim);
  return problem;
}

double error_of(const Problem& problem, const double* theta) {
  double largest = 0.0;
  for (std::size_t i = 0; i < problem.reference.size(); ++i)
    largest = std::max(largest, std::abs(theta[i] - problem.reference[i]));
  return largest;
}

WorkSeries run_normdyn(const Problem& problem, const std::string& method, int repetitions) {
  WorkSeries series{"normdyn " + method, {}};
  omp_set_num_threads(problem.n_threads);
  for (const double tolerance : tolerances) {
    integrate::SolveSummary summary;
    const double seconds = quickest(repetitions, [&] {
      summary = solve(problem, method_of(method), tolerance);
      return summary.wall_seconds;
    });
    series.points.push_back(
        {tolerance, error_of(problem, summary.final_state.data()), seconds, static_cast<long>(summary.evaluations)});
  }
  return series;
}

double seconds_to(const WorkSeries& series, double error) {
  return at_error(series, error, [](const WorkPoint& point) { return point.seconds; });
}

double evaluations_to(const WorkSeries& series, double error) {
  return at_error(series, error, [](const WorkPoint& point) { return static_cast<double>(point.evaluations); });
}

Rows work_precision_rows(int repetitions, std::vector<std::pair<std::string, WorkSeries>>& all) {
  constexpr double error = 1e-10;
  const std::vector<std::string> methods{"dopri5", "cash_karp54", "fehlberg78", "bulirsch_stoer", "dop853"};
  const std::vector<std::string> known = integrate::method_names();
  Rows rows;
  const auto solve_all = [&](const Problem& problem, bool with_sundials, double of_scipy) {
    const auto keep = [&](WorkSeries series) -> const WorkSeries& {
      all.emplace_back(problem.name, std::move(series));
      return all.back().second;
    };
    double best = std::numeric_limits<double>::infinity();
    for (const std::string& method : methods) {
      if (std::find(known.begin(), known.end(), method) == known.end())
        continue;
      const double seconds = seconds_to(keep(run_normdyn(problem, method, repetitions)), error);
      best = std::fmin(best, seconds);
    }
    const std::string what = problem.name + " to 1e-10";
    for (const auto& [name, seconds] : [&] {
           std::vector<std::pair<std::string, double>> own;
           for (const auto& [where, series] : all)
             if (where == problem.name)
               own.emplace_back(series.method, seconds_to(series, error));
           return own;
         }())
      rows.push_back(against("runs", what + ", " + name, 1e3 * seconds, "ms", 1e3 * best, "the best of ours"));
    const auto hold_against = [&](const WorkSeries& peer, double at_least) {
      rows.push_back(faster_than("runs", what, 1e3 * best, "ms", 1e3 * seconds_to(peer, error), peer.method, at_least));
    };
    if (with_sundials) {
      hold_against(keep(run_cvode_adams(problem, repetitions)), 4.0);
      hold_against(keep(run_arkode(problem, repetitions)), 3.0);
    }
    hold_against(keep(run_scipy(problem, "DOP853")), of_scipy);
  };
  solve_all(make_problem("n=256 d=3 beta=5 T=15", 256, 3, 5.0, 15.0, 1), true, 15.0);
  solve_all(make_problem("n=1056 d=64 beta=5 T=10, 2 threads", 1056, 64, 5.0, 10.0, 2), false, 3.0);
  omp_set_num_threads(1);
  return rows;
}

} // namespace normdyn::bench
