#include "normdyn/core/error.hpp"
#include "observables/frames.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using normdyn::core::InputError;
using normdyn::core::Value;
using normdyn::observables::make_observables;
using normdyn::observables::observable_names;

namespace {

constexpr normdyn::observables::ObservableContext context = {.n_tokens = 4, .dim = 3, .has_radius = true};

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(observables)

BOOST_AUTO_TEST_CASE(every_name_makes_an_observable_that_fills_its_values) {
  const auto names = observable_names();
  BOOST_TEST(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  for (const std::string& name : names) {
    auto output = frames::output();
    const auto made = make_observables({name}, output, context, false);
    BOOST_TEST_REQUIRE(made.size() == 1U);
    for (const auto& variable : made.front()->variables()) {
      BOOST_TEST(!variable.long_name.empty());
      BOOST_TEST(std::count(names.begin(), names.end(), variable.name) == 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_single_variable_is_measured_alone) {
  auto output = frames::output();
  const auto made = make_observables({"max_cosine"}, output, context, false);
  BOOST_TEST_REQUIRE(made.front()->variables().size() == 1U);
  BOOST_TEST(made.front()->variables().front().name == "max_cosine");
}

BOOST_AUTO_TEST_CASE(names_of_one_observable_are_measured_together_and_once) {
  auto output = frames::output();
  const auto made =
      make_observables({"max_cosine", "clock", "min_cosine", "clock", "cosine_range"}, output, context, false);
  BOOST_TEST_REQUIRE(made.size() == 2U);
  BOOST_TEST(made[0]->variables().size() == 2U);
  BOOST_TEST(made[1]->variables().front().name == "clock");
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_refused_with_the_nearest) {
  auto output = frames::output();
  const std::string text = refusal([&] { (void)make_observables({"mean_cosin"}, output, context, true); });
  BOOST_TEST(text.find("mean_cosin") != std::string::npos);
  BOOST_TEST(text.find("'mean_cosine'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(parameters_are_read_only_by_what_is_recorded) {
  const Value::Table table = {{"cluster_angle", Value("5 deg")}};
  auto used = frames::output(table);
  (void)make_observables({"n_clusters"}, used, context, false);
  BOOST_CHECK_NO_THROW(used.refuse_unread());

  auto unused = frames::output(table);
  (void)make_observables({"clock"}, unused, context, false);
  const std::string text = refusal([&] { unused.refuse_unread(); });
  BOOST_TEST(text.find("is used by n_clusters and largest_cluster, which are not recorded") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
