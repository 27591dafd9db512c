#include "json_text.hpp"
#include "verb.hpp"

#include "normdyn/report/number_text.hpp"
#include "normdyn/storage/run_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace normdyn::cli {
namespace {

using nlohmann::ordered_json;
using storage::AxisInfo;
using storage::RunReader;

std::string fact_text(const storage::Fact& fact) {
  return std::visit([](const auto& value) { return fmt::format("{}", value); }, fact.second);
}

std::string axis_text(const AxisInfo& axis) {
  return axis.rows == 0 ? "none" : fmt::format("{} rows, t = {} to {}", axis.rows, axis.first, axis.last);
}

// Long facts (flags, environment) are for --json; a person wants to see how the run went and what made it.
constexpr std::string_view shown_facts[] = {"steps_accepted",  "steps_rejected", "rhs_evals", "wall_seconds",
                                            "normdyn_version", "git_commit",     "compiler",  "start_time"};

std::string report(const RunReader& run, const std::string& path, bool with_config) {
  const auto& header = run.header();
  std::string text;
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  line("file", fmt::format("{} ({})", path, report::bytes_text(static_cast<double>(std::filesystem::file_size(path)))));
  if (!header.title.empty())
    line("title", header.title);
  line("run id", header.run_id);
  line("ended", fmt::format("{}: {}", storage::status_text(run.status()),
                            run.stop_reason().empty() ? "no reason is recorded" : run.stop_reason()));
  line("scheme", header.scheme + (header.label == header.scheme ? "" : " (" + header.label + ")"));
  line("tokens", fmt::format("n = {}, d = {}: {}", header.n_tokens, header.dim, header.generator));
  line("beta", fmt::format("{}", header.beta));
  line("seed", fmt::format("{}", header.seed));
  line("states", axis_text(run.states()));
  line("observables", axis_text(run.observables()));
  const bool has_rows = run.observables().rows > 0;
  for (const storage::SeriesVariable& variable : header.series) {
    std::string last;
    if (has_rows && variable.width() == 1)
      last = fmt::format(" = {:.6g} at the end", run.series(variable.name).back());
    text += fmt::format("  {:<24}{}{}\n", variable.name, variable.long_name, last);
  }
  for (const storage::EventRecord& event : run.events())
    line("event", fmt::format("{} at t = {:.12g}", event.name, event.time));
  for (const storage::RunInput& input : header.inputs)
    line("input", fmt::format("{} = {} (SHA-256 {}...)", input.key, input.path, input.sha256.substr(0, 12)));
  for (const std::string_view name : shown_facts)
    for (const storage::Fact& fact : run.facts())
      if (fact.first == name)
        line(fact.first, fact_text(fact));
  if (with_config)
    text += "\n" + header.config;
  return text;
}

ordered_json to_json(const RunReader& run, const std::string& path) {
  const auto& header = run.header();
  ordered_json out = {{"file", path},
                      {"title", header.title},
                      {"run_id", header.run_id},
                      {"status", storage::status_text(run.status())},
                      {"stop_reason", run.stop_reason()},
                      {"scheme", header.scheme},
                      {"label", header.label},
                      {"n_tokens", header.n_tokens},
                      {"dim", header.dim},
                      {"beta", header.beta},
                      {"seed", header.seed},
                      {"generator", header.generator},
                      {"state_rows", run.states().rows},
                      {"observable_rows", run.observables().rows}};
  out["variables"] = ordered_json::array();
  for (const storage::SeriesVariable& variable : header.series)
    out["variables"].push_back(variable.name);
  out["events"] = ordered_json::array();
  for (const storage::EventRecord& event : run.events())
    out["events"].push_back({{"name", event.name}, {"time", event.time}, {"value", event.value}});
  out["inputs"] = ordered_json::array();
  for (const storage::RunInput& input : header.inputs)
    out["inputs"].push_back({{"key", input.key}, {"path", input.path}, {"sha256", input.sha256}});
  for (const storage::Fact& fact : run.facts())
    std::visit([&](const auto& value) { out["provenance"][fact.first] = value; }, fact.second);
  out["config"] = header.config;
  return out;
}

class InspectVerb final : public Verb {
 public:
  std::string name() const override { return "inspect"; }
  std::string summary() const override { return "says what a run file holds and how the run ended"; }
  std::vector<std::string> examples() const override {
    return {"normdyn inspect out/*.h5", "normdyn inspect out/run.h5 --json"};
  }
  void add_options(CLI::App& app) override {
    app.add_option("file", paths_, "run files")->required();
    app.add_flag("--config", with_config_, "print the resolved config too");
    app.add_flag("--json", json_, "print everything as JSON; of several files a list \"files\"");
  }
  ExitCode run() override {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const std::string& path : paths_) {
      const RunReader run(path);
      if (json_)
        all.push_back(to_json(run, path));
      else
        fmt::print("{}{}", path == paths_.front() ? "" : "\n", report(run, path, with_config_));
    }
    if (json_)
      fmt::print("{}", json_text(all.size() == 1 ? all.front() : ordered_json{{"files", all}}));
    return ExitCode::done;
  }

 private:
  std::vector<std::string> paths_;
  bool with_config_ = false, json_ = false;
};

} // namespace

std::unique_ptr<Verb> make_inspect_verb() {
  return std::make_unique<InspectVerb>();
}

} // namespace normdyn::cli
