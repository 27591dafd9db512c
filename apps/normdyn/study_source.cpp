#include "study_source.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/experiment/run_case.hpp"

#include <unistd.h>

namespace normdyn::cli {
namespace {

std::vector<std::string> environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry)
    entries.emplace_back(*entry);
  return entries;
}

} // namespace

void StudySource::add_options(CLI::App& app) {
  app.add_option("study", study, "the config, e.g. study.toml");
  app.add_option("--from", from, "take the config from this run file instead");
  app.add_option("--set", sets, "section.key=value: replaces a value of the config; may be given several times")
      ->allow_extra_args(false);
  app.add_option("--output,-o", output,
                 "the run file (default: output.file of the config); {scheme} and swept keys are filled in");
}

LoadedStudy load_study(const StudySource& source) {
  if (source.study.empty() == source.from.empty())
    throw core::InputError("", source.study.empty() ? "no study is given" : "a study and --from are given",
                           source.study.empty() ? "name a config (study.toml) or a run file (--from run.h5)"
                                                : "give one of them");
  LoadedStudy loaded;
  loaded.options.output = source.output;
  if (!source.from.empty()) {
    loaded.record = experiment::read_run_record(source.from);
    loaded.config = loaded.record->config; // the environment stays out: a repetition depends on the file alone
    if (source.output.empty())
      loaded.options.output = loaded.record->output;
    experiment::apply_sets(loaded.config, source.sets);
  } else {
    loaded.config = experiment::load_config(source.study);
    experiment::apply_environment(loaded.config, environment());
    for (const std::string& set : source.sets)
      experiment::apply_set(loaded.config, set);
  }
  return loaded;
}

std::vector<experiment::PlannedCase> plan_study(const LoadedStudy& loaded, bool needs_free_output, bool overwrite) {
  return experiment::plan_cases(loaded.config, loaded.options, [&](const experiment::Study& study) {
    if (loaded.record)
      experiment::require_same_inputs(study, *loaded.record);
    if (needs_free_output)
      experiment::require_free_output(study, overwrite);
  });
}

} // namespace normdyn::cli
