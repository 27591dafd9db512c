#include "result_table.hpp"

#include "normdyn/experiment/plan.hpp"
#include "normdyn/integrate/outcome.hpp"
#include "normdyn/report/display_text.hpp"
#include "normdyn/report/number_text.hpp"
#include "normdyn/report/table.hpp"
#include "normdyn/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::cli {
namespace {

using experiment::CaseResult;

constexpr std::size_t shown_clusters = 3, line_width = 78;

std::string label_of(const CaseResult& result) {
  return experiment::case_label(result.label, result.scheme, result.varied);
}

std::string outcome_of(const CaseResult& result) {
  return result.summary ? integrate::outcome_name(result.summary->outcome.kind) : "not run";
}

// "event at 3.217": for people, who ask when.
std::string shown_outcome(const CaseResult& result) {
  const integrate::Outcome& outcome = result.summary->outcome;
  return outcome.kind == integrate::Outcome::Kind::event
             ? fmt::format("{} at {}", outcome_of(result), report::number_text(outcome.time, 6))
             : outcome_of(result);
}

report::Tone tone_of(const CaseResult& result) {
  if (result.exit_code == experiment::ExitCode::done)
    return report::Tone::good;
  return result.exit_code == experiment::ExitCode::stopped ? report::Tone::warning : report::Tone::bad;
}

std::vector<report::Cell> row_of(const CaseResult& result) {
  if (!result.summary)
    return {label_of(result), "-", "-", "-", "-", "-", {"not run", tone_of(result)}, "-"};
  const auto& summary = *result.summary;
  return {label_of(result),
          fmt::format("{}", result.n_clusters),
          report::number_text(result.mean_cosine, 6),
          report::number_text(summary.clock, 5),
          fmt::format("{}", summary.steps_accepted),
          fmt::format("{}", summary.evaluations),
          {shown_outcome(result), tone_of(result)},
          fmt::format("{:.2f}", summary.wall_seconds)};
}

std::vector<std::string> words_of(const CaseResult& result, const std::vector<std::size_t>& tokens) {
  std::vector<std::string> words;
  words.reserve(tokens.size());
  for (const std::size_t token : tokens)
    words.push_back(result.labels.empty() ? fmt::format("#{}", token) : result.labels[token]);
  return words;
}

} // namespace

std::string table_text(const std::vector<CaseResult>& results, bool in_color) {
  report::Table table({"case", "clusters", "mean cosine", "clock", "steps", "evaluations", "outcome", "seconds"});
  for (const CaseResult& result : results)
    table.add_row(row_of(result));
  std::string text = table.text(in_color);
  for (const CaseResult& result : results)
    if (!result.problem.empty())
      text += fmt::format("{}: {}\n", label_of(result), result.problem);
  std::vector<std::string> notes; // each once: the cases of a sweep read the same tokens
  for (const CaseResult& result : results)
    if (!result.note.empty() && std::find(notes.begin(), notes.end(), result.note) == notes.end()) {
      notes.push_back(result.note);
      text += fmt::format("note: {}\n", report::printable(result.note));
    }
  return text;
}

std::string clusters_text(const std::vector<CaseResult>& results) {
  std::string text;
  for (const CaseResult& result : results) {
    std::string lines;
    for (std::size_t i = 0; i < std::min(result.clusters.size(), shown_clusters); ++i)
      if (const auto& tokens = result.clusters[i]; tokens.size() > 1)
        lines += "  " + report::words_line(words_of(result, tokens), line_width) + "\n";
    if (!lines.empty())
      text += label_of(result) + "\n" + lines;
  }
  return text.empty() ? text : "largest clusters:\n" + text;
}

nlohmann::ordered_json results_json(const std::vector<CaseResult>& results, experiment::ExitCode code) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const CaseResult& result : results) {
    nlohmann::ordered_json one = {{"case", label_of(result)}, {"scheme", result.scheme}, {"label", result.label}};
    for (const auto& varied : result.varied)
      one["varied"][varied.path] = varied.text;
    one["outcome"] = outcome_of(result);
    one["exit_code"] = static_cast<int>(result.exit_code);
    if (!result.problem.empty())
      one["problem"] = result.problem;
    if (!result.note.empty())
      one["note"] = result.note;
    if (result.summary) {
      one["file"] = result.path;
      one["run_id"] = result.run_id;
      one["time"] = result.summary->outcome.time;
      one["clusters"] = result.n_clusters;
      one["mean_cosine"] = result.mean_cosine;
      one["clock"] = result.summary->clock;
      one["steps_accepted"] = result.summary->steps_accepted;
      one["steps_rejected"] = result.summary->steps_rejected;
      one["evaluations"] = result.summary->evaluations;
      one["wall_seconds"] = result.summary->wall_seconds;
    }
    cases.push_back(std::move(one));
  }
  return {{"exit_code", static_cast<int>(code)}, {"cases", std::move(cases)}};
}

} // namespace normdyn::cli
