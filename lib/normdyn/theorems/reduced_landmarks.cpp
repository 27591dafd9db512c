#include "normdyn/theorems/reduced_landmarks.hpp"

#include "normdyn/reduced/constants.hpp"
#include "normdyn/reduced/local_exponents.hpp"
#include "normdyn/reduced/quadrature.hpp"
#include "normdyn/reduced/table.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace normdyn::theorems {
namespace {

using Family = reduced::Equiangular<double>;

Family family_of(const OrthogonalStart& start) {
  return {start.n_tokens, start.beta};
}
reduced::EquiangularCurve<double> curve_of(const OrthogonalStart& start) {
  return {family_of(start), family_of(start).log_ratio(0.0), start.radius};
}
reduced::EquiangularQuadrature<double> motion_of(const TableRow& scheme, const OrthogonalStart& start) {
  return {curve_of(start), scheme.pace};
}
std::string text_of(const TableRow& scheme, const OrthogonalStart& start) {
  return fmt::format("{}, n = {}, beta = {}, r0 = {}", scheme.label, start.n_tokens, start.beta, start.radius);
}

// dgamma/dt = -du/dy y' = u sigma/n y', from the equation itself.
double velocity(const TableRow& scheme, const OrthogonalStart& start, const reduced::EquiangularRow& row, double tau) {
  const Family family = family_of(start);
  const auto piece = row.time > tau ? core::Interval{row.time, 2.0 * row.time} : core::Interval{0.0, row.time};
  const double rate = std::visit(
      [&](const auto& one) { return family.rates(one.on(piece), row.log_ratio, row.radius, row.time).log_ratio; },
      scheme.scheme);
  const auto at = family.position(row.log_ratio);
  return rate * at.gap * at.sum / family.n();
}

std::vector<reduced::EquiangularRow> integrated(const TableRow& scheme, const OrthogonalStart& start,
                                                const std::vector<double>& times) {
  const reduced::EquiangularEquation equation({.scheme = scheme.scheme, .n_tokens = start.n_tokens, .beta = start.beta},
                                              start.radius);
  return reduced::tabulate(equation, 0.0, 0.0, times).rows;
}

// The local exponent of u in the variable of its law (log t where the radius moves), over its limit.
double local_exponent(const TableRow& scheme, const OrthogonalStart& start,
                      const reduced::EquiangularQuadrature<double>& motion, double y) {
  const Family family = family_of(start);
  if (scheme.has_radius())
    return reduced::exponent_by_log_time(family, y, motion.time(y), curve_of(start).radius(y - curve_of(start).begin()),
                                         schemes::name_of(scheme.scheme) == "peri_ln");
  return schemes::name_of(scheme.scheme) == "ngpt" ? reduced::exponent_by_alpha(family, y)
                                                   : reduced::exponent_by_clock(family, y);
}

// From the far end back to where the exponent first leaves its limit by 1 %.
double settled_time(const TableRow& scheme, const OrthogonalStart& start) {
  const auto motion = motion_of(scheme, start);
  const auto is_off = [&](double y) { return std::abs(local_exponent(scheme, start, motion, y) - 1.0) > 0.01; };
  double low = family_of(start).log_ratio_of_gap(1e-9), high = low;
  while (!is_off(low))
    high = low, low -= 0.1;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    (is_off(middle) ? low : high) = middle;
  }
  return motion.time(high);
}

} // namespace

double terminal_constant(const TableRow& scheme, const OrthogonalStart& start, double tau) {
  const Family family = family_of(start);
  const double y0 = family.log_ratio(0.0);
  const std::string_view name = schemes::name_of(scheme.scheme);
  if (name == "ngpt")
    return std::exp(reduced::log_drift_constant(family, y0));
  if (name == "mix_ln")
    return 0.5 * std::exp(reduced::log_mix_rate(family, y0, start.radius, tau));
  if (scheme.has_radius())
    return 0.5 * std::exp(reduced::log_radius_rate(family, y0, start.radius));
  return std::exp(reduced::log_exponential_constant(family, y0));
}

std::optional<double> time_shift(const TableRow& scheme, const OrthogonalStart& start) {
  const std::string_view name = schemes::name_of(scheme.scheme);
  if (name != "pre_ln" && name != "peri_ln")
    return std::nullopt;
  const Family family = family_of(start);
  return start.radius * reduced::time_shift(family, family.log_ratio(0.0), name == "peri_ln").over_radius();
}

double radius_excess(const TableRow& scheme, const OrthogonalStart& start, double time) {
  const double n = static_cast<double>(start.n_tokens);
  const double full = (n - 1.0) * terminal_constant(scheme, start, 0.0) / (n * time);
  return schemes::name_of(scheme.scheme) == "peri_ln" ? 0.5 * full : full;
}

std::vector<Evidence> landmarks(const TableRow& scheme, const OrthogonalStart& start, double tau) {
  constexpr std::array cosines{0.1, 0.5, 0.9, 0.99, 0.999};
  const std::string text = text_of(scheme, start);
  const Family family = family_of(start);
  const auto motion = motion_of(scheme, start);
  std::vector<double> times;
  for (const double cosine : cosines)
    times.push_back(motion.time(family.log_ratio(cosine)));
  times.push_back(motion.time(family.log_ratio_of_gap(1e-7)));
  const std::vector<reduced::EquiangularRow> rows = integrated(scheme, start, times);

  std::vector<Evidence> found;
  for (std::size_t k = 0; k < cosines.size(); ++k)
    found.push_back(exact(fmt::format("time at which gamma = {}, {}", cosines[k], text), times[k],
                          rows.at(k).time + (cosines[k] - rows.at(k).cosine) / velocity(scheme, start, rows[k], tau),
                          1e-10));
  const reduced::EquiangularRow& last = rows.at(cosines.size());
  const double constant =
      scheme.has_radius() ? last.gap * last.radius * last.radius : last.gap * std::exp(2.0 * scheme.worth(last.time));
  // gamma' is 2 u times the derivative of the law's variable, and sqrt's law is written with e^{-4 sqrt t}
  const double factor = schemes::name_of(scheme.scheme) == "sqrt_scaling" ? 2.0 * std::exp(4.0) : 2.0;
  found.push_back(exact("C of gamma' in Theorem 4.1, " + text, factor * terminal_constant(scheme, start, tau),
                        factor * constant, 1e-6));
  if (const auto shift = time_shift(scheme, start))
    found.push_back(
        exact("lim r - t, " + text, *shift, last.radius - last.time - radius_excess(scheme, start, last.time), 1e-5));
  if (schemes::name_of(scheme.scheme) == "post_ln")
    found.push_back(
        recorded("plateau exponent (1/2) log R2, " + text, reduced::plateau_exponent(family, family.log_ratio(0.0))));
  if (schemes::name_of(scheme.scheme) != "mix_ln")
    found.push_back(recorded("time from which the local exponent is within 1 %, " + text, settled_time(scheme, start)));
  return found;
}

} // namespace normdyn::theorems
