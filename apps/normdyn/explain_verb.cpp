#include "json_text.hpp"
#include "study_source.hpp"
#include "verb.hpp"

#include "normdyn/attention/simd.hpp"
#include "normdyn/experiment/canonical.hpp"
#include "normdyn/experiment/estimate.hpp"
#include "normdyn/report/number_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace normdyn::cli {
namespace {

using experiment::Estimate;
using experiment::PlannedCase;
using experiment::Study;
using nlohmann::ordered_json;

std::string breakpoints_text(const std::vector<double>& times) {
  if (times.empty())
    return "none";
  std::string text;
  for (std::size_t i = 0; i < times.size() && i < 8; ++i)
    text += fmt::format("{}t = {}", i > 0 ? ", " : "", times[i]);
  return times.size() > 8 ? fmt::format("{}, ... ({} in all)", text, times.size()) : text;
}

std::string rows_text(const std::optional<std::int64_t>& rows) {
  return rows ? fmt::format("{}", *rows) : "as many as there are steps";
}

std::string short_duration(double seconds) {
  return seconds < 0.01 ? report::number_text(seconds * 1e3, 3) + " ms" : report::duration_text(seconds);
}

std::string cost_text(const Estimate& cost) {
  std::string text = "one evaluation takes " + short_duration(cost.seconds_per_evaluation) + " here";
  if (cost.n_steps)
    return text + fmt::format("; {} steps: about {} without observables", *cost.n_steps, short_duration(*cost.seconds));
  if (cost.evaluations_per_step == 0)
    return text + "; the method chooses order and step as it goes";
  const auto steps = static_cast<double>(1000 * cost.evaluations_per_step);
  return text + fmt::format("; the method chooses its steps: about {} per 1000 of them, without observables",
                            short_duration(steps * cost.seconds_per_evaluation));
}

std::string method_text(const Study& study) {
  if (study.time.in_layers)
    return "the layer map";
  const integrate::SolveOptions& solve = study.solve;
  const std::string name = integrate::method_name(solve.method);
  if (solve.step > 0.0 || solve.method != integrate::default_method(solve.tolerance.rtol))
    return name;
  return fmt::format("{}, the default for rtol {} {}", name,
                     solve.tolerance.rtol < integrate::high_order_below ? "<" : ">=", integrate::high_order_below);
}

std::string report(const Study& study, const Estimate& cost) {
  const auto& initial = study.initial;
  const bool layers = study.time.in_layers;
  std::string text;
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{:<12}{}\n", name, value);
  };
  if (!study.title.empty())
    line("title", study.title);
  line("scheme", study.scheme + (study.label == study.scheme ? "" : " (" + study.label + ")"));
  line("equation",
       std::string(layers ? schemes::layer_map_of(study.model.scheme) : schemes::equation_of(study.model.scheme)));
  line(
      "attention",
      fmt::format("{}, {} mask, beta = {}, weights: {}",
                  study.model.attention.normalization == attention::Normalization::softmax ? "softmax" : "unnormalized",
                  study.model.attention.mask == attention::Mask::full ? "full" : "causal", study.model.beta.text(),
                  study.model.weights->text()));
  line("tokens", fmt::format("n = {}, d = {}: {}", initial.n_tokens, initial.dim, initial.generator));
  if (!initial.note.empty())
    line("", initial.note);
  line("time", layers ? fmt::format("{} layers of step {}", study.time.n_layers, study.time.step)
                      : fmt::format("{} to {}", study.time.span.begin, study.time.span.end));
  line("breakpoints", breakpoints_text(experiment::breakpoints(study)));
  line("method", method_text(study));
  line("kernel", experiment::kernel_in_use(study) + " (attention), " + attention::simd_target());
  line("memory", "about " + report::bytes_text(static_cast<double>(cost.memory_bytes)));
  line("output",
       fmt::format("{}: {} rows of states, {} of observables{}", study.output.path, rows_text(cost.state_rows),
                   rows_text(cost.series_rows),
                   cost.output_bytes ? ", about " + report::bytes_text(static_cast<double>(*cost.output_bytes)) : ""));
  line("cost", cost_text(cost));
  line("run id", experiment::run_id(study.changed, study.seed, study.inputs));
  return text + "\nresolved config (defaults included):\n\n" + experiment::config_text(study.resolved);
}

ordered_json to_json(const PlannedCase& planned, const Study& study, const Estimate& cost) {
  ordered_json one = {{"case", planned.label},
                      {"scheme", study.scheme},
                      {"label", study.label},
                      {"equation", schemes::equation_of(study.model.scheme)},
                      {"layer_map", schemes::layer_map_of(study.model.scheme)},
                      {"mode", study.time.in_layers ? "layers" : "flow"},
                      {"n_tokens", study.initial.n_tokens},
                      {"dim", study.initial.dim},
                      {"generator", study.initial.generator},
                      {"begin", study.time.span.begin},
                      {"end", study.time.span.end},
                      {"breakpoints", experiment::breakpoints(study)},
                      {"file", study.output.path},
                      {"run_id", experiment::run_id(study.changed, study.seed, study.inputs)},
                      {"attention_kernel", experiment::kernel_in_use(study)},
                      {"memory_bytes", cost.memory_bytes},
                      {"seconds_per_evaluation", cost.seconds_per_evaluation}};
  if (cost.output_bytes)
    one["output_bytes"] = *cost.output_bytes;
  if (cost.n_steps)
    one["steps"] = *cost.n_steps;
  for (const auto& input : study.inputs)
    one["inputs"].push_back({{"key", input.key}, {"path", input.path}, {"sha256", input.sha256}});
  one["config"] = experiment::config_text(study.resolved);
  return one;
}

class ExplainVerb final : public Verb {
 public:
  std::string name() const override { return "explain"; }
  std::string summary() const override { return "shows what a study is and costs, without running it"; }
  std::vector<std::string> examples() const override {
    return {"normdyn explain my.toml", "normdyn explain my.toml --set attention.beta=3 --json"};
  }
  void add_options(CLI::App& app) override {
    source_.add_options(app);
    app.add_flag("--json", json_, "print everything as JSON, case by case");
  }

  ExitCode run() override {
    const LoadedStudy loaded = load_study(source_);
    const std::vector<PlannedCase> planned = plan_study(loaded, false, false);
    if (json_) {
      ordered_json cases = ordered_json::array();
      for (const PlannedCase& one : planned) {
        const Study study = experiment::read_study(one.one, loaded.config, loaded.options);
        cases.push_back(to_json(one, study, experiment::estimate(study)));
      }
      fmt::print("{}", json_text({{"cases", std::move(cases)}}));
      return ExitCode::done;
    }
    if (planned.empty()) {
      fmt::print("the sweep has no cases\n");
      return ExitCode::done;
    }
    if (planned.size() > 1) {
      fmt::print("{} cases:\n", planned.size());
      for (const PlannedCase& one : planned)
        fmt::print("  {}  ->  {}\n", one.label, one.path);
      fmt::print("\nthe first of them:\n\n");
    }
    const Study study = experiment::read_study(planned.front().one, loaded.config, loaded.options);
    fmt::print("{}", report(study, experiment::estimate(study)));
    return ExitCode::done;
  }

 private:
  StudySource source_{};
  bool json_ = false;
};

} // namespace

std::unique_ptr<Verb> make_explain_verb() {
  return std::make_unique<ExplainVerb>();
}

} // namespace normdyn::cli
