#include "normdyn/theorems/dossier_html.hpp"

#include "normdyn/report/markup.hpp"

#include <fmt/format.h>

namespace normdyn::theorems {
namespace {

using report::html_escaped;

constexpr std::size_t shown_lines = 8; // of evidence; longer tables are folded

constexpr const char* head = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>
:root { --text: #222; --faint: #666; --page: #fff; --line: #ddd; --panel: #f6f6f4;
        --good: #1a7f37; --warning: #9a6700; --bad: #c62828; --link: #1f5fbf; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ddd; --faint: #999; --page: #16181b; --line: #3a3d42; --panel: #1f2226;
          --good: #57c878; --warning: #d9a83a; --bad: #ff7b72; --link: #7fb0ff; } }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--page); color: var(--text);
       font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
a { color: var(--link); } code { background: var(--panel); padding: .1em .3em; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
td.number { text-align: right; white-space: nowrap; }
dt { color: var(--faint); font-size: .875rem; margin-top: .6rem; } dd { margin: 0; }
.passes { color: var(--good); } .fails { color: var(--bad); } .recorded { color: var(--faint); }
.inconclusive, .unresolved { color: var(--warning); } .verdict { font-weight: 600; white-space: nowrap; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; max-width: 46rem; height: auto; display: block; }
figcaption, .faint { color: var(--faint); font-size: .875rem; } summary { cursor: pointer; color: var(--link); }
@media (max-width: 40rem) { .optional { display: none; } }
</style>
)html";

std::string verdict_mark(Verdict verdict) {
  return fmt::format("<span class=\"verdict {0}\">{0}</span>", verdict_name(verdict));
}

std::string overview(const Dossier& dossier) {
  std::string text = "<div class=\"wide\"><table>\n<tr><th>claim</th><th>title</th><th>verdict</th>"
                     "<th class=\"optional\">the number that decides</th><th>seconds</th></tr>\n";
  for (const Examination& examination : dossier.examinations) {
    const Claim& claim = *examination.claim;
    const Evidence* decisive = decisive_evidence(examination.findings);
    text += fmt::format("<tr><td><a href=\"#{}\">{}</a></td><td>{}</td><td>{}</td><td class=\"optional\">{}</td>"
                        "<td class=\"number\">{:.2f}</td></tr>\n",
                        report::file_stem(claim.id), html_escaped(claim.id), html_escaped(claim.title),
                        verdict_mark(examination.verdict),
                        decisive == nullptr ? "" : html_escaped(decisive->quantity + ": " + decisive->text),
                        examination.seconds);
  }
  return text + "</table></div>\n";
}

std::string evidence_table(const std::vector<Evidence>& evidence) {
  std::string text = "<div class=\"wide\"><table>\n<tr><th>quantity</th><th class=\"optional\">kind</th><th>found</th>"
                     "<th>verdict</th></tr>\n";
  for (const Evidence& line : evidence)
    text += fmt::format("<tr><td>{}</td><td class=\"optional\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        html_escaped(line.quantity), kind_name(line.kind), html_escaped(line.text),
                        verdict_mark(line.verdict));
  text += "</table></div>\n";
  if (evidence.size() <= shown_lines)
    return text;
  return fmt::format("<details><summary>all {} numbers that were compared</summary>\n{}</details>\n", evidence.size(),
                     text);
}

std::string picture(const DrawnFigure& figure) {
  if (figure.drawing.svg.empty())
    return fmt::format("<p class=\"faint\">{}: not drawn, {}.</p>\n", html_escaped(figure.title),
                       html_escaped(figure.drawing.problem));
  return fmt::format("<figure>\n{}</figure>\n", figure.drawing.svg);
}

std::string section(const Dossier& dossier, const Examination& examination, const std::vector<DrawnFigure>& figures) {
  const Claim& claim = *examination.claim;
  std::string text = fmt::format("<section id=\"{}\">\n<h2>{}: {}</h2>\n<p>{} in {:.2f} s</p>\n<dl>\n",
                                 report::file_stem(claim.id), html_escaped(claim.id), html_escaped(claim.title),
                                 verdict_mark(examination.verdict), examination.seconds);
  const auto item = [&text](std::string_view term, const std::string& meaning) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, meaning);
  };
  item("Claimed", html_escaped(claim.statement));
  item("If", html_escaped(claim.hypotheses));
  item("Source", html_escaped(claim.source));
  item(dossier.of_controls ? "Negative control, examined here" : "Negative control", html_escaped(claim.control_text));
  item("Again", fmt::format("<code>normdyn reproduce {} --seed {}{}</code>", html_escaped(claim.id), dossier.seed,
                            dossier.of_controls ? " --control" : ""));
  if (const Evidence* decisive = decisive_evidence(examination.findings); decisive != nullptr)
    item("The number that decides", html_escaped(decisive->quantity + ": " + decisive->text));
  text += "</dl>\n";
  for (const DrawnFigure& figure : figures)
    text += picture(figure);
  return text + evidence_table(examination.findings.evidence) + "</section>\n";
}

} // namespace

std::string dossier_html(const Dossier& dossier, const DrawnFigures& figures) {
  const std::string title = dossier.of_controls ? "Negative controls" : "Statements, reproduced";
  std::string text = head;
  text += fmt::format("<title>normdyn: {}</title>\n</head>\n<body>\n<h1>{}</h1>\n<p>{}.</p>\n", title, title,
                      html_escaped(tally_text(dossier)));
  if (const std::size_t n_left = dossier.asked.size() - dossier.examinations.size(); n_left > 0)
    text += fmt::format("<p>It was stopped: {} of {} were not examined.</p>\n", n_left, dossier.asked.size());
  text += fmt::format("<p class=\"faint\">Made by normdyn {} with <code>{}</code>. Every number stands in "
                      "reproduce.h5.</p>\n",
                      html_escaped(dossier.version), html_escaped(dossier.command));
  text += overview(dossier);
  for (std::size_t i = 0; i < dossier.examinations.size(); ++i)
    text += section(dossier, dossier.examinations[i], figures.at(i));
  return text + "</body>\n</html>\n";
}

} // namespace normdyn::theorems
