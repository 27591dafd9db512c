#include "support/scratch_folder.hpp"

#include "normdyn/files/hdf5.hpp"
#include "normdyn/theorems/dossier_file.hpp"
#include "normdyn/theorems/dossier_html.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace normdyn;
using namespace normdyn::theorems;

namespace {

const Claim& toy_claim() {
  static const Claim claim{.id = "NA-99",
                           .aliases = {},
                           .title = "Toys <b>",
                           .source = "nowhere",
                           .statement = "1 = 1 | always",
                           .hypotheses = "none",
                           .citations = {},
                           .control_text = "1 = 2"};
  return claim;
}

Examination toy_examination() {
  Findings findings;
  findings.evidence = {exact("far from the limit", 1.0, 1.0, 1e-3), exact("near the limit", 1.0, 1.0009, 1e-3),
                       recorded("a number", 7.0)};
  const report::Curve curve{.name = "y", .x = {1.0, 2.0, 3.0}, .y = {1.0, NAN, 3.0}};
  findings.figures = {{.name = "NA-99 toys", .title = "Toys", .x = {"x"}, .y = {"y"}, .curves = {curve}},
                      {.name = "na-99-toys", .title = "More toys", .x = {"x"}, .y = {"y"}, .curves = {curve}}};
  return {.claim = &toy_claim(), .findings = findings, .verdict = verdict_of(findings.evidence), .seconds = 1.5};
}

Dossier toy_dossier() {
  return {.version = "1.2.3",
          .command = "normdyn reproduce toys",
          .seed = 42,
          .asked = {&toy_claim(), &toy_claim()},
          .examinations = {toy_examination()}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(theorems)

BOOST_AUTO_TEST_CASE(the_number_that_decides_is_the_gravest_and_then_the_closest) {
  Findings findings = toy_examination().findings;
  BOOST_TEST(decisive_evidence(findings)->quantity == "near the limit");
  findings.evidence.push_back(at_most("a loose bound", 1.0, 5.0));
  BOOST_TEST(decisive_evidence(findings)->quantity == "near the limit");
  findings.evidence.push_back(rate("wide", 1.0, {.value = 1.0, .low = 0.5, .high = 1.5}, 0.1));
  BOOST_TEST(decisive_evidence(findings)->quantity == "wide"); // inconclusive
  findings.evidence.push_back(vanishing("nothing", NAN, 1.0));
  BOOST_TEST(decisive_evidence(findings)->quantity == "nothing"); // fails
  BOOST_TEST(decisive_evidence({}) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_summary_counts_verdicts) {
  Dossier dossier = toy_dossier();
  BOOST_TEST(tally_text(dossier) == "1 claim with seed 42: 1 passes; 1.50 s");
  dossier.examinations.push_back(dossier.examinations[0]);
  dossier.examinations.push_back(dossier.examinations[0]);
  dossier.examinations[2].verdict = Verdict::fails;
  BOOST_TEST(tally_text(dossier) == "3 claims with seed 42: 2 pass, 1 fails; 4.50 s");
  BOOST_TEST(is_trouble(dossier, dossier.examinations[2]));
  BOOST_TEST(!is_trouble(dossier, dossier.examinations[1]));
  dossier.of_controls = true;
  BOOST_TEST(tally_text(dossier) == "3 controls with seed 42: 1 fails, as it must, 2 do not; 4.50 s");
  BOOST_TEST(!is_trouble(dossier, dossier.examinations[2]));
  BOOST_TEST(is_trouble(dossier, dossier.examinations[1]));
}

BOOST_AUTO_TEST_CASE(pages_say_everything_and_escape_it) {
  const Dossier dossier = toy_dossier();
  DrawnFigures figures = draw_figures(dossier, {.program = "no-such-gnuplot"});
  const std::string missing = dossier_markdown(dossier, figures);
  BOOST_TEST(has(missing, "*Toys: not drawn, no-such-gnuplot is not installed"));
  figures[0][0].drawing = figures[0][1].drawing = {.svg = "<svg></svg>", .problem = ""};
  const std::string markdown = dossier_markdown(dossier, figures), html = dossier_html(dossier, figures);
  for (const std::string& page : {markdown, html})
    for (const char* part : {"NA-99", "1.2.3", "normdyn reproduce toys", "1 of 2 were not examined", "--seed 42",
                             "near the limit", "nowhere", "1 = 2", "passes"})
      BOOST_TEST(has(page, part), part << " is missing");
  BOOST_TEST(has(markdown, "Toys \\<b\\>"));
  BOOST_TEST(has(markdown, "1 = 1 \\| always"));
  BOOST_TEST(has(markdown, "![Toys](figures/na-99-toys.svg)"));
  BOOST_TEST(has(markdown, "![More toys](figures/na-99-toys-2.svg)"));
  BOOST_TEST(has(html, "Toys &lt;b&gt;"));
  BOOST_TEST(has(html, "<figure>\n<svg></svg></figure>"));
  BOOST_TEST(!has(html, "<b>"));
  BOOST_TEST(!has(html, "src="));
  BOOST_TEST(!has(html, "http"));
}

BOOST_AUTO_TEST_CASE(the_file_holds_every_number) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("toys.h5");
  write_dossier(path, toy_dossier());
  const auto file = files::Hdf5File::open(path);
  BOOST_TEST(file.root().attributes().integer("seed") == 42);
  const files::Group claim = file.root().group("NA-99");
  BOOST_TEST(claim.attributes().text("verdict") == "passes");
  const files::Group evidence = claim.group("evidence");
  BOOST_TEST(evidence.dataset("measured").read<double>().at(1) == 1.0009);
  BOOST_TEST(std::isnan(evidence.dataset("predicted").read<double>().at(2)));
  BOOST_TEST(evidence.dataset("quantity").read_texts().at(0) == "far from the limit");
  BOOST_TEST(evidence.dataset("verdict").dimensions().at(0) == "line");
  for (const char* name : {"na-99-toys", "na-99-toys-2"}) {
    const files::Group curve = claim.group("figures").group(name).group("curve_0");
    BOOST_TEST(curve.dataset("y").read<double>().at(2) == 3.0);
    BOOST_TEST(curve.dataset("y").dimensions().at(0) == "x");
  }
}

BOOST_AUTO_TEST_SUITE_END()
