#include "normdyn/analysis/decay_fits.hpp"

#include "normdyn/analysis/line.hpp"
#include "normdyn/analysis/power_level.hpp"

#include <cmath>
#include <limits>

namespace normdyn::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// One line through all samples and through halves of them; the first and the second share the middle sample.
struct Lines {
  Line whole, first, middle, second;
};
Lines fit_lines(std::span<const double> x, std::span<const double> y) {
  const std::size_t middle = x.size() / 2, quarter = x.size() / 4;
  return {fit_line(x, y), fit_line(x.first(middle + 1), y.first(middle + 1)),
          fit_line(x.subspan(quarter, middle + 1), y.subspan(quarter, middle + 1)),
          fit_line(x.subspan(middle), y.subspan(middle))};
}

template <class Parameter>
ParameterByParts by_parts(const Lines& lines, const Parameter& parameter) {
  return {parameter(lines.whole), parameter(lines.first), parameter(lines.middle), parameter(lines.second)};
}

// f(quantity) for a monotone f, its interval mapped along.
template <class Quantity, class Function>
Estimate estimate(const Lines& lines, const Quantity& quantity, const Function& f) {
  const Estimate plain = quantity(lines.whole);
  const double a = f(plain.low), b = f(plain.high);
  return covering_halves({f(plain.value), std::fmin(a, b), std::fmax(a, b)}, f(quantity(lines.first).value),
                         f(quantity(lines.second).value));
}

Estimate slope_of(const Line& line) {
  return line.slope;
}
Estimate intercept_of(const Line& line) {
  return line.intercept;
}
Estimate root_of(const Line& line) {
  return line.root;
}

// p of a slope -1/p; a slope that may vanish leaves p unbounded.
double exponent_of(double slope) {
  return slope < 0.0 ? -1.0 / slope : infinity;
}

} // namespace

Verdict<ExponentialFit> fit_exponential(const Decay& decay, const FitOptions& options) {
  if (const auto refusal = refuse_window(decay, options))
    return *refusal;
  const Lines lines = fit_lines(decay.times, decay.log_values);
  if (const auto refusal =
          refuse_drift(decay, options, "rate", by_parts(lines, [](const Line& line) { return -line.slope.value; })))
    return *refusal;
  return ExponentialFit{estimate(lines, slope_of, [](double v) { return -v; }),
                        estimate(lines, intercept_of, [](double v) { return v; }), lines.whole.residual};
}

Verdict<ExponentialFit> fit_stretched(const Decay& decay, const FitOptions& options) {
  if (const auto refusal = refuse_window(decay, options))
    return *refusal; // in times, not in their roots
  auto verdict = fit_exponential(against_root_time(decay), options);
  if (auto* refusal = std::get_if<Refusal>(&verdict))
    refusal->text = "against sqrt(1+t): " + refusal->text;
  return verdict;
}

Verdict<PowerFit> fit_power(const Decay& decay, const FitOptions& options) {
  if (const auto refusal = refuse_window(decay, options))
    return *refusal;
  if (const auto refusal = refuse_stretch(decay, options))
    return *refusal;
  const Lines lines = fit_lines(decay.times, inverse_slopes(decay));
  const auto exponent = [](const Line& line) { return -1.0 / line.slope.value; };
  if (const auto refusal = refuse_drift(decay, options, "exponent", by_parts(lines, exponent)))
    return *refusal;
  PowerFit fit{estimate(lines, slope_of, exponent_of), estimate(lines, root_of, [](double v) { return -v; }), {}, 0.0};
  if (decay.log_derivatives.empty()) {
    const Line coarser = fit_line(decay.times, inverse_slopes(decay, 3));
    fit.exponent = covering_coarser(fit.exponent, exponent(coarser));
    fit.shift = covering_coarser(fit.shift, -coarser.root.value);
  }
  const auto at = [&](const Line& line, const Decay& part) {
    return power_level(part, exponent(line), -line.root.value);
  };
  const PowerLevel whole = at(lines.whole, decay);
  const double log_amplitude = whole.log_amplitude;
  fit.log_amplitude = covering_halves({log_amplitude, log_amplitude, log_amplitude},
                                      at(lines.first, slice(decay, 0, decay.size() / 2 + 1)).log_amplitude,
                                      at(lines.second, slice(decay, decay.size() / 2, decay.size())).log_amplitude);
  fit.residual = whole.residual;
  return fit;
}

Verdict<PowerLineFit> fit_power_line(const Decay& decay, double exponent, const FitOptions& options) {
  if (const auto refusal = refuse_window(decay, options))
    return *refusal;
  if (const auto refusal = refuse_stretch(decay, options))
    return *refusal;
  // (u/u_0)^{-1/p}, since u^{-1/p} may overflow
  const double log_start = decay.log_values.front();
  std::vector<double> roots;
  for (const double log_value : decay.log_values)
    roots.push_back(std::exp((log_start - log_value) / exponent));
  const Lines lines = fit_lines(decay.times, roots);
  const auto scale = [&](double slope) { return slope > 0.0 ? std::exp(log_start / exponent) / slope : infinity; };
  const auto constant = [&](double slope) {
    return slope > 0.0 ? exponent * std::exp(log_start - exponent * std::log(slope)) : infinity;
  };
  PowerLineFit fit{exponent, estimate(lines, slope_of, scale), estimate(lines, root_of, [](double v) { return -v; }),
                   estimate(lines, slope_of, constant), 0.0};
  if (const auto refusal = refuse_drift(decay, options, "scale R",
                                        by_parts(lines, [&](const Line& line) { return scale(line.slope.value); })))
    return *refusal;
  fit.residual = power_level(decay, exponent, fit.shift.value).residual;
  return fit;
}

} // namespace normdyn::analysis
