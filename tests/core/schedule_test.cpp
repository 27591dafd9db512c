#include "normdyn/core/schedule.hpp"

#include "normdyn/core/error.hpp"
#include "support/checks.hpp"

using namespace normdyn::core;
using normdyn::testing::close;
using normdyn::testing::refuses;

namespace {

Schedule read(Value value, const NumberRule& rule = {}, double begin = 0.0) {
  Value root;
  root.set("alpha", std::move(value));
  Settings settings(root, "study.toml");
  settings.define("d", 4.0);
  return read_schedule(settings, "alpha", rule, begin);
}

Value table(std::vector<double> times, std::vector<double> values) {
  Value result;
  result.set("times", Value(Value::Array(times.begin(), times.end())));
  result.set("values", Value(Value::Array(values.begin(), values.end())));
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(core)

BOOST_AUTO_TEST_CASE(a_schedule_is_a_number_a_formula_or_a_power_law) {
  BOOST_TEST(read(Value(2.5))(10.0) == 2.5);
  BOOST_TEST(read(Value(std::int64_t{3}))(0.0) == 3.0);
  BOOST_TEST(read(Value("sqrt(d)/(1+t)"))(3.0) == 0.5);
  Value power;
  power.set("scale", Value(2.0));
  power.set("exponent", Value(-0.5));
  BOOST_TEST(read(power)(3.0) == 1.0);
}

BOOST_AUTO_TEST_CASE(a_formula_without_t_is_a_constant) {
  BOOST_TEST(read(Value("2*d")).is_constant());
  BOOST_TEST(!read(Value("2*t")).is_constant());
}

BOOST_AUTO_TEST_CASE(a_table_jumps_at_its_breakpoints_and_on_picks_the_piece_by_its_midpoint) {
  const Schedule schedule = read(table({0.0, 50.0, 50.1}, {0.0, 10.0, 0.0}));
  BOOST_TEST(schedule.breakpoints() == (std::vector<double>{50.0, 50.1}), boost::test_tools::per_element());
  const Schedule pulse = schedule.on({50.0, 50.1});
  BOOST_TEST(pulse(50.0) == 10.0);
  BOOST_TEST(pulse(50.1) == 10.0);
  BOOST_TEST(schedule.on({0.0, 50.0})(50.0) == 0.0);
  BOOST_TEST(schedule(49.0) == 0.0);
  BOOST_TEST(schedule(50.05) == 10.0);
}

BOOST_AUTO_TEST_CASE(wrong_tables_and_formulas_are_refused) {
  BOOST_TEST(refuses<InputError>([] { (void)read(table({0.0, 0.0}, {1.0, 2.0})); }, "alpha", "times must increase"));
  BOOST_TEST(refuses<InputError>([] { (void)read(table({0.0}, {1.0, 2.0})); }, "1 times and 2 values"));
  BOOST_TEST(refuses<InputError>([] { (void)read(table({1.0}, {1.0})); }, "begins at 1 and the run at 0"));
  BOOST_TEST(refuses<InputError>([] { (void)read(Value("1/(1+u)")); }, "unknown name 'u'", "     ^"));
  BOOST_TEST(refuses<InputError>([] { (void)read(Value("1/(1+t")); }, "alpha", "^"));
  BOOST_TEST(refuses<InputError>([] { (void)read(Value("t = 3")); }, "may not assign"));
  BOOST_TEST(refuses<InputError>([] { (void)read(Value(-1.0), {.at_least = 0.0}); }, "-1"));
  BOOST_TEST(refuses<InputError>([] { (void)read(Value("t-1"), {.at_least = 0.0}); }, "'t-1' at t = 0", "at least 0"));
}

BOOST_AUTO_TEST_CASE(pieces_cover_the_span_between_inner_breakpoints) {
  const std::vector<Interval> parts = pieces({0.0, 3.0}, {2.0, 0.0, 1.0, 2.0, 3.0, 7.0});
  BOOST_REQUIRE(parts.size() == 3);
  BOOST_TEST(parts[0].end == 1.0);
  BOOST_TEST(parts[1].begin == 1.0);
  BOOST_TEST(parts[2].end == 3.0);
  BOOST_TEST(pieces({1.0, 1.0}, {1.0}).size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
