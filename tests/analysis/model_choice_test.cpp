#include "normdyn/analysis/model_choice.hpp"

#include "analysis/decays.hpp"
#include "normdyn/core/random.hpp"
#include "support/checks.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn;
using namespace normdyn::testing;
using namespace normdyn::analysis;

namespace {

ModelChoice chosen(const Decay& decay) {
  const auto verdict = choose_model(decay);
  if (const auto* refusal = std::get_if<Refusal>(&verdict))
    BOOST_FAIL("refused: " << refusal->text);
  return std::get<ModelChoice>(verdict);
}
Refusal refused(const Decay& decay) {
  const auto verdict = choose_model(decay);
  BOOST_REQUIRE(std::holds_alternative<Refusal>(verdict));
  return std::get<Refusal>(verdict);
}
boost::test_tools::predicate_result says(const Refusal& refusal, const std::string& part) {
  boost::test_tools::predicate_result result(refusal.text.find(part) != std::string::npos);
  result.message() << refusal.text;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(analysis)

// With noise of a percent, and without.
BOOST_AUTO_TEST_CASE(each_law_is_told_from_the_others) {
  core::RandomStream random(5, core::Purpose::token_direction, 0, 0);
  for (const double noise : {0.0, 0.01})
    BOOST_TEST_CONTEXT("noise " << noise) {
      const auto times = log_spaced(1.0, 10.0, 41);
      const auto with_noise = [&](const std::function<double(double)>& law) {
        return decay_by(times, [&](double t) { return law(t) + noise * random.normal(); });
      };
      const ModelChoice exponential = chosen(with_noise([](double t) { return -2.0 * t; }));
      BOOST_TEST(model_name(exponential.model) == "exponential");
      BOOST_TEST(std::get<ExponentialFit>(exponential.fit).rate.covers(2.0));
      BOOST_TEST(exponential.curvature.covers(1.0));

      const ModelChoice stretched = chosen(with_noise([](double t) { return -4.0 * std::sqrt(1.0 + t); }));
      BOOST_TEST(model_name(stretched.model) == "stretched");
      BOOST_TEST(std::get<ExponentialFit>(stretched.fit).rate.covers(4.0));
    }
}

BOOST_AUTO_TEST_CASE(a_power_law_is_told_by_its_curvature_too) {
  for (const double exponent : {1.0, 2.0, 4.0}) {
    const ModelChoice choice =
        chosen(decay_by(log_spaced(5.0, 100.0, 41), [&](double t) { return -exponent * std::log(t + 3.0); }));
    BOOST_TEST(model_name(choice.model) == "power");
    BOOST_TEST(close(choice.curvature.value, 1.0 + 1.0 / exponent, 1e-3));
    BOOST_TEST(std::get<PowerFit>(choice.fit).exponent.covers(exponent));
    BOOST_TEST(choice.residual(Model::power) < 0.01 * choice.residual(Model::stretched));
    BOOST_TEST(choice.residual(Model::stretched) < choice.residual(Model::exponential));
  }
}

// u u''/u'^2 = 1 + 1/(k sqrt(1+t)) for u = e^{-k sqrt(1+t)}, by the exact derivative.
BOOST_AUTO_TEST_CASE(the_curvature_of_a_stretched_law_tends_to_one) {
  Decay decay = decay_by(
      log_spaced(100.0, 102.0, 41), [](double t) { return -40.0 * std::sqrt(1.0 + t); },
      [](double t) { return -20.0 / std::sqrt(1.0 + t); });
  decay.floor = 0.0;
  BOOST_TEST(close(chosen(decay).curvature.value, 1.0 + 1.0 / (40.0 * std::sqrt(102.0)), 1e-5));
}

BOOST_AUTO_TEST_CASE(plateaus_and_short_windows_are_refused) {
  const auto leaving = [](double t) { return -std::log1p(std::exp(2.0 * (t - 5.0))); };
  BOOST_TEST(says(refused(decay_by(evenly_spaced(2.0, 7.0, 40), leaving)), "still on the plateau"));
  BOOST_TEST(says(refused(decay_by(evenly_spaced(0.0, 3.0, 40), leaving)), "still on the plateau"));
  BOOST_TEST((refused(decay_by(evenly_spaced(7.0, 12.0, 7), leaving)).reason == Refusal::Reason::too_short));
}

BOOST_AUTO_TEST_CASE(noise_that_hides_the_difference_is_said) {
  core::RandomStream random(6, core::Purpose::token_direction, 0, 0);
  // over [100, 101] a stretched law is an exponential but for a thousandth
  Decay decay = decay_by(evenly_spaced(100.0, 101.0, 40),
                         [&](double t) { return -40.0 * std::sqrt(1.0 + t) + 0.02 * random.normal(); });
  decay.floor = 0.0;
  const Refusal refusal = refused(decay);
  BOOST_TEST(says(refusal, "too short to tell an exponential from a stretched law"));
  BOOST_TEST(says(refusal, "[100, 101]"));
}

// The first correction to each law: 1/t of a power, 1/sqrt(t) of a stretched law, a faster exponential.
BOOST_AUTO_TEST_CASE(each_law_is_told_while_it_is_approached) {
  for (const double correction : {-0.5, 0.0, 0.5}) {
    const auto power = [&](double t) { return -2.0 * std::log(t + 3.0) + correction * 3.0 / t; };
    const ModelChoice by_power = chosen(decay_by(log_spaced(10.0, 1000.0, 61), power));
    BOOST_TEST(model_name(by_power.model) == "power");
    BOOST_TEST(std::get<PowerFit>(by_power.fit).exponent.covers(2.0));
    const auto stretched = [&](double t) { return -4.0 * std::sqrt(1.0 + t) + correction / std::sqrt(1.0 + t); };
    BOOST_TEST(model_name(chosen(decay_by(log_spaced(3.0, 100.0, 61), stretched)).model) == "stretched");
    const auto exponential = [&](double t) { return -2.0 * t + correction * std::exp(-2.0 * t); };
    BOOST_TEST(model_name(chosen(decay_by(evenly_spaced(2.0, 12.0, 61), exponential)).model) == "exponential");
  }
}

// A power law seen with errors of 2 % over less than a decade is a stretched law as well, and the other way round.
BOOST_AUTO_TEST_CASE(two_laws_that_fit_equally_well_are_both_named) {
  core::RandomStream random(7, core::Purpose::token_direction, 0, 0);
  const auto times = log_spaced(10.0, 60.0, 61);
  const auto with_noise = [&](const std::function<double(double)>& law) {
    return decay_by(times, [&](double t) { return law(t) + 0.02 * random.normal(); });
  };
  for (const Decay& decay : {with_noise([](double t) { return -4.0 * std::log(t + 30.0); }),
                             with_noise([](double t) { return -0.5 * std::sqrt(1.0 + t); })}) {
    const Refusal refusal = refused(decay);
    BOOST_TEST((refusal.reason == Refusal::Reason::too_short));
    BOOST_TEST(says(refusal, "too short to tell a stretched from a power law"));
    BOOST_TEST(says(refusal, "[10, 60]"));
  }
}

BOOST_AUTO_TEST_CASE(the_nearest_law_is_named_where_it_has_not_settled) {
  const Refusal refusal =
      refused(decay_by(evenly_spaced(0.5, 10.0, 40), [](double t) { return -3.0 * (1.0 - std::exp(-t)); }));
  BOOST_TEST(says(refusal, "stretched is the nearest law; against sqrt(1+t): not settled"));
}

BOOST_AUTO_TEST_SUITE_END()
