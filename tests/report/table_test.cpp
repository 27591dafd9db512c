#include "normdyn/report/table.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn::report;

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(numbers_are_right_aligned_and_texts_left) {
  Table table({"scheme", "clusters", "clock", "outcome"});
  table.add_row({"post_ln", "28", "30", "completed"});
  table.add_row({"sqrt_scaling", "242", "9.136e-05", "step limit"});
  table.add_row({"peri_ln", "-", "", "failed"});
  BOOST_TEST(table.text() == "scheme        clusters      clock  outcome\n"
                             "------------  --------  ---------  ----------\n"
                             "post_ln             28         30  completed\n"
                             "sqrt_scaling       242  9.136e-05  step limit\n"
                             "peri_ln              -             failed\n");
}

BOOST_AUTO_TEST_CASE(columns_align_whatever_the_script) {
  Table table({"word", "n"});
  table.add_row({"\u653f\u5e9c", "1"});
  table.add_row({"caf\u00e9", "10"});
  BOOST_TEST(table.text(false, 2) == "  word   n\n"
                                     "  ----  --\n"
                                     "  \u653f\u5e9c   1\n"
                                     "  caf\u00e9  10\n");
}

BOOST_AUTO_TEST_CASE(color_changes_no_alignment) {
  Table table({"outcome", "n"});
  table.add_row({{"ok", Tone::good}, "1"});
  BOOST_TEST(table.text(true) == "\x1b[1moutcome\x1b[0m  \x1b[1mn\x1b[0m\n"
                                 "\x1b[2m-------\x1b[0m  \x1b[2m-\x1b[0m\n"
                                 "\x1b[32mok\x1b[0m       1\n");
  BOOST_TEST(table.text(false).find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(cells_cannot_break_lines) {
  Table table({"a\nb"});
  table.add_row({"x\x1b[2J\ny"});
  BOOST_TEST(table.text() == "a?b\n-------\nx?[2J?y\n");
}

BOOST_AUTO_TEST_CASE(a_column_without_numbers_stays_left) {
  Table table({"note", "x"});
  table.add_row({"-", "1e"});
  BOOST_TEST(table.text() == "note  x\n----  --\n-     1e\n");
}

BOOST_AUTO_TEST_SUITE_END()
