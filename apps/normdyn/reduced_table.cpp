#include "reduced_table.hpp"

#include "normdyn/core/value.hpp"
#include "normdyn/reduced/decay.hpp"
#include "normdyn/reduced/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace normdyn::cli {
namespace {

// In the order of the table.
constexpr std::pair<const char*, const char*> time_column = {"time",
                                                             "integration time (one unit = one residual block)"};
constexpr std::pair<const char*, const char*> layer_column = {"layer", "layers passed"};
constexpr std::pair<const char*, const char*> quantity_columns[] = {
    {"mean_cosine", "cosine of each pair of tokens"},
    {"gap", "1 - cosine, to relative accuracy"},
    {"log_ratio", "y = log((1 + (n-1) cosine)/(1 - cosine))"},
    {"radius", "norm of each token"},
    {"clock", "integral of dt/s, the time that Post-LN would have needed"},
    {"log_derivative", "d log(gap)/dt"},
};
constexpr std::size_t log_derivative = 5;

std::string shortest(double value) {
  return fmt::format("{}", value);
}

ReducedColumn column(std::pair<const char*, const char*> name, std::vector<double> values) {
  ReducedColumn made{name.first, name.second, std::move(values), {}};
  for (double& value : made.values) {
    value += 0.0; // no -0
    made.texts.push_back(shortest(value));
  }
  return made;
}

template <class Row, class Get>
std::vector<double> values_of(const std::vector<Row>& rows, const Get& get) {
  std::vector<double> values;
  for (const Row& row : rows)
    values.push_back(get(row));
  return values;
}

bool grows(const std::vector<double>& radius) {
  return radius.size() > 1 &&
         std::adjacent_find(radius.begin(), radius.end(), [](double a, double b) { return !(b > a); }) == radius.end();
}

} // namespace

ReducedTable integrated_table(const ReducedCase& one, const reduced::StopRequest& stop) {
  using reduced::EquiangularRow;
  const bool in_layers = one.layer_step > 0.0;
  const reduced::EquiangularEquation equation(one.model, one.radius);
  integrate::SolveOptions options = reduced::tight_options();
  if (in_layers) {
    options = {};
    options.method = integrate::Method::layers;
    options.step = one.layer_step;
  }
  const reduced::EquiangularTable result = reduced::tabulate(equation, one.cosine, one.begin, one.times, options, stop);
  const auto get = [&](double EquiangularRow::*field) {
    return values_of(result.rows, [&](const EquiangularRow& row) { return row.*field; });
  };
  ReducedTable table;
  table.outcome = result.outcome;
  table.columns.push_back(column(time_column, get(&EquiangularRow::time)));
  if (in_layers)
    table.columns.push_back(column(layer_column, values_of(result.rows, [&](const EquiangularRow& row) {
                                     return std::round((row.time - one.begin) / one.layer_step);
                                   })));
  double EquiangularRow::*fields[] = {&EquiangularRow::cosine, &EquiangularRow::gap, &EquiangularRow::log_ratio,
                                      &EquiangularRow::radius, &EquiangularRow::clock};
  for (std::size_t i = 0; i < std::size(fields); ++i)
    table.columns.push_back(column(quantity_columns[i], get(fields[i])));
  table.decay = reduced::decay(equation, result.rows, !in_layers);
  table.radius = get(&EquiangularRow::radius);
  if (!in_layers) {
    table.columns.push_back(column(quantity_columns[log_derivative], table.decay.log_derivatives));
    if (grows(table.radius))
      table.radius_rates = reduced::rates_at(equation, result.rows).radius;
  }
  return table;
}

ReducedTable digits_table(const ReducedCase& one, const reduced::DigitsModel& model, int digits,
                          const reduced::StopRequest& stop) {
  using reduced::DigitsRow;
  const std::vector<DigitsRow> rows = reduced::rows_in_digits(model, one.times, digits, stop);
  ReducedTable table;
  table.outcome.time = rows.empty() ? one.begin : one.times[rows.size() - 1];
  if (rows.size() < one.times.size())
    table.outcome = {integrate::Outcome::Kind::stopped, table.outcome.time,
                     fmt::format("asked to stop after t = {}", table.outcome.time)};
  const auto add = [&](std::pair<const char*, const char*> name, std::string DigitsRow::*field) {
    ReducedColumn made{name.first, name.second, {}, {}};
    for (const DigitsRow& row : rows) {
      made.texts.push_back(row.*field);
      made.values.push_back(std::strtod((row.*field).c_str(), nullptr));
    }
    table.columns.push_back(std::move(made));
  };
  add(time_column, &DigitsRow::time);
  std::string DigitsRow::*fields[] = {&DigitsRow::cosine, &DigitsRow::gap,   &DigitsRow::log_ratio,
                                      &DigitsRow::radius, &DigitsRow::clock, &DigitsRow::log_derivative};
  for (std::size_t i = 0; i < std::size(fields); ++i)
    add(quantity_columns[i], fields[i]);
  return table;
}

} // namespace normdyn::cli
