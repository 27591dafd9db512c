#include "normdyn/report/display_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn::report;

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(width_counts_columns_and_not_bytes) {
  BOOST_TEST(display_width("") == 0U);
  BOOST_TEST(display_width("token") == 5U);
  BOOST_TEST(display_width("caf\u00e9 \u03b8") == 6U);
  BOOST_TEST(display_width("e\u0301") == 1U);      // combining accent
  BOOST_TEST(display_width("\u653f\u5e9c") == 4U); // wide
  BOOST_TEST(display_width("\U0001F600") == 2U);   // emoji
  BOOST_TEST(display_width("a\xff"
                           "b\xc3") == 4U); // stray bytes
}

BOOST_AUTO_TEST_CASE(texts_are_cut_between_characters) {
  BOOST_TEST(fitting("\u653f\u5e9c", 3) == "\u653f");
  BOOST_TEST(fitting("e\u0301x", 1) == "e\u0301");
  BOOST_TEST(shortened("government", 10) == "government");
  BOOST_TEST(shortened("government", 9) == "govern...");
  BOOST_TEST(shortened("government", 2) == "go");
  BOOST_TEST(shortened("\u03b8\u03b8\u03b8\u03b8\u03b8", 4) == "\u03b8...");
}

BOOST_AUTO_TEST_CASE(both_ends_of_a_text_can_be_kept) {
  BOOST_TEST(shortened_in_middle("government", 10) == "government");
  BOOST_TEST(shortened_in_middle("government", 9) == "gov...ent");
  BOOST_TEST(shortened_in_middle("government", 8) == "gov...nt");
  BOOST_TEST(shortened_in_middle("government", 4) == "g...");
  BOOST_TEST(shortened_in_middle("\u653f\u5e9c\u653f\u5e9c", 7) == "\u653f...\u5e9c");
}

BOOST_AUTO_TEST_CASE(labels_cannot_steer_the_terminal) {
  BOOST_TEST(printable("\x1b[31mred\n") == "?[31mred?");
  BOOST_TEST(printable("caf\u00e9 \u653f") == "caf\u00e9 \u653f");
  BOOST_TEST(printable("\u009b"
                       "2J\u202e") == "?2J?");
  BOOST_TEST(printable("\xc0\xaf") == "??");      // overlong
  BOOST_TEST(printable("\xed\xa0\x80") == "???"); // surrogate
  BOOST_TEST(printable("\xe6\x94") == "??");      // cut off
}

BOOST_AUTO_TEST_CASE(color_needs_a_terminal_that_wants_it) {
  BOOST_TEST(wants_color(true, nullptr, "xterm"));
  BOOST_TEST(wants_color(true, "", "xterm"));
  BOOST_TEST(!wants_color(true, "1", "xterm"));
  BOOST_TEST(!wants_color(true, nullptr, "dumb"));
  BOOST_TEST(!wants_color(true, nullptr, nullptr));
  BOOST_TEST(!wants_color(false, nullptr, "xterm"));
}

BOOST_AUTO_TEST_SUITE_END()
