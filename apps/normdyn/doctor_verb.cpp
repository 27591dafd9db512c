#include "json_text.hpp"
#include "verb.hpp"

#include "normdyn/experiment/build_facts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace normdyn::cli {
namespace {

using storage::Fact;

std::string text_of(const Fact& fact) {
  return std::visit([](const auto& value) { return fmt::format("{}", value); }, fact.second);
}

// What is known to go wrong on a machine, each as a sentence with what to do.
std::vector<std::string> warnings(const std::vector<Fact>& facts) {
  std::vector<std::string> found;
  std::string in_use, headers;
  for (const Fact& fact : facts) {
    if (fact.first == "hdf5_version")
      in_use = text_of(fact);
    if (fact.first == "hdf5_headers_version")
      headers = text_of(fact);
    if (fact.first == "build_type" && text_of(fact) != "Release")
      found.push_back(
          fmt::format("this is a {} build: right, but slow; cmake --preset release makes a fast one", text_of(fact)));
    if (fact.first == "git_dirty" && text_of(fact) == "1")
      found.push_back("this build has changes that no commit holds: its run files cannot be repeated from a commit");
  }
  if (in_use != headers)
    found.push_back(fmt::format("HDF5 {} is in use, but the build saw {}: rebuild", in_use, headers));
  return found;
}

class DoctorVerb final : public Verb {
 public:
  std::string name() const override { return "doctor"; }
  std::string summary() const override { return "reports versions and the machine, for bug reports"; }
  std::vector<std::string> examples() const override { return {"normdyn doctor", "normdyn doctor --json"}; }
  void add_options(CLI::App& app) override { app.add_flag("--json", json_, "print as JSON"); }

  ExitCode run() override {
    std::vector<Fact> facts = experiment::build_facts();
    for (Fact& fact : experiment::machine_facts(false))
      facts.push_back(std::move(fact));
    const std::vector<std::string> found = warnings(facts);
    if (json_) {
      nlohmann::ordered_json out;
      for (const Fact& fact : facts)
        std::visit([&](const auto& value) { out[fact.first] = value; }, fact.second);
      out["warnings"] = found;
      fmt::print("{}", json_text(out));
      return ExitCode::done;
    }
    for (const Fact& fact : facts)
      fmt::print("{:<22}{}\n", fact.first, text_of(fact));
    for (const std::string& warning : found)
      fmt::print("warning: {}\n", warning);
    return ExitCode::done;
  }

 private:
  bool json_ = false;
};

} // namespace

std::unique_ptr<Verb> make_doctor_verb() {
  return std::make_unique<DoctorVerb>();
}

} // namespace normdyn::cli
