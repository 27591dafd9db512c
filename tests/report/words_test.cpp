#include "normdyn/report/display_text.hpp"
#include "normdyn/report/words.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace normdyn::report;

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(all_words_are_shown_when_they_fit) {
  const std::vector<std::string> words = {"war", "peace"};
  BOOST_TEST(words_line(words, 13) == "war peace (2)");
  BOOST_TEST(words_line(words, 80) == "war peace (2)");
  BOOST_TEST(words_line(words, 12) == "war ... (2)");
  BOOST_TEST(words_line({}, 80) == "(0)");
}

BOOST_AUTO_TEST_CASE(a_line_is_never_wider_than_asked_and_shows_as_many_words_as_fit) {
  std::vector<std::string> words;
  for (int i = 0; i < 23; ++i)
    words.push_back(i % 3 == 0 ? "government" : i % 3 == 1 ? "\u653f\u5e9c" : "of");
  for (std::size_t width = 12; width < 200; ++width) {
    const std::string line = words_line(words, width);
    BOOST_TEST(display_width(line) <= width);
    BOOST_TEST(line.ends_with("(23)"));
    if (line.find("...") != std::string::npos)
      BOOST_TEST(display_width(line) + 11 >= width); // no room for the longest word and its space
  }
}

BOOST_AUTO_TEST_CASE(a_long_first_word_is_shortened) {
  const std::vector<std::string> words = {"internationalization", "of"};
  BOOST_TEST(words_line(words, 20) == "internati... ... (2)");
  const std::vector<std::string> one = {"internationalization"};
  BOOST_TEST(words_line(one, 20) == "international... (1)");
}

BOOST_AUTO_TEST_CASE(control_characters_in_labels_are_shown_as_marks) {
  const std::vector<std::string> words = {"a\x1b[2J", "b\n"};
  BOOST_TEST(words_line(words, 40) == "a?[2J b? (2)");
}

BOOST_AUTO_TEST_SUITE_END()
