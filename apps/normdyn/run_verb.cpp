#include "console.hpp"
#include "json_text.hpp"
#include "option_checks.hpp"
#include "patient_output.hpp"
#include "progress_line.hpp"
#include "result_table.hpp"
#include "stop_signal.hpp"
#include "study_source.hpp"
#include "verb.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

namespace normdyn::cli {
namespace {

using experiment::CaseResult;
using experiment::PlannedCase;

class RunVerb final : public Verb {
 public:
  std::string name() const override { return "run"; }
  std::string summary() const override { return "runs a study; with [sweep], its cases one after the other"; }
  std::vector<std::string> examples() const override {
    return {"normdyn run my.toml --set attention.beta=3 --set time.end=50",
            "normdyn run --from out/run.h5 --output again.h5"};
  }
  void add_options(CLI::App& app) override {
    source_.add_options(app);
    app.add_flag("--overwrite", overwrite_, "replace run files that exist");
    app.add_option("--threads", threads_,
                   "threads of one evaluation (default: all processors); results do not depend on it")
        ->type_name("NUMBER")
        ->check(whole_number(1, 4096));
    app.add_flag("--quiet,-q", quiet_, "print nothing unless there is trouble");
    app.add_flag("--json", json_, "print the results as JSON");
  }

  ExitCode run() override {
    if (threads_ > 0)
      omp_set_num_threads(threads_);
    const LoadedStudy loaded = load_study(source_);
    const std::vector<PlannedCase> planned = plan_study(loaded, true, overwrite_);
    watch_stop_signals();
    ProgressLine progress(!quiet_ && can_rewrite_line());
    std::vector<CaseResult> results;
    for (std::size_t i = 0; i < planned.size() && !stop_requested(); ++i) {
      progress.begin_case(i, planned.size());
      results.push_back(planned.size() == 1 ? run_case(loaded, planned[i], progress)
                                            : run_one_of_many(loaded, planned[i], progress));
      progress.clear();
      if (planned.size() > 1 && !results.back().problem.empty())
        print_problem(planned[i].label + ": " + results.back().problem);
    }
    ExitCode code = results.size() < planned.size() ? ExitCode::stopped : ExitCode::done;
    for (const CaseResult& result : results)
      code = experiment::worst(code, result.exit_code);
    show(results, planned.size(), code);
    return worst(code, output_.ending());
  }

 private:
  CaseResult run_case(const LoadedStudy& loaded, const PlannedCase& planned, ProgressLine& progress) const {
    experiment::RunOptions options;
    options.overwrite = overwrite_;
    options.command_line = command_line();
    if (loaded.record)
      options.note = "repeats a run";
    return experiment::run_case(experiment::read_study(planned.one, loaded.config, loaded.options), options, progress);
  }

  // A case that cannot be run does not stop the others; alone, it is what the command fails with.
  CaseResult run_one_of_many(const LoadedStudy& loaded, const PlannedCase& planned, ProgressLine& progress) const {
    CaseResult failed;
    failed.label = failed.scheme = planned.label;
    failed.path = planned.path;
    try {
      return run_case(loaded, planned, progress);
    } catch (const core::FileError& error) {
      failed.problem = error.what();
      failed.exit_code = ExitCode::file_trouble;
    } catch (const core::InputError& error) {
      failed.problem = error.what();
      failed.exit_code = ExitCode::wrong_input;
    }
    return failed;
  }

  void show(const std::vector<CaseResult>& results, std::size_t n_planned, ExitCode code) {
    const bool is_single = n_planned == 1;
    if (is_single && results.size() == 1 && !results.front().problem.empty())
      print_problem(results.front().problem);
    if (json_) {
      output_.print(json_text(results_json(results, code)));
      return;
    }
    if (quiet_)
      return;
    if (n_planned == 0) {
      output_.print("the sweep has no cases\n");
      return;
    }
    std::string text = table_text(results, wants_color(STDOUT_FILENO));
    if (results.size() < n_planned)
      text += fmt::format("stopped: {} of {} cases were not begun\n", n_planned - results.size(), n_planned);
    if (const std::string clusters = clusters_text(results); !clusters.empty() && results.size() <= 8)
      text += "\n" + clusters;
    std::string files, first;
    for (const CaseResult& result : results)
      if (result.summary) {
        files += "  " + result.path + "\n";
        first = first.empty() ? result.path : first;
      }
    if (!files.empty())
      text += fmt::format("\nfiles:\n{}next: normdyn inspect {}\n", files, first);
    output_.print(text);
  }

  StudySource source_{};
  bool overwrite_ = false, quiet_ = false, json_ = false;
  int threads_ = 0;
  PatientOutput output_{};
};

} // namespace

std::unique_ptr<Verb> make_run_verb() {
  return std::make_unique<RunVerb>();
}

} // namespace normdyn::cli
