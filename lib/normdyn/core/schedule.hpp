#pragma once
// A quantity that depends on time: a number, a formula in t, a power law, or a table that is piecewise constant.
// Jumps are breakpoints. A schedule is never asked which side of a jump t lies on: on(interval) fixes the smooth piece
// by the interval's midpoint, and is what an integrator evaluates (comparing t with a jump costs a method its order).

#include "normdyn/core/formula.hpp"
#include "normdyn/core/interval.hpp"
#include "normdyn/core/settings.hpp"

#include <string>
#include <variant>
#include <vector>

namespace normdyn::core {

class Schedule {
 public:
  Schedule(double constant = 0.0) : form_(constant) {}
  /// Formula in t (variable 0); further variables must have been substituted by the caller.
  static Schedule formula(Formula in_time);
  /// scale * (shift + t)^exponent
  static Schedule power(double scale, double shift, double exponent);
  /// values[i] on [times[i], times[i+1]), the last one for ever. Throws InputError at `place` unless times increase
  /// strictly and sizes agree.
  static Schedule table(std::vector<double> times, std::vector<double> values, const std::string& place);

  /// Value at t; at a jump of a table, the value to its right. Use on() inside an integration.
  [[nodiscard]] double operator()(double t) const;
  [[nodiscard]] std::vector<double> breakpoints() const;
  /// The smooth piece that holds on `span`, continued analytically beyond it.
  [[nodiscard]] Schedule on(Interval span) const;
  [[nodiscard]] bool is_constant() const { return std::holds_alternative<double>(form_); }
  /// First time it is defined at: -infinity but for tables.
  [[nodiscard]] double begin() const;
  /// "3", "1/(1+t)", "2 (1 + t)^-0.5", "table of 4 values"
  [[nodiscard]] std::string text() const;

 private:
  struct Power {
    double scale, shift, exponent;
  };
  struct Table {
    std::vector<double> times, values;
  };
  std::variant<double, Formula, Power, Table> form_;
};

/// Reads a schedule: a number; a formula in t and the known variables; { times = [...], values = [...] };
/// { scale = 1.0, shift = 1.0, exponent = -1.0 }. Every number given, and a formula at `checked_at`, must satisfy
/// `rule`; values at later times are watched by the integration, which ends if they turn non-finite.
[[nodiscard]] Schedule read_schedule(Settings& settings, std::string_view key, const NumberRule& rule,
                                     double checked_at = 0.0);

} // namespace normdyn::core
