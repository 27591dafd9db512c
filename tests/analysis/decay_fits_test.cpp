#include "normdyn/analysis/decay_fits.hpp"

#include "analysis/decays.hpp"
#include "normdyn/core/random.hpp"
#include "support/checks.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::analysis;

namespace {

template <class Fit>
Fit fitted(const Verdict<Fit>& verdict) {
  if (const auto* refusal = std::get_if<Refusal>(&verdict))
    BOOST_FAIL("refused: " << refusal->text);
  return std::get<Fit>(verdict);
}

// The reason matches and the text says every part.
template <class Fit, class... Parts>
boost::test_tools::predicate_result is_refused(const Verdict<Fit>& verdict, Refusal::Reason reason,
                                               const Parts&... parts) {
  boost::test_tools::predicate_result result(true);
  const auto* refusal = std::get_if<Refusal>(&verdict);
  if (refusal == nullptr) {
    result = false;
    result.message() << "a fit was given";
    return result;
  }
  bool says_all = refusal->reason == reason;
  for (const std::string& part : std::vector<std::string>{parts...})
    says_all = says_all && refusal->text.find(part) != std::string::npos;
  result = says_all;
  result.message() << refusal->text;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(analysis)

BOOST_AUTO_TEST_CASE(exact_laws_are_recovered_to_rounding) {
  const auto times = log_spaced(1.0, 30.0, 30);
  const auto exponential = fitted(fit_exponential(decay_by(times, [](double t) { return 1.5 - 2.0 * t; })));
  BOOST_TEST(close(exponential.rate.value, 2.0, 1e-14));
  BOOST_TEST(close(exponential.log_amplitude.value, 1.5, 1e-13));
  BOOST_TEST(exponential.rate.half_width() < 1e-12);

  const auto stretched =
      fitted(fit_stretched(decay_by(times, [](double t) { return 1.5 - 4.0 * std::sqrt(1.0 + t); })));
  BOOST_TEST(close(stretched.rate.value, 4.0, 1e-14));

  const auto log_u = [](double t) { return 1.5 - 3.0 * std::log(t + 7.0); };
  const auto power = fitted(fit_power(decay_by(times, log_u, [](double t) { return -3.0 / (t + 7.0); })));
  BOOST_TEST(close(power.exponent.value, 3.0, 1e-13));
  BOOST_TEST(close(power.shift.value, 7.0, 1e-12));
  BOOST_TEST(close(power.log_amplitude.value, 1.5, 1e-12));

  // u = (R/(t + D))^3 with R^3 = e^{1.5}, hence C = 3 e^{1.5}
  const auto line = fitted(fit_power_line(decay_by(times, log_u), 3.0));
  BOOST_TEST(close(line.scale.value, std::exp(0.5), 1e-13));
  BOOST_TEST(close(line.shift.value, 7.0, 1e-12));
  BOOST_TEST(close(line.constant.value, 3.0 * std::exp(1.5), 1e-13));
  BOOST_TEST(line.residual < 1e-13);
}

// A negative shift, as Pre-LN has after a plateau: raw log-log slopes would be 20 % off here.
BOOST_AUTO_TEST_CASE(a_power_law_is_found_by_differences_whatever_its_shift) {
  for (const double shift : {-6.66, 0.0, 50.0}) {
    const auto power = fitted(
        fit_power(decay_by(log_spaced(20.0, 100.0, 41), [&](double t) { return 2.0 - 2.0 * std::log(t + shift); })));
    BOOST_TEST(close(power.exponent.value, 2.0, 1e-4));
    BOOST_TEST(close(power.shift.value, shift, 2e-3));
  }
}

BOOST_AUTO_TEST_CASE(intervals_cover_the_limit_that_the_data_approach) {
  // Post-LN: u = K e^{-2t} (1 - c u), c = (n - 1 + beta)/n
  const auto approach = [](double t) { return std::log(0.2) - 2.0 * t + std::log1p(-0.2 * std::exp(-2.0 * t)); };
  const auto early = fitted(fit_exponential(decay_by(evenly_spaced(0.0, 3.0, 31), approach)));
  BOOST_TEST(early.rate.covers(2.0));
  BOOST_TEST(early.rate.half_width() < 0.2);
  const auto late = fitted(fit_exponential(decay_by(evenly_spaced(3.0, 6.0, 31), approach)));
  BOOST_TEST(late.rate.covers(2.0));
  BOOST_TEST(late.rate.half_width() < 1e-3);

  // a power law with a correction of relative size u
  const auto corrected = [](double t) { return -2.0 * std::log(t + 4.0) + std::log1p(3.0 / ((t + 4.0) * (t + 4.0))); };
  const Decay decay = decay_by(log_spaced(5.0, 50.0, 41), corrected);
  BOOST_TEST(fitted(fit_power(decay)).exponent.covers(2.0));
  const auto line = fitted(fit_power_line(decay));
  BOOST_TEST(line.constant.covers(2.0));
  BOOST_TEST(line.shift.covers(4.0));
  BOOST_TEST(line.constant.half_width() < 0.1);
}

BOOST_AUTO_TEST_CASE(intervals_cover_the_rate_of_noisy_data) {
  core::RandomStream random(3, core::Purpose::token_direction, 0, 0);
  int covered = 0;
  constexpr int n_draws = 400;
  for (int draw = 0; draw < n_draws; ++draw) {
    const Decay decay =
        decay_by(evenly_spaced(0.0, 5.0, 21), [&](double t) { return -2.0 * t + 0.05 * random.normal(); });
    covered += fitted(fit_exponential(decay)).rate.covers(2.0) ? 1 : 0;
  }
  BOOST_TEST(covered >= 0.95 * n_draws - 17.4); // at least 95 %, less 4 sigma
}

BOOST_AUTO_TEST_CASE(the_clock_is_the_readers_choice) {
  // nGPT with alpha = 1/(1+t): exponential against log(1+t), a power law against t
  const Decay decay = decay_by(log_spaced(1.0, 100.0, 40), [](double t) { return 0.7 - 2.0 * std::log1p(t); });
  std::vector<double> clock;
  for (const double t : decay.times)
    clock.push_back(std::log1p(t));
  BOOST_TEST(close(fitted(fit_exponential(against(decay, clock))).rate.value, 2.0, 1e-13));
  BOOST_TEST(
      is_refused(fit_exponential(decay), Refusal::Reason::not_this_law, "not settled", "the rate is", "another law"));
}

BOOST_AUTO_TEST_CASE(windows_that_are_too_short_are_refused_with_numbers) {
  const auto log_u = [](double t) { return -2.0 * std::log(t); };
  BOOST_TEST(is_refused(fit_exponential(decay_by(evenly_spaced(1.0, 9.0, 7), log_u)), Refusal::Reason::too_short,
                        "7 samples in [1, 9]", "needs 8", "save more often"));
  BOOST_TEST(is_refused(fit_exponential({}), Refusal::Reason::too_short, "0 samples,"));
  // a factor e^{0.5} at the rate 0.5: needs another unit of time
  BOOST_TEST(is_refused(fit_exponential(decay_by(evenly_spaced(0.0, 1.0, 9), [](double t) { return -0.5 * t; })),
                        Refusal::Reason::too_short, "falls by the factor 1.65 in [0, 1]", "needs 2.72", "reach 2"));
  BOOST_TEST(is_refused(fit_power(decay_by(log_spaced(10.0, 20.0, 20), log_u)), Refusal::Reason::too_short,
                        "its end is 2 times its begin in [10, 20]", "needs 2.2", "run on to 22"));
  BOOST_TEST(is_refused(fit_power_line(decay_by(log_spaced(10.0, 20.0, 20), log_u)), Refusal::Reason::too_short));
}

BOOST_AUTO_TEST_CASE(plateaus_are_refused) {
  const auto flat = [](double) { return -0.1; };
  BOOST_TEST(is_refused(fit_exponential(decay_by(evenly_spaced(0.0, 10.0, 20), flat)), Refusal::Reason::plateau,
                        "on a plateau", "from 0.905 to 0.905 in [0, 10]", "run on"));
  // leaving it: u = 1/(1 + e^{2(t-5)})
  const auto leaving = [](double t) { return -std::log1p(std::exp(2.0 * (t - 5.0))); };
  const Decay decay = decay_by(evenly_spaced(2.0, 7.0, 40), leaving);
  BOOST_TEST(is_refused(fit_exponential(decay), Refusal::Reason::plateau, "the rate grows"));
  BOOST_TEST(is_refused(fit_power(decay), Refusal::Reason::plateau, "the exponent is", "the rate grows"));
  BOOST_TEST(is_refused(fit_power_line(decay), Refusal::Reason::plateau, "the scale R is"));
  BOOST_TEST(is_refused(fit_stretched(decay), Refusal::Reason::plateau, "against sqrt(1+t)"));
  BOOST_TEST(fitted(fit_exponential(decay_by(evenly_spaced(7.0, 12.0, 40), leaving))).rate.covers(2.0));
  // a rate that rises and falls again: its mean is the same in both halves
  const auto hump = [](double t) { return -t - 2.0 * std::tanh(t - 5.0); };
  BOOST_TEST(is_refused(fit_exponential(decay_by(evenly_spaced(2.0, 8.0, 40), hump)), Refusal::Reason::plateau,
                        "in its middle"));
  // growth is no decay
  BOOST_TEST(is_refused(fit_exponential(decay_by(evenly_spaced(0.0, 10.0, 20), [](double t) { return t; })),
                        Refusal::Reason::plateau));
}

BOOST_AUTO_TEST_CASE(values_below_rounding_are_refused_unless_the_decay_has_no_floor) {
  Decay decay = decay_by(evenly_spaced(30.0, 40.0, 21), [](double t) { return -2.0 * t; });
  // e^{-2 t} = 1e-28 at t = 32.24
  BOOST_TEST(is_refused(fit_exponential(decay), Refusal::Reason::below_rounding, "below rounding", "at 32.5",
                        "digits down to 1e-28", "end the window at 32 "));
  BOOST_TEST(is_refused(fit_exponential(window(decay, 35.0, 40.0)), Refusal::Reason::below_rounding,
                        "take an earlier window"));
  decay.floor = 0.0;
  BOOST_TEST(close(fitted(fit_exponential(decay)).rate.value, 2.0, 1e-13));
  decay.log_values.back() = -std::numeric_limits<double>::infinity(); // u = 0 has no logarithm, floor or not
  BOOST_TEST(
      is_refused(fit_exponential(decay), Refusal::Reason::below_rounding, "u = 0 at 40", "end the window at 39.5"));
}

// Steps of a decay that end in a plateau, as under nGPT with an integrable alpha.
BOOST_AUTO_TEST_CASE(a_decay_that_stops_is_no_law) {
  const auto stops = [](double t) { return -3.0 * (1.0 - std::exp(-t)); };
  BOOST_TEST(is_refused(fit_exponential(decay_by(evenly_spaced(0.0, 10.0, 40), stops)), Refusal::Reason::not_this_law));
  BOOST_TEST(is_refused(fit_power(decay_by(log_spaced(0.5, 10.0, 40), stops)), Refusal::Reason::not_this_law));
  BOOST_TEST(
      is_refused(fit_exponential(decay_by(evenly_spaced(8.0, 10.0, 40), stops)), Refusal::Reason::plateau, "hardly"));
}

BOOST_AUTO_TEST_SUITE_END()
