#include "normdyn/reduced/decay.hpp"

namespace normdyn::reduced {
namespace {

geometry::State state_of(const EquiangularEquation& equation, const EquiangularRow& row) {
  geometry::State x = equation.state_at(row.log_ratio);
  if (equation.has_radius())
    x[1] = row.radius;
  x[equation.layout().clock_index()] = row.clock;
  return x;
}

} // namespace

EquiangularRowRates rates_at(const EquiangularEquation& equation, std::span<const EquiangularRow> rows) {
  EquiangularRowRates rates;
  if (rows.empty())
    return rates;
  const double begin = rows.front().time, end = rows.back().time;
  std::vector<double> ends = equation.breakpoints({begin, end});
  ends.push_back(end);
  const Equiangular<double> family(equation.model().n_tokens, 0.0); // positions do not depend on beta
  geometry::State dxdt(equation.layout().size(), 0.0);
  std::size_t i = 0;
  double from = begin;
  for (const double to : ends) {
    // A single row has no piece of its own: the one that begins there.
    const auto system = equation.on({from, to > from ? to : from + 1.0});
    for (; i < rows.size() && rows[i].time <= to; ++i) {
      (*system)(state_of(equation, rows[i]), dxdt, rows[i].time);
      const double share = family.position(rows[i].log_ratio).sum / family.n();
      rates.log_gap.push_back(-share * dxdt[0]);
      rates.radius.push_back(equation.has_radius() ? dxdt[1] : 0.0);
      rates.clock.push_back(dxdt[equation.layout().clock_index()]);
    }
    from = to;
  }
  return rates;
}

analysis::Decay decay(const EquiangularEquation& equation, std::span<const EquiangularRow> rows, bool with_rates) {
  const Equiangular<double> family(equation.model().n_tokens, 0.0);
  analysis::Decay result;
  result.floor = 0.0;
  for (const EquiangularRow& row : rows) {
    result.times.push_back(row.time);
    result.log_values.push_back(family.log_gap(row.log_ratio));
  }
  if (with_rates)
    result.log_derivatives = rates_at(equation, rows).log_gap;
  return result;
}

} // namespace normdyn::reduced
