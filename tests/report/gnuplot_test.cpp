#include "normdyn/report/gnuplot.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>

using namespace normdyn::report;

namespace {

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++n;
  return n;
}

Figure decay() {
  return {.name = "decay",
          .title = "A decay & its law",
          .x = {"time t"},
          .y = {"Var", true},
          .curves = {{.name = "measured", .x = {0, 1, 2}, .y = {1.0, 0.1, 0.01}, .style = Curve::Style::points},
                     {.name = "10^-t", .x = {0, 2}, .y = {1.0, 0.01}, .style = Curve::Style::dashes}}};
}

bool has_gnuplot() {
  return std::system("gnuplot --version > /dev/null 2>&1") == 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(points_that_an_axis_cannot_show_are_one_gap) {
  Figure figure = decay();
  figure.curves[0].x = {0, 1, 2, 3, 4, 5};
  figure.curves[0].y = {NAN, 1.0, 0.0, -1.0, INFINITY, 0.5};
  const std::string script = gnuplot_script(figure);
  BOOST_TEST(script.find("$data0 << EOD\n1 1\n\n5 0.5\nEOD\n") != std::string::npos, script);
  figure.y.is_logarithmic = false;
  BOOST_TEST(gnuplot_script(figure).find("$data0 << EOD\n1 1\n2 0\n3 -1\n\n5 0.5\nEOD\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_figure_without_points_is_not_drawn) {
  Figure figure = decay();
  for (Curve& curve : figure.curves)
    curve.y.assign(curve.y.size(), -1.0);
  BOOST_TEST(gnuplot_script(figure).empty());
  const Drawing drawing = draw(figure);
  BOOST_TEST(drawing.svg.empty());
  BOOST_TEST(drawing.problem == "no curve has a point that the axes can show");
}

BOOST_AUTO_TEST_CASE(texts_are_never_commands) {
  Figure figure = decay();
  figure.title = "it's `touch gone` \n system('touch gone') @x";
  figure.curves[0].name = "'; system \"touch gone\"; '";
  const std::string script = gnuplot_script(figure);
  BOOST_TEST(script.find("set title 'it''s `touch gone` ? system(''touch gone'') @x' noenhanced") != std::string::npos,
             script);
  BOOST_TEST(script.find("title '''; system \"touch gone\"; '''") != std::string::npos, script);
}

BOOST_AUTO_TEST_CASE(long_titles_are_broken_into_lines) {
  Figure figure = decay();
  figure.title = std::string(60, 'a') + " " + std::string(60, 'b');
  BOOST_TEST(gnuplot_script(figure).find(std::string(60, 'a') + "'.\"\\n\".'" + std::string(60, 'b')) !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_missing_program_is_named) {
  const Drawing drawing = draw(decay(), {.program = "no-such-gnuplot"});
  BOOST_TEST(drawing.svg.empty());
  BOOST_TEST(drawing.problem.find("no-such-gnuplot is not installed") == 0, drawing.problem);
}

BOOST_AUTO_TEST_CASE(a_program_that_fails_is_quoted) {
  const Drawing drawing = draw(decay(), {.program = "false"});
  BOOST_TEST(drawing.svg.empty());
  BOOST_TEST(drawing.problem.find("false failed") == 0, drawing.problem);
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_end_is_ended) {
  const Drawing drawing = draw(decay(), {.program = NORMDYN_DATA_DIR "/../tests/report/sleeps", .most_seconds = 0.1});
  BOOST_TEST(drawing.svg.empty());
  BOOST_TEST(drawing.problem.find("did not end within 0.1 s") != std::string::npos, drawing.problem);
}

BOOST_AUTO_TEST_CASE(pictures_suit_any_page_and_are_the_same_bytes) {
  if (!has_gnuplot())
    return;
  const Drawing drawing = draw(decay());
  BOOST_TEST_REQUIRE(drawing.problem == "");
  BOOST_TEST(drawing.svg.starts_with("<svg class=\"drawn\""));
  BOOST_TEST(drawing.svg.ends_with("</svg>\n"));
  BOOST_TEST(drawing.svg.find("<title>A decay &amp; its law</title>") != std::string::npos);
  BOOST_TEST(count(drawing.svg, "rgb(1,2,3)") == 0);
  BOOST_TEST(count(drawing.svg, "'#decay-gp") > 3); // three points and one in the key
  BOOST_TEST(count(drawing.svg, "id='gp") == 0);
  BOOST_TEST(count(drawing.svg, "http") == 2); // the names of SVG and XLink, nothing that is fetched
  BOOST_TEST(draw(decay()).svg == drawing.svg);
}

BOOST_AUTO_TEST_SUITE_END()
