#include "normdyn/integrate/solve.hpp"

#include "normdyn/core/error.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace normdyn;
using namespace normdyn::integrate;
using core::Value;

namespace {

SolveOptions read(Value::Table entries, core::Interval span = {0.0, 1.0}) {
  core::Settings solver{Value(std::move(entries)), "study.toml"};
  const SolveOptions options = read_solve_options(solver, span);
  solver.refuse_unread();
  return options;
}

std::string refusal(Value::Table entries, core::Interval span = {0.0, 1.0}) {
  try {
    (void)read(std::move(entries), span);
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

BOOST_AUTO_TEST_CASE(defaults_are_those_of_the_struct) {
  const SolveOptions read_options = read({}), options;
  BOOST_TEST((read_options.method == options.method));
  BOOST_TEST(read_options.tolerance.rtol == options.tolerance.rtol);
  BOOST_TEST(read_options.tolerance.atol == options.tolerance.atol);
  BOOST_TEST(read_options.tolerance.radius_rtol == options.tolerance.radius_rtol);
  BOOST_TEST(read_options.first_step == 0.0);
  BOOST_TEST(read_options.max_steps == options.max_steps);
  BOOST_TEST(read_options.max_wall_seconds == options.max_wall_seconds);
}

BOOST_AUTO_TEST_CASE(each_method_is_read_by_its_name) {
  for (const std::string& name : method_names())
    BOOST_TEST(method_name(read(name == "adams_bashforth_moulton" || name == "rk4" || name == "euler"
                                    ? Value::Table{{"method", name}, {"step", 0.1}}
                                    : Value::Table{{"method", name}})
                               .method) == name);
  BOOST_TEST(read({{"method", "author_euler"}}).step == 0.1);
  BOOST_TEST(read({{"method", "dopri5"}, {"step", 0.25}}).step == 0.25);
}

BOOST_AUTO_TEST_CASE(the_tolerance_chooses_the_method_unless_one_is_named) {
  BOOST_TEST((read({{"rtol", 9.9e-8}}).method == Method::dop853));
  BOOST_TEST((read({{"rtol", 1e-7}}).method == Method::dopri5));
  BOOST_TEST((read({{"rtol", 1e-4}}).method == Method::dopri5));
  BOOST_TEST((read({{"rtol", 1e-12}, {"method", "dopri5"}}).method == Method::dopri5));
  BOOST_TEST((read({{"rtol", 1e-4}, {"method", "dop853"}}).method == Method::dop853));
  BOOST_TEST((read({{"step", 0.1}}).method == Method::dopri5)); // a fixed step has no tolerance
  BOOST_TEST(read({{"step", 0.1}, {"method", "dop853"}}).step == 0.1);
}

// The run id hashes what is not default: a default that is written out is the same study.
BOOST_AUTO_TEST_CASE(a_method_counts_as_changed_when_it_is_not_the_one_of_its_tolerance) {
  const auto is_changed = [](Value::Table entries) {
    core::Settings solver{Value(std::move(entries)), "study.toml"};
    (void)read_solve_options(solver, {0.0, 1.0});
    BOOST_TEST(solver.resolved().find("method") != nullptr);
    BOOST_TEST((solver.resolved().table().front().first == "method"));
    return solver.resolved(true).find("method") != nullptr;
  };
  BOOST_TEST(!is_changed({}));
  BOOST_TEST(!is_changed({{"method", "dop853"}}));
  BOOST_TEST(is_changed({{"method", "dopri5"}}));
  BOOST_TEST(!is_changed({{"method", "dopri5"}, {"rtol", 1e-6}}));
  BOOST_TEST(is_changed({{"method", "dop853"}, {"rtol", 1e-6}}));
  BOOST_TEST(!is_changed({{"method", "dopri5"}, {"step", 0.1}}));
}

BOOST_AUTO_TEST_CASE(durations_have_units) {
  BOOST_TEST(read({{"max_wall", "10 min"}}).max_wall_seconds == 600.0);
  BOOST_TEST(read({{"max_wall", "2 h"}}).max_wall_seconds == 7200.0);
  BOOST_TEST(read({{"max_wall", "1.5h"}}).max_wall_seconds == 5400.0);
  BOOST_TEST(read({{"max_wall", 30.0}}).max_wall_seconds == 30.0);
  for (const char* bad : {"soon", "10 parsecs", "-1 min", "min", "", "inf s", "nan s"})
    BOOST_TEST(says(refusal({{"max_wall", bad}}), "max_wall"), bad);
}

// F02, F14: refused before the first step, with the key.
BOOST_AUTO_TEST_CASE(values_without_sense_are_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1e-8, 1.0, 2.0, nan, infinity})
    BOOST_TEST(says(refusal({{"rtol", bad}}), "rtol"), bad);
  for (const double bad : {-1e-300, nan, infinity})
    BOOST_TEST(says(refusal({{"atol", bad}}), "atol"), bad);
  BOOST_TEST(read({{"atol", 0.0}}).tolerance.atol == 0.0);
  for (const double bad : {0.0, -1.0, nan, infinity})
    BOOST_TEST(says(refusal({{"first_step", bad}}), "first_step"), bad);
  BOOST_TEST(says(refusal({{"max_steps", std::int64_t{0}}}), "max_steps"));
  BOOST_TEST(says(refusal({{"smallest_step", 1.0}, {"largest_step", 0.1}}), "largest_step"));
  BOOST_TEST(says(refusal({{"method", "dopri"}}), "dopri5"));
  BOOST_TEST(says(refusal({{"method", "layers"}}), "layers"));
}

BOOST_AUTO_TEST_CASE(options_of_other_methods_are_refused_by_name) {
  BOOST_TEST(says(refusal({{"method", "rk4"}, {"step", 0.1}, {"rtol", 1e-8}}), "rk4"));
  BOOST_TEST(says(refusal({{"method", "rk4"}}), "step"));
  BOOST_TEST(says(refusal({{"method", "bulirsch_stoer"}, {"step", 0.1}}), "bulirsch_stoer"));
  BOOST_TEST(says(refusal({{"rtoll", 1e-8}}), "rtol"));
}

// F13
BOOST_AUTO_TEST_CASE(a_span_that_goes_backward_is_refused) {
  BOOST_TEST(says(refusal({}, {1.0, 0.0}), "time.end"));
  BOOST_TEST(says(refusal({}, {0.0, std::numeric_limits<double>::quiet_NaN()}), "time.end"));
  BOOST_TEST(says(refusal({}, {0.0, std::numeric_limits<double>::infinity()}), "time.end"));
  BOOST_TEST(refusal({}, {0.0, 0.0}) == "accepted");
}

BOOST_AUTO_TEST_SUITE_END()
