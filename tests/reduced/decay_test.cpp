// The rates of analysis/ on the exact reduction: beta = 5, n = 256, r_0 = 1, from orthogonal tokens, where all terminal
// constants are known (constants.hpp).

#include "normdyn/reduced/decay.hpp"

#include "normdyn/analysis/local_exponent.hpp"
#include "normdyn/analysis/model_choice.hpp"
#include "normdyn/reduced/constants.hpp"
#include "normdyn/reduced/local_exponents.hpp"
#include "reduced/reference.hpp"

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::reduced;

namespace {

constexpr std::size_t n_tokens = 256;
constexpr double beta = 5.0, tau = 3.0;

EquiangularEquation equation_of(const std::string& scheme) {
  return {{.scheme = scheme_named(scheme, tau), .n_tokens = n_tokens, .beta = core::Schedule(beta)}, 1.0};
}

// 41 samples of equal ratio, as the table of the fits has.
analysis::Decay decay_in(const std::string& scheme, double begin, double end, bool with_rates = true) {
  const EquiangularEquation equation = equation_of(scheme);
  std::vector<double> times;
  for (int i = 0; i <= 40; ++i)
    times.push_back(begin * std::pow(end / begin, i / 40.0));
  return decay(equation, tabulate(equation, 0.0, 0.0, times).rows, with_rates);
}

template <class Fit>
Fit fitted(const analysis::Verdict<Fit>& verdict) {
  if (const auto* refusal = std::get_if<analysis::Refusal>(&verdict))
    BOOST_FAIL("refused: " << refusal->text);
  return std::get<Fit>(verdict);
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduced)

BOOST_AUTO_TEST_CASE(log_derivatives_are_those_of_the_decay) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt"})
    BOOST_TEST_CONTEXT(scheme) {
      // differences on a fine grid, by the fourth-order formula of the analysis
      const EquiangularEquation equation = equation_of(scheme);
      std::vector<double> times;
      for (int i = 0; i <= 20; ++i)
        times.push_back(3.5 + 0.01 * i);
      const auto rows = tabulate(equation, 0.1, 0.0, times).rows;
      const auto exact = decay(equation, rows), plain = decay(equation, rows, false);
      const auto rates = rates_at(equation, rows);
      const auto slopes = analysis::log_slopes(plain);
      analysis::Decay radius = plain, clock = plain;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        radius.log_values[i] = rows[i].radius;
        clock.log_values[i] = rows[i].clock;
      }
      const auto radius_slopes = analysis::log_slopes(radius), clock_slopes = analysis::log_slopes(clock);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        BOOST_TEST(close(exact.log_derivatives[i], slopes[i], 1e-7));
        BOOST_TEST(close(rates.radius[i], radius_slopes[i], 1e-7));
        BOOST_TEST(close(rates.clock[i], clock_slopes[i], 1e-7));
        BOOST_TEST(close(exact.log_values[i], std::log(rows[i].gap), 1e-13));
      }
    }
}

// At tau the rate is that of Post-LN, after it that of Pre-LN.
BOOST_AUTO_TEST_CASE(a_row_at_a_jump_has_the_rates_before_it) {
  const EquiangularEquation equation = equation_of("mix");
  const std::vector<double> times{tau, tau + 1e-9};
  const auto rates = rates_at(equation, tabulate(equation, 0.1, 0.0, times).rows);
  BOOST_TEST(rates.radius[1] > 0.1);
  const std::vector<double> until{1.0, tau};
  BOOST_TEST(rates_at(equation, tabulate(equation, 0.1, 0.0, until).rows).radius[1] == 0.0);
  const std::vector<double> alone{4.0};
  BOOST_TEST(rates_at(equation, tabulate(equation, 0.1, 0.0, alone).rows).radius[0] > 0.1);
}

BOOST_AUTO_TEST_CASE(local_exponents_meet_those_of_the_right_hand_side) {
  const Equiangular<double> family(n_tokens, beta);
  const EquiangularEquation equation = equation_of("pre");
  const std::vector<double> times{5.0, 20.0, 100.0};
  const auto rows = tabulate(equation, 0.0, 0.0, times).rows;
  const auto u = decay(equation, rows);
  const auto rates = rates_at(equation, rows);
  std::vector<double> clock, radius;
  for (const EquiangularRow& row : rows) {
    clock.push_back(row.clock);
    radius.push_back(row.radius);
  }
  const auto by_clock = analysis::local_rates(analysis::against(u, clock, rates.clock));
  const auto by_radius = analysis::exponents_by_radius(u, radius, rates.radius);
  const auto by_time = analysis::local_exponents(u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = rows[i].log_ratio;
    BOOST_TEST(close(by_clock[i], -2.0 * exponent_by_clock(family, y), 1e-12));
    BOOST_TEST(close(by_radius[i], -2.0 * exponent_by_log_radius(family, y), 1e-12));
    BOOST_TEST(close(by_time[i], -2.0 * exponent_by_log_time(family, y, rows[i].time, rows[i].radius, false), 1e-12));
  }
}

// What these windows gave in Python: the shift-free exponent by three-point differences (0.002 of it are their error),
// C and D from the line. The raw log-log slopes would be 2.349, 2.049, 2.031, 2.006 and 2.178.
BOOST_AUTO_TEST_CASE(power_laws_are_fitted_as_in_the_printed_table) {
  struct Row {
    const char* scheme;
    double begin, end, exponent, constant, constant_digits, shift, shift_digits;
  };
  const Row rows[] = {{"pre", 20, 100, 2.024, 16.867, 5e-4, -6.16, 5e-3},
                      {"pre", 100, 1000, 2.0025, 16.681, 5e-4, -6.60, 5e-3},
                      {"peri", 20, 100, 2.009, 16.746, 5e-4, -0.66, 5e-3},
                      {"peri", 100, 1000, 2.0024, 16.679, 5e-4, -0.837, 5e-4},
                      {"mix", 20, 100, 2.003, 2.0044, 5e-5, -3.39, 5e-3}};
  for (const Row& row : rows)
    BOOST_TEST_CONTEXT(row.scheme << " in [" << row.begin << ", " << row.end << "]") {
      const auto decay = decay_in(row.scheme, row.begin, row.end);
      const auto line = fitted(analysis::fit_power_line(decay));
      BOOST_TEST(std::abs(line.constant.value - row.constant) <= row.constant_digits);
      BOOST_TEST(std::abs(line.shift.value - row.shift) <= row.shift_digits);
      const auto power = fitted(analysis::fit_power(decay));
      BOOST_TEST(std::abs(power.exponent.value - row.exponent) <= 0.0025);
      const auto by_differences = fitted(analysis::fit_power(decay_in(row.scheme, row.begin, row.end, false)));
      BOOST_TEST(close(by_differences.exponent.value, power.exponent.value, 1e-4));
    }
}

BOOST_AUTO_TEST_CASE(intervals_cover_the_exact_constants) {
  const Equiangular<double> family(n_tokens, beta);
  const double y0 = family.log_ratio(0.0);
  const double radius_rate = std::exp(log_radius_rate(family, y0, 1.0)),
               mix_rate = std::exp(log_mix_rate(family, y0, 1.0, tau));
  for (const char* scheme : {"pre", "peri", "mix"})
    for (const auto& [begin, end] : {std::pair{20.0, 100.0}, std::pair{100.0, 1000.0}})
      BOOST_TEST_CONTEXT(scheme << " in [" << begin << ", " << end << "]") {
        const auto decay = decay_in(scheme, begin, end);
        const double rate = std::string(scheme) == "mix" ? mix_rate : radius_rate;
        const auto power = fitted(analysis::fit_power(decay));
        BOOST_TEST(power.exponent.covers(2.0));
        BOOST_TEST(power.exponent.half_width() < (begin > 50.0 ? 2e-3 : 0.08));
        const auto line = fitted(analysis::fit_power_line(decay));
        BOOST_TEST(line.constant.covers(rate));
        BOOST_TEST(line.constant.half_width() < (begin > 50.0 ? 0.001 : 0.04) * rate);
        if (std::string(scheme) != "mix")
          BOOST_TEST(line.shift.covers(time_shift(family, y0, std::string(scheme) == "peri").over_radius()));
      }
  const auto post = fitted(analysis::fit_exponential(decay_in("post", 5.0, 10.0)));
  BOOST_TEST(post.rate.covers(2.0));
  BOOST_TEST(post.log_amplitude.covers(log_exponential_constant(family, y0)));
  const auto ngpt = fitted(analysis::fit_exponential(decay_in("ngpt", 3.0, 8.0)));
  BOOST_TEST(ngpt.rate.covers(2.0));
  BOOST_TEST(ngpt.log_amplitude.covers(log_drift_constant(family, y0)));
  const auto slow = fitted(analysis::fit_stretched(decay_in("sqrt", 15.0, 60.0)));
  BOOST_TEST(slow.rate.covers(4.0));
  BOOST_TEST(slow.log_amplitude.covers(log_exponential_constant(family, y0) + 4.0));
}

BOOST_AUTO_TEST_CASE(each_scheme_is_given_its_law) {
  const auto model = [](const char* scheme, double begin, double end) {
    return std::string(analysis::model_name(fitted(analysis::choose_model(decay_in(scheme, begin, end))).model));
  };
  BOOST_TEST(model("post", 5.0, 15.0) == "exponential");
  BOOST_TEST(model("ngpt", 3.0, 15.0) == "exponential");
  BOOST_TEST(model("sqrt", 15.0, 60.0) == "stretched");
  BOOST_TEST(model("pre", 20.0, 100.0) == "power");
  BOOST_TEST(model("peri", 20.0, 100.0) == "power");
  BOOST_TEST(model("mix", 20.0, 100.0) == "power");
  // u u''/u'^2 = 1 + 1/p
  const auto curvature = fitted(analysis::choose_model(decay_in("pre", 100.0, 1000.0))).curvature;
  BOOST_TEST(curvature.covers(1.5));
  BOOST_TEST(curvature.half_width() < 1e-3);
}

// A fit through this window gives exponents like -12.
BOOST_AUTO_TEST_CASE(the_plateau_is_refused) {
  const auto decay = decay_in("pre", 5.0, 20.0);
  const auto power = analysis::fit_power(decay);
  BOOST_REQUIRE(std::holds_alternative<analysis::Refusal>(power));
  BOOST_TEST_INFO(std::get<analysis::Refusal>(power).text);
  BOOST_TEST((std::get<analysis::Refusal>(power).reason == analysis::Refusal::Reason::plateau));
  BOOST_TEST(std::get<analysis::Refusal>(power).text.find("still on the plateau") != std::string::npos);
  BOOST_TEST(std::holds_alternative<analysis::Refusal>(analysis::fit_power_line(decay)));
  BOOST_TEST(std::holds_alternative<analysis::Refusal>(analysis::choose_model(decay)));
  BOOST_TEST(std::holds_alternative<analysis::Refusal>(analysis::choose_model(decay_in("post", 1.0, 4.0))));
}

// y keeps u far below what positions resolve.
BOOST_AUTO_TEST_CASE(rates_are_read_where_the_gap_underflows) {
  const auto post = fitted(analysis::fit_exponential(decay_in("post", 100.0, 1000.0)));
  BOOST_TEST(close(post.rate.value, 2.0, 1e-12));
  const Equiangular<double> family(n_tokens, beta);
  BOOST_TEST(close(post.log_amplitude.value, log_exponential_constant(family, family.log_ratio(0.0)), 1e-11));
}

BOOST_AUTO_TEST_SUITE_END()
