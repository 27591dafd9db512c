#include "normdyn/core/settings.hpp"

#include "normdyn/core/error.hpp"
#include "support/checks.hpp"

#include <limits>
#include <numbers>

using namespace normdyn::core;
using normdyn::testing::close;
using normdyn::testing::refuses;

namespace {

Settings config() {
  Value root;
  root.set("seed", Value(std::int64_t{7}));
  root.set("solver.rtol", Value(1e-9));
  root.set("solver.method", Value("dopri5"));
  root.set("solver.deep.inner", Value(1.0));
  root.set("attention.beta", Value("sqrt(d)"));
  return Settings(root, "study.toml");
}

} // namespace

BOOST_AUTO_TEST_SUITE(core)

BOOST_AUTO_TEST_CASE(a_number_may_be_a_formula_in_known_variables) {
  Settings settings = config();
  settings.define("d", 64.0);
  BOOST_TEST(settings.section("attention").number("beta") == 8.0);
}

BOOST_AUTO_TEST_CASE(a_formula_with_an_unknown_variable_names_it_and_the_place) {
  Settings settings = config();
  settings.define("n", 64.0);
  BOOST_TEST(refuses<InputError>([&] { (void)settings.section("attention").number("beta"); }, "study.toml",
                                 "attention.beta", "'d'", "known here: n"));
}

BOOST_AUTO_TEST_CASE(an_unread_key_is_refused_at_any_depth_with_the_nearest_asked) {
  Settings settings = config();
  (void)settings.integer("seed");
  Settings solver = settings.section("solver");
  (void)solver.number("rtol", {.fallback = 1e-8});
  (void)solver.text("method");
  (void)solver.section("deep").number("innner", {.fallback = 0.0});
  (void)settings.section("attention").text("beta");
  BOOST_TEST(refuses<InputError>([&] { settings.refuse_unread(); }, "solver.deep.inner", "unknown key",
                                 "did you mean 'innner'?"));
}

BOOST_AUTO_TEST_CASE(a_key_that_is_only_looked_for_is_known_to_suggestions) {
  Value::Table table;
  table.emplace_back("first_stp", Value(1.0));
  Settings settings(Value(std::move(table)), "study.toml");
  (void)settings.number("rtol", {.fallback = 1e-8});
  BOOST_TEST(!settings.has("first_step"));
  BOOST_TEST(refuses<InputError>([&] { settings.refuse_unread(); }, "first_stp", "did you mean 'first_step'?"));
  Value::Table other;
  other.emplace_back("first_step", Value(1.0));
  Settings unread(Value(std::move(other)), "study.toml");
  BOOST_TEST(unread.has("first_step"));
  BOOST_TEST(refuses<InputError>([&] { unread.refuse_unread(); }, "first_step", "unknown key")); // looked for, not read
}

BOOST_AUTO_TEST_CASE(an_integer_that_does_not_fit_is_said_to_be_too_large) {
  const auto read = [](Value value, const IntegerRule& rule) {
    Value::Table table;
    table.emplace_back("seed", std::move(value));
    return Settings(Value(std::move(table)), "study.toml").integer("seed", rule);
  };
  BOOST_TEST(refuses<InputError>([&] { read(Value("18446744073709551615"), {.at_least = 0}); },
                                 "18446744073709551615 is above 9223372036854775807"));
  BOOST_TEST(refuses<InputError>([&] { read(Value("9223372036854775808"), {.at_least = 0}); }, "is above"));
  BOOST_TEST(refuses<InputError>([&] { read(Value(1e18), {.at_most = 100}); }, "1e+18 is above 100"));
  BOOST_TEST(refuses<InputError>([&] { read(Value(-1e18), {.at_least = 0}); }, "is below 0"));
  BOOST_TEST(refuses<InputError>([&] { read(Value("2^60"), {.at_least = 0}); }, "too large for a double"));
  BOOST_TEST(refuses<InputError>([&] { read(Value(1.5), {}); }, "1.5 is not an integer"));
  BOOST_TEST(read(Value(1e15), {}) == std::int64_t{1'000'000'000'000'000});
  BOOST_TEST(read(Value(std::numeric_limits<std::int64_t>::max()), {}) == std::numeric_limits<std::int64_t>::max());
}

BOOST_AUTO_TEST_CASE(a_formula_that_is_empty_or_beyond_all_numbers_says_so) {
  const auto read = [](const char* formula) {
    Value::Table table;
    table.emplace_back("beta", Value(formula));
    return Settings(Value(std::move(table)), "study.toml").number("beta");
  };
  BOOST_TEST(refuses<InputError>([&] { read("1e400"); }, "'1e400' is too large for a number", "1.8e308"));
  BOOST_TEST(refuses<InputError>([&] { read(" "); }, "beta: is empty", "leave the key out"));
  BOOST_TEST(refuses<InputError>([&] { read("x"); }, "unknown name 'x'", "write a number"));
}

BOOST_AUTO_TEST_CASE(a_missing_key_that_stands_there_misspelt_is_named) {
  Value::Table table;
  table.emplace_back("cuont", Value(std::int64_t{3}));
  Settings settings(Value(std::move(table)), "study.toml");
  try {
    (void)settings.integer("count");
    BOOST_ERROR("count is missing");
  } catch (const InputError& error) {
    BOOST_TEST(error.problem() == "is missing");
    BOOST_TEST(error.remedy().find("'cuont'") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_foreign_key_is_refused_with_its_reason) {
  Settings settings = config();
  for (const char* key : {"seed", "attention"})
    (void)settings.raw(key);
  settings.foreign("solver", "is an option of something else");
  BOOST_TEST(refuses<InputError>([&] { settings.refuse_unread(); }, "solver", "is an option of something else"));
}

BOOST_AUTO_TEST_CASE(rules_refuse_what_they_exclude_and_quote_the_value) {
  const auto read = [](Value value, NumberRule rule) {
    Value root;
    root.set("x", std::move(value));
    (void)Settings(root).number("x", rule);
  };
  BOOST_TEST(refuses<InputError>([&] { read(Value(-1.5), {.above = 0.0}); }, "-1.5", "not above 0"));
  BOOST_TEST(refuses<InputError>([&] { read(Value(-1.5), {.at_least = 0.0}); }, "-1.5", "below 0"));
  BOOST_TEST(refuses<InputError>([&] { read(Value(2.0), {.at_most = 1.0}); }, "2.0", "above 1"));
  BOOST_TEST(refuses<InputError>([&] { read(Value(std::nan("")), {}); }, "nan", "not a finite number"));
  BOOST_TEST(refuses<InputError>([&] { read(Value(true), {}); }, "true", "a number is needed"));
  BOOST_TEST(refuses<InputError>([&] { read(Value("1,5e-8"), {}); }, "x"));
  BOOST_TEST(refuses<InputError>([&] { (void)Settings(Value{}).number("x"); }, "x", "missing"));
}

BOOST_AUTO_TEST_CASE(an_integer_is_not_rounded) {
  Value root;
  root.set("n", Value(2.5));
  BOOST_TEST(refuses<InputError>([&] { (void)Settings(root).integer("n"); }, "2.5", "not an integer"));
}

BOOST_AUTO_TEST_CASE(equal_angles_in_every_unit_are_equal) {
  const auto read = [](const char* text) {
    Value root;
    root.set("angle", Value(text));
    return Settings(root).angle("angle");
  };
  const double expected = 15.0 * std::numbers::pi / 180.0;
  BOOST_TEST(close(read("15 deg"), expected, 1e-15));
  BOOST_TEST(close(read("0.26179938779914941 rad"), expected, 1e-15));
  BOOST_TEST(close(read("pi/12"), expected, 1e-15));
  BOOST_TEST(close(read("cos 0.9659258262890683"), expected, 1e-14));
  BOOST_TEST(close(read("chord 0.26105238444010315"), expected, 1e-15));
  BOOST_TEST(refuses<InputError>([&] { (void)read("cos 1.5"); }, "cos 1.5"));
  Value bare;
  bare.set("angle", Value(8.0));
  BOOST_TEST(refuses<InputError>([&] { (void)Settings(bare).angle("angle"); }, "no unit", "deg"));
}

BOOST_AUTO_TEST_CASE(the_resolved_config_holds_defaults_and_the_changed_one_does_not) {
  Settings settings = config();
  Settings solver = settings.section("solver");
  (void)solver.number("rtol", {.fallback = 1e-8});
  (void)solver.number("atol", {.fallback = 1e-10});
  (void)solver.text("method", "dopri5");
  BOOST_TEST(toml_text(settings.resolved()) == "{ solver = { rtol = 1e-09, atol = 1e-10, method = \"dopri5\" } }");
  BOOST_TEST(toml_text(settings.resolved(true)) == "{ solver = { rtol = 1e-09 } }");
}

BOOST_AUTO_TEST_CASE(numbers_are_written_so_that_they_read_back_exactly) {
  BOOST_TEST(number_text(3.0) == "3.0");
  BOOST_TEST(number_text(1e-8) == "1e-08");
  BOOST_TEST(std::stod(number_text(0.1 + 0.2)) == 0.1 + 0.2);
}

BOOST_AUTO_TEST_CASE(a_misspelling_finds_its_nearest_choice_and_nonsense_finds_none) {
  const std::vector<std::string> choices = {"post_ln", "pre_ln", "peri_ln"};
  BOOST_TEST(nearest("preln", choices) == "pre_ln");
  BOOST_TEST(nearest("post_nl", choices) == "post_ln");
  BOOST_TEST(nearest("xyzzyxyzzyq", choices).empty());
  BOOST_TEST(nearest("json", std::vector<std::string>{"from", "set"}).empty()); // three letters of four differ
}

BOOST_AUTO_TEST_SUITE_END()
