#include "normdyn/core/error.hpp"
#include "observables/frames.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <numbers>

using frames::frame_of;
using frames::measured;
using frames::Tokens;
using normdyn::observables::make_observables;

BOOST_AUTO_TEST_SUITE(observables)

BOOST_AUTO_TEST_CASE(per_token_values_are_summed_up) {
  const Tokens tokens = frames::basis(3, 3);
  const std::vector<double> radius = {2.0, 0.5, 3.5}, rate = {-1.0, 0.25, 0.0}, speed = {0.1, 0.4, 0.1},
                            log_partition = {3.0, 1.0, 2.0, 0.5, 7.0, 1.0}, entropy = {0.0, 1.0, 0.5};
  auto frame = frame_of(tokens, 3);
  frame.radius = radius;
  frame.radial_rate = rate;
  frame.token_speed = speed;
  frame.log_partition = log_partition;
  frame.entropy = entropy;
  frame.clock = 4.25;
  const auto expect = [&](const char* name, const std::vector<double>& values) {
    BOOST_TEST_CONTEXT(name)
    BOOST_TEST(measured(name, frame) == values, boost::test_tools::per_element());
  };
  expect("radius_range", {0.5, 3.5});
  expect("radius_max", {3.5});
  expect("mean_radius", {2.0});
  expect("radial_rate_range", {-1.0, 0.25});
  expect("token_speed", {0.6 / 3.0, 0.4});
  expect("log_partition_range", {0.5, 7.0});
  expect("attention_entropy", {0.5});
  expect("clock", {4.25});
}

BOOST_AUTO_TEST_CASE(motion_is_asked_for_only_where_it_is_needed) {
  for (const auto& [name, needs] : {std::pair{"token_speed", true},
                                    {"radial_rate_min", true},
                                    {"attention_entropy", true},
                                    {"log_partition_range", true},
                                    {"mean_cosine", false},
                                    {"radius_range", false}}) {
    auto output = frames::output();
    const auto made = make_observables({name}, output, {.n_tokens = 3, .dim = 3, .has_radius = true}, false);
    BOOST_TEST(made.front()->needs_motion() == needs, name);
  }
}

BOOST_AUTO_TEST_CASE(missing_values_are_undefined_and_nan_is_not_skipped) {
  const Tokens tokens = frames::basis(2, 2);
  auto frame = frame_of(tokens, 2);
  BOOST_TEST(std::isnan(measured("token_speed_max", frame)[0]));
  for (const std::size_t where : {0U, 1U}) {
    std::vector<double> speed = {1.0, 1.0};
    speed[where] = std::numeric_limits<double>::quiet_NaN();
    frame.token_speed = speed;
    BOOST_TEST(std::isnan(measured("token_speed_max", frame)[0]));
    BOOST_TEST(std::isnan(measured("token_speed_mean", frame)[0]));
  }
}

BOOST_AUTO_TEST_CASE(pair_statistics_of_tokens_that_are_not_finite_are_undefined) {
  Tokens tokens = frames::basis(3, 3);
  tokens[4] = std::numeric_limits<double>::quiet_NaN();
  for (const char* name :
       {"mean_cosine", "min_cosine", "max_cosine", "max_angle", "variance", "energy", "effective_rank",
        "participation_ratio", "close_pair_fraction", "norm_error", "order_parameter"})
    BOOST_TEST(std::isnan(measured(name, frame_of(tokens, 3))[0]), name);
  BOOST_TEST(measured("n_clusters", frame_of(tokens, 3))[0] == -1.0);
}

BOOST_AUTO_TEST_CASE(what_a_study_without_radii_cannot_have_is_skipped_or_refused) {
  const normdyn::observables::ObservableContext context = {.n_tokens = 3, .dim = 3, .has_radius = false};
  auto output = frames::output();
  BOOST_TEST(
      make_observables({"radius_range", "mean_radius", "radial_rate_max", "clock"}, output, context, true).size() ==
      1U);
  for (const char* name : {"radius_range", "radius_min", "mean_radius", "radial_rate_range"})
    BOOST_CHECK_EXCEPTION((void)make_observables({name}, output, context, false), normdyn::core::InputError,
                          [&](const normdyn::core::InputError& error) {
                            const std::string text = error.what();
                            return text.find(std::string("'") + name + "'") != std::string::npos &&
                                   text.find("carries no radius") != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(angle_moved_is_the_mean_angle_to_the_start) {
  const Tokens start = frames::on_circle({0.0, 1.0, 2.0});
  const Tokens now = frames::on_circle({1e-11, 1.0, 2.0 + std::numbers::pi});
  auto frame = frame_of(now, 2);
  frame.initial_theta = start;
  BOOST_TEST(std::abs(measured("angle_moved", frame)[0] - std::numbers::pi / 3.0) < 1e-11);
  const Tokens little = frames::on_circle({1e-11, 1.0, 2.0});
  frame.theta = little;
  BOOST_TEST(std::abs(measured("angle_moved", frame)[0] - 1e-11 / 3.0) < 1e-25);
}

BOOST_AUTO_TEST_CASE(norm_error_is_the_largest_distance_from_the_sphere) {
  const Tokens tokens = {1.0, 0.0, 0.0, 0.75};
  BOOST_TEST(measured("norm_error", frame_of(tokens, 2))[0] == 0.25);
  const Tokens many = frames::uniform(100, 30, 2);
  BOOST_TEST(measured("norm_error", frame_of(many, 30))[0] <= 4e-16);
}

BOOST_AUTO_TEST_SUITE_END()
