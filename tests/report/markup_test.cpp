#include "normdyn/report/markup.hpp"

#include <boost/test/unit_test.hpp>

using namespace normdyn::report;

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(plain_text_stays_plain_in_pages) {
  BOOST_TEST(html_escaped("a < b & \"c\" > 'd'\x1b[1m") == "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;?[1m");
  BOOST_TEST(markdown_escaped("s_j^{-1} |A|* <b>\n") == "s\\_j^\\{-1\\} \\|A\\|\\* \\<b\\>?");
  BOOST_TEST(html_escaped("Nørsett") == "Nørsett");
}

BOOST_AUTO_TEST_CASE(names_of_files_are_tame) {
  BOOST_TEST(file_stem("NA-08 terminal/../x") == "na-08-terminal----x");
  BOOST_TEST(file_stem("") == "figure");
}

BOOST_AUTO_TEST_SUITE_END()
