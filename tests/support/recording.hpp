#pragma once
// A sink that keeps everything in memory, and one call that integrates tokens and returns it.

#include "normdyn/dynamics/token_equation.hpp"
#include "normdyn/integrate/solve.hpp"

#include <string>
#include <vector>

namespace normdyn::testing {

class Recording final : public integrate::Sink {
 public:
  struct StateRow {
    double time, clock;
    std::vector<double> theta, radius;
  };
  struct Hit {
    std::string name;
    double time, value;
  };
  void state(const observables::Frame& frame) override {
    states.push_back({frame.time,
                      frame.clock,
                      {frame.theta.begin(), frame.theta.end()},
                      {frame.radius.begin(), frame.radius.end()}});
  }
  void series(const observables::Frame& frame, std::span<const double> values) override {
    series_times.push_back(frame.time);
    series_rows.emplace_back(values.begin(), values.end());
  }
  void event(const integrate::EventHit& hit) override { hits.push_back({hit.name, hit.time, hit.value}); }
  bool progress(const integrate::Progress&) override { return false; }

  std::vector<StateRow> states;
  std::vector<double> series_times;
  std::vector<std::vector<double>> series_rows;
  std::vector<Hit> hits;
};

struct Run {
  Recording record;
  integrate::SolveSummary summary;
};

/// Options with one tolerance for everything, relative and absolute.
inline integrate::SolveOptions with_tolerance(double tolerance, integrate::Method method = integrate::Method::dopri5) {
  return {.method = method,
          .tolerance = {.rtol = tolerance, .atol = 0.0, .radius_rtol = tolerance, .radius_atol = 0.0}};
}

/// Integrates tokens from (theta, radius) over `span` and keeps the states at `times`.
inline Run run(const dynamics::TokenModel& model, std::span<const double> theta, std::span<const double> radius,
               std::size_t dim, core::Interval span, std::vector<double> times,
               const integrate::SolveOptions& options) {
  const dynamics::TokenEquation equation(model, theta.size() / dim, dim, radius);
  integrate::SolvePlan plan;
  plan.states = integrate::SaveSchedule::at(std::move(times));
  Run result;
  result.summary = integrate::solve(equation, equation.state(theta, radius), span, options, plan, result.record);
  return result;
}

} // namespace normdyn::testing
