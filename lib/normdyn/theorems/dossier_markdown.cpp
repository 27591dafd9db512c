#include "normdyn/theorems/dossier_markdown.hpp"

#include "normdyn/report/markup.hpp"
#include "normdyn/report/number_text.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace normdyn::theorems {
namespace {

using report::markdown_escaped;

std::string text_of(std::string_view text) {
  return markdown_escaped(text);
}

std::string overview_row(const Examination& examination) {
  const Evidence* decisive = decisive_evidence(examination.findings);
  const Claim& claim = *examination.claim;
  return fmt::format("| [{}](#{}) | {} | {} | {} | {:.2f} |\n", text_of(claim.id), report::file_stem(claim.id),
                     text_of(claim.title), verdict_name(examination.verdict),
                     decisive == nullptr ? "" : text_of(decisive->quantity + ": " + decisive->text),
                     examination.seconds);
}

std::string evidence_table(const std::vector<Evidence>& evidence) {
  std::string text = "| quantity | kind | found | verdict |\n|---|---|---|---|\n";
  for (const Evidence& line : evidence)
    text += fmt::format("| {} | {} | {} | {} |\n", text_of(line.quantity), kind_name(line.kind), text_of(line.text),
                        verdict_name(line.verdict));
  return text;
}

std::string section(const Dossier& dossier, const Examination& examination, const std::vector<DrawnFigure>& figures) {
  const Claim& claim = *examination.claim;
  std::string text = fmt::format("\n<a id=\"{}\"></a>\n\n## {}: {}\n\n", report::file_stem(claim.id), text_of(claim.id),
                                 text_of(claim.title));
  text += fmt::format("**{}**, in {:.2f} s.\n\n", verdict_name(examination.verdict), examination.seconds);
  text += fmt::format("* Claimed: {}.\n* If: {}.\n* Source: {}.\n", text_of(claim.statement), text_of(claim.hypotheses),
                      text_of(claim.source));
  text += fmt::format("* Negative control{}: {}.\n", dossier.of_controls ? ", examined here" : "",
                      text_of(claim.control_text));
  text += fmt::format("* Again: `normdyn reproduce {} --seed {}{}`\n\n", claim.id, dossier.seed,
                      dossier.of_controls ? " --control" : "");
  text += evidence_table(examination.findings.evidence);
  for (const DrawnFigure& figure : figures)
    text += figure.drawing.svg.empty()
                ? fmt::format("\n*{}: not drawn, {}.*\n", text_of(figure.title), text_of(figure.drawing.problem))
                : fmt::format("\n![{}]({})\n", text_of(figure.title), figure.file);
  return text;
}

} // namespace

std::vector<std::string> figure_files(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    const std::string stem = report::file_stem(name);
    std::string unique = stem;
    for (int number = 2; !taken.insert(unique).second; ++number)
      unique = fmt::format("{}-{}", stem, number);
    files.push_back(fmt::format("figures/{}.svg", unique));
  }
  return files;
}

DrawnFigures draw_figures(const Dossier& dossier, const report::DrawOptions& options) {
  std::vector<std::string> names;
  for (const Examination& examination : dossier.examinations)
    for (const report::Figure& figure : examination.findings.figures)
      names.push_back(figure.name);
  const std::vector<std::string> files = figure_files(names);
  DrawnFigures all;
  std::size_t next = 0;
  for (const Examination& examination : dossier.examinations) {
    std::vector<DrawnFigure>& drawn = all.emplace_back();
    for (report::Figure figure : examination.findings.figures) {
      const std::string& file = files[next++];
      figure.name = std::filesystem::path(file).stem().string();
      drawn.push_back({file, figure.title, report::draw(figure, options)});
    }
  }
  return all;
}

std::string dossier_markdown(const Dossier& dossier, const DrawnFigures& figures) {
  std::string text = fmt::format("# {}\n\n{}.\n\nMade by normdyn {}:\n\n    {}\n\n",
                                 dossier.of_controls ? "Negative controls" : "Statements, reproduced",
                                 text_of(tally_text(dossier)), text_of(dossier.version), dossier.command);
  if (const std::size_t n_left = dossier.asked.size() - dossier.examinations.size(); n_left > 0)
    text += fmt::format("It was stopped: {} of {} were not examined.\n\n", n_left, dossier.asked.size());
  text += "| claim | title | verdict | the number that decides | seconds |\n|---|---|---|---|---:|\n";
  for (const Examination& examination : dossier.examinations)
    text += overview_row(examination);
  for (std::size_t i = 0; i < dossier.examinations.size(); ++i)
    text += section(dossier, dossier.examinations[i], figures.at(i));
  return text;
}

} // namespace normdyn::theorems
