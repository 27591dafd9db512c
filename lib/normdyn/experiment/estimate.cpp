#include "normdyn/experiment/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace normdyn::experiment {
namespace {

using integrate::Method;

std::int64_t evaluations_per_step(Method method) {
  switch (method) {
  case Method::dopri5:
    return 6; // the seventh stage is the first of the next step
  case Method::cash_karp54:
    return 6;
  case Method::dop853:
    return 12;
  case Method::fehlberg78:
    return 13;
  case Method::rk4:
    return 4;
  case Method::adams_bashforth_moulton:
    return 2;
  case Method::bulirsch_stoer:
    return 0;
  default:
    return 1;
  }
}

std::size_t states_held(Method method) {
  switch (method) {
  case Method::dop853:
    return 20;
  case Method::fehlberg78:
    return 18;
  case Method::bulirsch_stoer:
    return 60; // the extrapolation table and the samples of its dense output
  case Method::adams_bashforth_moulton:
    return 24;
  default:
    return 12;
  }
}

std::optional<std::int64_t> rows_of(const integrate::SaveSchedule& schedule,
                                    const std::optional<std::int64_t>& n_steps) {
  if (schedule.every_steps() > 0) {
    if (!n_steps)
      return {};
    return *n_steps / schedule.every_steps() + 1 + (*n_steps % schedule.every_steps() != 0 ? 1 : 0);
  }
  return std::max<std::int64_t>(static_cast<std::int64_t>(schedule.times().size()), 2);
}

double measured_evaluation(const Study& study, const dynamics::TokenEquation& equation) {
  const core::Interval first = core::pieces(study.time.span, breakpoints(study)).front();
  const std::unique_ptr<dynamics::System> system = equation.on(first);
  const geometry::State x = equation.state(study.initial.theta, study.initial.radius);
  geometry::State out(x.size());
  double best = HUGE_VAL, total = 0.0;
  for (int i = 0; i < 5 && (i < 2 || total < 0.2); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (study.time.in_layers)
      system->layer(x, out, first.begin, study.time.step);
    else
      (*system)(x, out, first.begin);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    total += seconds;
    best = std::min(best, seconds);
  }
  return best;
}

std::size_t weight_bytes(const Study& study) {
  if (study.model.weights->is_identity())
    return 0;
  const core::Interval first = core::pieces(study.time.span, breakpoints(study)).front();
  const attention::Weights weights = study.model.weights->on(first);
  Eigen::Index count = 0;
  for (const auto* part : {&weights.query, &weights.key, &weights.value, &weights.output})
    count += part->matrix ? part->matrix->size() : 0;
  return static_cast<std::size_t>(count) * sizeof(double);
}

} // namespace

Estimate estimate(const Study& study) {
  const dynamics::TokenEquation equation = make_equation(study);
  const std::size_t n = study.initial.n_tokens, dim = study.initial.dim;
  Estimate result;
  result.seconds_per_evaluation = measured_evaluation(study, equation);
  result.evaluations_per_step = evaluations_per_step(study.solve.method);
  if (study.time.in_layers)
    result.n_steps = study.time.n_layers;
  else if (study.solve.step > 0.0)
    result.n_steps = static_cast<std::int64_t>(std::ceil(study.time.span.length() / study.solve.step - 1e-9));
  if (result.n_steps)
    result.seconds = static_cast<double>(*result.n_steps * result.evaluations_per_step) * result.seconds_per_evaluation;

  result.state_rows =
      study.plan.save_states ? rows_of(study.plan.states, result.n_steps) : std::optional<std::int64_t>(0);
  result.series_rows = rows_of(study.plan.series, result.n_steps);
  std::size_t width = 1;
  for (const auto& observable : study.plan.observables)
    for (const auto& variable : observable->variables())
      width += variable.width();
  const std::size_t frame = n * dim * (study.output.float32 ? 4 : 8) + (equation.has_radius() ? n * 8 : 0);
  if (result.state_rows && result.series_rows)
    result.output_bytes = *result.state_rows * static_cast<std::int64_t>(frame) +
                          *result.series_rows * static_cast<std::int64_t>(width * 8) +
                          static_cast<std::int64_t>(n * (dim + 1) * 8 + weight_bytes(study)) + 65536;
  // A stored chunk holds up to 32 frames; attention works on blocks of rows, never on all n x n pairs.
  result.memory_bytes = equation.layout().size() * 8 * states_held(study.solve.method) + 32 * frame +
                        2 * weight_bytes(study) + std::size_t{8} * n * 128;
  return result;
}

} // namespace normdyn::experiment
