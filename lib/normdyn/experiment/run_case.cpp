#include "normdyn/experiment/run_case.hpp"

#include "normdyn/analysis/cluster_groups.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/experiment/build_facts.hpp"
#include "normdyn/experiment/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>

namespace normdyn::experiment {
namespace {

using integrate::Outcome;

storage::Status status_of(Outcome::Kind kind) {
  switch (kind) {
  case Outcome::Kind::completed:
    return storage::Status::completed;
  case Outcome::Kind::event:
    return storage::Status::event;
  case Outcome::Kind::stopped:
    return storage::Status::stopped;
  default:
    return storage::Status::failed;
  }
}

ExitCode exit_code_of(const Outcome& outcome) {
  if (outcome.is_failure())
    return ExitCode::numerical_end;
  return outcome.kind == Outcome::Kind::stopped ? ExitCode::stopped : ExitCode::done;
}

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty())
    std::filesystem::create_directories(folder, failed);
  if (failed)
    throw core::FileError(folder.string(), fmt::format("the folder cannot be made: {}", failed.message()),
                          "choose another place with --output");
}

// The last frame as the table shows it.
void add_closing(CaseResult& result, const Study& study, const dynamics::TokenEquation& equation,
                 const integrate::SolveSummary& summary) {
  const std::size_t n = study.initial.n_tokens, dim = study.initial.dim;
  std::vector<double> theta(n * dim), radius(equation.has_radius() ? n : 0);
  equation.frame(summary.final_state, theta, radius);
  observables::Frame frame;
  frame.time = summary.outcome.time;
  frame.n_tokens = n;
  frame.dim = dim;
  frame.theta = theta;
  frame.radius = radius;
  frame.initial_theta = study.initial.theta;
  frame.clock = summary.clock;
  frame.beta = study.plan.beta(summary.outcome.time);
  for (const auto& observable : study.closing) {
    std::size_t width = 0;
    for (const auto& variable : observable->variables())
      width += variable.width();
    std::vector<double> values(width);
    observable->measure(frame, values);
    std::size_t at = 0;
    for (const auto& variable : observable->variables()) {
      if (variable.name == "mean_cosine")
        result.mean_cosine = values[at];
      if (variable.name == "n_clusters")
        result.n_clusters = static_cast<std::int64_t>(values[at]);
      at += variable.width();
    }
  }
  if (std::all_of(theta.begin(), theta.end(), [](double x) { return std::isfinite(x); }))
    for (const analysis::ClusterGroup& group : analysis::cluster_groups(theta, dim, study.output.cluster_angle))
      result.clusters.push_back(group.tokens);
}

storage::RunEnd run_end(const CaseResult& result, const integrate::SolveSummary& summary, double cpu_seconds) {
  return {.status = status_of(summary.outcome.kind),
          .stop_reason = summary.outcome.text,
          .counts = {{"outcome", std::string(integrate::outcome_name(summary.outcome.kind))},
                     {"exit_code", static_cast<std::int64_t>(result.exit_code)},
                     {"steps_accepted", summary.steps_accepted},
                     {"steps_rejected", summary.steps_rejected},
                     {"rhs_evals", summary.evaluations},
                     {"output_evals", summary.output_evaluations},
                     {"first_step", summary.first_step},
                     {"last_step", summary.last_step},
                     {"wall_seconds", summary.wall_seconds},
                     {"cpu_seconds", cpu_seconds},
                     {"end_time", utc_now()}}};
}

} // namespace

ExitCode worst(ExitCode a, ExitCode b) {
  constexpr std::array order = {ExitCode::done,         ExitCode::stopped,       ExitCode::wrong_input,
                                ExitCode::check_failed, ExitCode::numerical_end, ExitCode::file_trouble,
                                ExitCode::fault,        ExitCode::interrupted};
  const auto rank = [&](ExitCode code) { return std::find(order.begin(), order.end(), code); };
  return rank(a) < rank(b) ? b : a;
}

void require_free_output(const Study& study, bool overwrite) {
  std::error_code ignored;
  if (std::filesystem::is_directory(study.output.path, ignored))
    throw core::InputError(study.output.path, "is a folder", "name a file in it");
  if (!overwrite && std::filesystem::exists(study.output.path, ignored))
    throw core::InputError(study.output.path, "the file exists", "give --overwrite to replace it, or another --output");
}

CaseResult run_case(const Study& study, const RunOptions& options, Watcher& watcher) {
  require_free_output(study, options.overwrite);
  make_folder_of(study.output.path);
  CaseResult result;
  result.scheme = study.scheme;
  result.label = study.label;
  result.varied = study.varied;
  result.path = study.output.path;
  result.labels = study.initial.labels;
  result.note = study.initial.note;
  const dynamics::TokenEquation equation = make_equation(study);
  const storage::RunHeader header = make_header(study, options);
  result.run_id = header.run_id;
  storage::RunWriter writer(study.output.path, header, options.overwrite);
  Recorder recorder(study, writer, watcher);

  const std::clock_t begin = std::clock();
  integrate::SolveSummary summary =
      integrate::solve(equation, equation.state(study.initial.theta, study.initial.radius), study.time.span,
                       study.solve, study.plan, recorder);
  const double cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;

  if (summary.outcome.is_failure() && !summary.outcome.text.starts_with(study.scheme))
    summary.outcome.text = study.scheme + ": " + summary.outcome.text;
  result.exit_code = exit_code_of(summary.outcome);
  if (result.exit_code != ExitCode::done)
    result.problem = summary.outcome.text;
  writer.finish(run_end(result, summary, cpu_seconds));
  add_closing(result, study, equation, summary);
  result.summary = std::move(summary);
  return result;
}

} // namespace normdyn::experiment
