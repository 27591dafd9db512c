#include "normdyn/reduced/table.hpp"

#include <cmath>
#include <limits>

namespace normdyn::reduced {
namespace {

// Rows are made of final states.
class NoOutput final : public integrate::Sink {
 public:
  NoOutput(const StopRequest& stop, const std::size_t& n_rows) : stop_(stop), n_rows_(n_rows) {}
  void state(const observables::Frame&) override {}
  void series(const observables::Frame&, std::span<const double>) override {}
  void event(const integrate::EventHit&) override {}
  bool progress(const integrate::Progress&) override { return stop_ && stop_(n_rows_); }

 private:
  const StopRequest& stop_;
  const std::size_t& n_rows_;
};

// At rest (simplex, consensus) y is infinite, which the step loop takes for an accident. A y of this size stands for
// it: its position is the same to the last bit, and no rate of y, which is of order one, moves it.
constexpr double y_at_rest = 1e300;

EquiangularRow row(const EquiangularEquation& equation, const geometry::State& x, double time) {
  double y = equation.log_ratio(x);
  if (std::abs(y) == y_at_rest)
    y = std::copysign(std::numeric_limits<double>::infinity(), y);
  const Position<double> at = Equiangular<double>(equation.model().n_tokens, 0.0).position(y); // beta has no part in it
  return {time, at.cosine, at.gap, y, equation.radius(x), equation.clock(x)};
}

} // namespace

integrate::SolveOptions tight_options() {
  constexpr double tolerance = 1e-15;
  integrate::SolveOptions options;
  options.method = integrate::Method::bulirsch_stoer;
  options.tolerance = {.rtol = tolerance, .atol = tolerance, .radius_rtol = tolerance, .radius_atol = tolerance};
  return options;
}

EquiangularTable tabulate(const EquiangularEquation& equation, double cosine, double begin,
                          std::span<const double> times, const integrate::SolveOptions& options,
                          const StopRequest& stop) {
  EquiangularTable table;
  geometry::State x = equation.state(cosine);
  if (std::isinf(equation.log_ratio(x)))
    x = equation.state_at(std::copysign(y_at_rest, equation.log_ratio(x)));
  std::size_t n_rows = 0;
  NoOutput sink(stop, n_rows);
  for (const double time : times) {
    if (time > begin) {
      integrate::SolvePlan plan;
      plan.save_states = false;
      integrate::SolveSummary summary = integrate::solve(equation, x, {begin, time}, options, plan, sink);
      table.outcome = std::move(summary.outcome);
      if (table.outcome.kind != integrate::Outcome::Kind::completed)
        break;
      x = std::move(summary.final_state);
      begin = time;
    }
    table.rows.push_back(row(equation, x, time));
    n_rows = table.rows.size();
  }
  return table;
}

} // namespace normdyn::reduced
