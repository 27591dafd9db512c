#include "normdyn/report/number_text.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace normdyn::report;

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(numbers_are_short) {
  BOOST_TEST(number_text(0.97312345) == "0.9731");
  BOOST_TEST(number_text(1.25e-9) == "1.25e-09");
  BOOST_TEST(number_text(30.0) == "30");
  BOOST_TEST(number_text(-0.0) == "0");
  BOOST_TEST(number_text(0.0524, 2) == "0.052");
  BOOST_TEST(number_text(std::numeric_limits<double>::quiet_NaN()) == "-");
  BOOST_TEST(number_text(std::numeric_limits<double>::infinity()) == "inf");
}

BOOST_AUTO_TEST_CASE(durations_never_show_sixty_of_a_unit) {
  BOOST_TEST(duration_text(0.0) == "0.00 s");
  BOOST_TEST(duration_text(0.42) == "0.42 s");
  BOOST_TEST(duration_text(9.996) == "10.0 s");
  BOOST_TEST(duration_text(59.94) == "59.9 s");
  BOOST_TEST(duration_text(59.97) == "1 min 00 s");
  BOOST_TEST(duration_text(125.4) == "2 min 05 s");
  BOOST_TEST(duration_text(3599.7) == "1 h 00 min");
  BOOST_TEST(duration_text(12000.0) == "3 h 20 min");
  BOOST_TEST(duration_text(86399.0) == "1 d 00 h");
  BOOST_TEST(duration_text(1.9e5) == "2 d 05 h");
  BOOST_TEST(duration_text(-1.0) == "-");
  BOOST_TEST(duration_text(std::numeric_limits<double>::infinity()) == "-");
  BOOST_TEST(duration_text(std::numeric_limits<double>::quiet_NaN()) == "-");
}

BOOST_AUTO_TEST_CASE(bytes_have_binary_units) {
  BOOST_TEST(bytes_text(0.0) == "0 B");
  BOOST_TEST(bytes_text(812.0) == "812 B");
  BOOST_TEST(bytes_text(1023.99) == "1 KiB");
  BOOST_TEST(bytes_text(1536.0) == "1.5 KiB");
  BOOST_TEST(bytes_text(4.0 * 1024 * 1024 * 1024) == "4 GiB");
}

BOOST_AUTO_TEST_SUITE_END()
