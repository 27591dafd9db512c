#include "normdyn/files/csv_file.hpp"
#include "support/capture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <clocale>

using namespace normdyn::files;
using namespace normdyn::test;
using Values = std::vector<double>;

namespace {
std::string complaint(const std::string& text) {
  return message_of<normdyn::core::FileError>([&] { static_cast<void>(parse_csv(text, "a.csv")); });
}
} // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(numbers_are_read_row_by_row) {
  const MatrixData m = parse_csv("1,2.5,-3e-2\n\n +4 ,\t5,0.1\r\n", "a.csv");
  BOOST_TEST(m.rows == 2u);
  BOOST_TEST(m.columns == 3u);
  BOOST_TEST(m.values == (Values{1, 2.5, -0.03, 4, 5, 0.1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_header_line_and_a_byte_order_mark_are_skipped) {
  const MatrixData m = parse_csv("\xef\xbb\xbfx,y 2\n1,2\n", "a.csv");
  BOOST_TEST(m.rows == 1u);
  BOOST_TEST(m.values == (Values{1, 2}), boost::test_tools::per_element());
  BOOST_TEST(complaint("x,y\nx,y\n1,2\n") == "a.csv:2: column 1 holds 'x', which is no number");
}

BOOST_AUTO_TEST_CASE(bad_cells_are_named_with_line_and_column) {
  BOOST_TEST(complaint("1,2\n3,4x\n") == "a.csv:2: column 2 holds '4x', which is no number");
  BOOST_TEST(complaint("1,2\n\n3,\n") == "a.csv:3: column 2 is empty");
  BOOST_TEST(complaint("1,oops\n3,4\n") ==
             "a.csv:1: column 2 holds 'oops', which is no number"); // no header: 1 is a number
  BOOST_TEST(complaint("1,nan\n") == "a.csv:1: column 2 holds 'nan', which is not finite");
  BOOST_TEST(complaint("1,2\n-inf,1\n") == "a.csv:2: column 1 holds '-inf', which is not finite");
  BOOST_TEST(complaint("1,1e400\n") == "a.csv:1: column 2 holds '1e400', which is not finite");
  BOOST_TEST(complaint("0x1p-27,1\n") == "a.csv:1: column 1 holds '0x1p-27', which is no number");
  BOOST_TEST(complaint("1;2\n") == "a.csv:1: column 1 holds '1;2', which is no number; separate numbers by commas and "
                                   "write decimals with a point");
}

BOOST_AUTO_TEST_CASE(ragged_rows_are_refused) {
  BOOST_TEST(complaint("1,2\n3,4,5\n") == "a.csv:2: has 3 columns, but line 1 has 2");
  BOOST_TEST(complaint("a,b\n3\n") == "a.csv:2: has 1 columns, but line 1 has 2");
}

BOOST_AUTO_TEST_CASE(a_file_without_numbers_is_refused) {
  for (const std::string text : {"", "\n\n", "a,b\n"})
    BOOST_TEST(complaint(text) == "a.csv: holds no numbers");
}

BOOST_AUTO_TEST_CASE(numbers_round_trip_and_underflow_to_zero) {
  const MatrixData m = parse_csv("0.1,4.9406564584124654e-324,1e-400,1.7976931348623157e308\n", "a.csv");
  BOOST_TEST(m.values == (Values{0.1, 4.9406564584124654e-324, 0.0, 1.7976931348623157e308}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(reading_does_not_depend_on_the_locale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr)
    BOOST_TEST_MESSAGE("no German locale here: checked in the C locale only");
  const MatrixData m = parse_csv("0.25,1.5\n", "a.csv");
  std::setlocale(LC_ALL, before.c_str());
  BOOST_TEST(m.values == (Values{0.25, 1.5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
