#include "normdyn/integrate/save_schedule.hpp"

#include "normdyn/core/error.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace normdyn;
using namespace normdyn::integrate;
using core::Value;

namespace {

SaveSchedule read(Value states, core::Interval span = {0.0, 1.0}, double layer_step = 0.0) {
  Value root;
  root.set("states", std::move(states));
  core::Settings output(root, "study.toml");
  const SaveSchedule schedule = read_save_schedule(output, "states", span, layer_step, "ends");
  output.refuse_unread();
  return schedule;
}

Value table(Value::Table entries) {
  return Value(std::move(entries));
}

/// The text of the refusal, which must come.
std::string refusal(const Value& states, core::Interval span = {0.0, 1.0}, double layer_step = 0.0) {
  try {
    (void)read(states, span, layer_step);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

// F04
BOOST_AUTO_TEST_CASE(grids_by_steps_are_products_and_end_exactly) {
  const std::vector<double> tenths = step_grid(0.0, 1.0, 0.1);
  BOOST_REQUIRE(tenths.size() == 11u);
  for (std::size_t k = 0; k < 10; ++k)
    BOOST_TEST(tenths[k] == static_cast<double>(k) * 0.1);
  BOOST_TEST(tenths.back() == 1.0);
  BOOST_TEST((step_grid(0.0, 15.0, 4.0) == std::vector<double>{0.0, 4.0, 8.0, 12.0, 15.0}));
  const std::vector<double> short_grid = step_grid(0.0, 5.99e-7, 1e-7);
  BOOST_TEST(short_grid.size() == 7u);
  BOOST_TEST(short_grid.back() == 5.99e-7);
  const std::vector<double> thirds = step_grid(0.0, 1.0, 0.3);
  BOOST_TEST((thirds == std::vector<double>{0.0, 0.3, 0.6, 3.0 * 0.3, 1.0}));
  BOOST_TEST((step_grid(0.0, 1.0, 7.0) == std::vector<double>{0.0, 1.0}));
  BOOST_TEST((step_grid(2.0, 2.0, 0.1) == std::vector<double>{2.0}));
}

BOOST_AUTO_TEST_CASE(linear_and_log_grids_hold_both_ends) {
  for (const std::int64_t count : {2, 3, 101, 1000}) {
    for (const auto& grid : {linear_grid(0.1, 0.7, count), log_grid(0.1, 0.7, count)}) {
      BOOST_TEST(grid.size() == static_cast<std::size_t>(count));
      BOOST_TEST(grid.front() == 0.1);
      BOOST_TEST(grid.back() == 0.7);
      BOOST_TEST(std::is_sorted(grid.begin(), grid.end()));
      BOOST_TEST((std::adjacent_find(grid.begin(), grid.end()) == grid.end()));
    }
  }
  const std::vector<double> decades = log_grid(0.01, 100.0, 5);
  for (std::size_t k = 0; k < 5; ++k)
    BOOST_TEST(std::abs(decades[k] / std::pow(10.0, static_cast<double>(k) - 2.0) - 1.0) < 1e-14);
}

BOOST_AUTO_TEST_CASE(every_documented_form_is_read) {
  BOOST_TEST(
      (read(table({{"spacing", "linear"}, {"count", std::int64_t{3}}})).times() == std::vector<double>{0.0, 0.5, 1.0}));
  BOOST_TEST(read(table({{"spacing", "linear"}, {"every", 0.1}})).times().size() == 11u);
  const SaveSchedule logarithmic =
      read(table({{"spacing", "log"}, {"from", 0.01}, {"count", std::int64_t{61}}}), {0.0, 30.0});
  BOOST_TEST(logarithmic.times().size() == 62u);
  BOOST_TEST(logarithmic.times()[0] == 0.0);
  BOOST_TEST(logarithmic.times()[1] == 0.01);
  BOOST_TEST(logarithmic.times().back() == 30.0);
  BOOST_TEST((read(Value::Array{0.0, 0.25, 1.0}).times() == std::vector<double>{0.0, 0.25, 1.0}));
  BOOST_TEST(read("every step").every_steps() == 1);
  BOOST_TEST(read("every 10 steps").every_steps() == 10);
  BOOST_TEST(read("every layer", {0.0, 4.0}, 1.0).every_steps() == 1);
  BOOST_TEST(read("every 2 layers", {0.0, 4.0}, 1.0).every_steps() == 2);
  BOOST_TEST((read("ends") == SaveSchedule{}));
  BOOST_TEST(read("none").is_none());
  BOOST_TEST((read(table({{"spacing", "linear"}, {"every", 0.2}}), {0.0, 1.0}, 0.1).times().size() == 6u));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_saved_is_refused_with_the_value) {
  BOOST_TEST(says(refusal("every setp"), "'every setp'"));
  BOOST_TEST(says(refusal("every 0 steps"), "'every 0 steps'"));
  BOOST_TEST(says(refusal("every layer"), "layers"));
  BOOST_TEST(says(refusal(table({{"spacing", "linaer"}, {"count", std::int64_t{3}}})), "linear"));
  BOOST_TEST(says(refusal(table({{"spacing", "log"}, {"count", std::int64_t{3}}})), "from"));
  BOOST_TEST(says(refusal(table({{"spacing", "log"}, {"from", 0.0}, {"count", std::int64_t{3}}})), "from"));
  BOOST_TEST(says(refusal(table({{"count", std::int64_t{3}}, {"every", 0.1}})), "count"));
  BOOST_TEST(says(refusal(table({{"every", 1e-300}})), "1e-300"));
  BOOST_TEST(says(refusal(table({{"every", -0.1}})), "-0.1"));
  BOOST_TEST(says(refusal(table({{"to", 2.0}, {"count", std::int64_t{3}}})), "2"));
  BOOST_TEST(says(refusal(Value::Array{0.0, 0.5, 0.5}), "0.5"));
  BOOST_TEST(says(refusal(Value::Array{0.5, 1.5}), "1.5"));
  BOOST_TEST(says(refusal(Value::Array{}), "empty"));
  BOOST_TEST(says(refusal(Value(true)), "true"));
  BOOST_TEST(says(refusal(Value::Array{0.0, 0.55}, {0.0, 1.0}, 0.1), "0.55"));
}

BOOST_AUTO_TEST_SUITE_END()
