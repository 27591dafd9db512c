#include "json_text.hpp"
#include "verb.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/experiment/build_facts.hpp"
#include "normdyn/experiment/plan.hpp"
#include "normdyn/integrate/solve.hpp"
#include "normdyn/storage/run_reader.hpp"
#include "normdyn/theorems/citations.hpp"
#include "normdyn/theorems/claim.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace normdyn::cli {
namespace {

using theorems::Citation;

/// Why something is cited, and the keys of what is.
struct Reason {
  std::string what; ///< "scheme pre_ln"
  std::vector<std::string> keys;
  bool operator==(const Reason&) const = default;
};

Citation of_program() {
  return {.key = "normdyn",
          .type = "software",
          .authors = {"{The normdyn developers}"},
          .title = "normdyn: normalized attention dynamics",
          .where = "Version " + experiment::version(),
          .fields = {{"version", experiment::version()}}};
}

/// Collects reasons in the order in which they come up, each once.
class Reasons final {
 public:
  void add(std::string what, std::vector<std::string> keys) {
    Reason reason{std::move(what), std::move(keys)};
    if (!reason.keys.empty() && std::find(all_.begin(), all_.end(), reason) == all_.end())
      all_.push_back(std::move(reason));
  }
  void add_scheme(const std::string& name) { add("scheme " + name, theorems::citations_of_scheme(name)); }
  void add_method(const std::string& name) { add("method " + name, theorems::citations_of_method(name)); }
  [[nodiscard]] const std::vector<Reason>& all() const { return all_; }

 private:
  std::vector<Reason> all_;
};

void add_study(Reasons& reasons, const std::string& path) {
  const experiment::Config config = experiment::load_config(path);
  (void)experiment::plan_cases(config, {}, [&](const experiment::Study& study) {
    reasons.add_scheme(study.scheme);
    reasons.add_method(integrate::method_name(study.solve.method));
  });
}

// The inputs of the run may be gone: the file alone says what it used.
void add_run(Reasons& reasons, const std::string& path) {
  const storage::RunReader run(path);
  reasons.add_scheme(run.header().scheme);
  const experiment::Config config = experiment::parse_config(run.header().config, path);
  const core::Value* solver = config.root.find("solver");
  const core::Value* method = solver == nullptr ? nullptr : solver->find("method");
  if (method != nullptr && method->is_text())
    reasons.add_method(method->text());
}

std::vector<const theorems::Claim*> claims_named(const std::string& name) {
  try {
    return theorems::find_claims({name});
  } catch (const core::InputError& error) {
    throw core::InputError("cite", error.problem(),
                           error.remedy() + "; studies end in .toml, and run files in .h5 or .hdf5");
  }
}

void add_claims(Reasons& reasons, const std::string& name) {
  for (const theorems::Claim* claim : claims_named(name))
    reasons.add(fmt::format("claim {}: {}", claim->id, claim->title), claim->citations);
}

bool is_path(const std::string& word) {
  return word.find('/') != std::string::npos || word.ends_with(".toml") || word.ends_with(".h5") ||
         word.ends_with(".hdf5");
}

// "{The normdyn developers}": braces keep names together in BibTeX, and mean nothing elsewhere.
std::vector<std::string> without_braces(std::vector<std::string> names) {
  for (std::string& name : names)
    std::erase_if(name, [](char letter) { return letter == '{' || letter == '}'; });
  return names;
}

class CiteVerb final : public Verb {
 public:
  std::string name() const override { return "cite"; }
  std::string summary() const override { return "says what to cite for a study, a run file or a claim"; }
  std::vector<std::string> examples() const override {
    return {"normdyn cite my.toml", "normdyn cite out/run.h5 --bibtex > normdyn.bib", "normdyn cite NA-8"};
  }
  void add_options(CLI::App& app) override {
    app.add_option("what", words_, "studies (.toml), run files (.h5), claims by id or alias; none: the program alone");
    CLI::Option* bibtex = app.add_flag("--bibtex", bibtex_, "print BibTeX entries, each once");
    app.add_flag("--json", json_, "print as JSON")->excludes(bibtex);
  }

  ExitCode run() override {
    Reasons reasons;
    reasons.add("the program", {"normdyn"});
    reasons.add("the theory", {"normalization-attention"});
    for (const std::string& word : words_) {
      if (!is_path(word))
        add_claims(reasons, word);
      else if (word.ends_with(".toml"))
        add_study(reasons, word);
      else
        add_run(reasons, word);
    }
    reasons.add("the libraries it stands on", theorems::citations_of_libraries());
    if (bibtex_)
      print_bibtex(reasons.all());
    else if (json_)
      print_json(reasons.all());
    else
      print_text(reasons.all());
    return ExitCode::done;
  }

 private:
  static Citation cited(const std::string& key) {
    if (key == "normdyn")
      return of_program();
    const Citation* found = theorems::find_citation(key);
    core::believe(found != nullptr, "every key that is cited stands in the table");
    return *found;
  }

  static void print_text(const std::vector<Reason>& reasons) {
    for (const Reason& reason : reasons) {
      fmt::print("{}\n", reason.what);
      for (const std::string& key : reason.keys)
        fmt::print("    {}\n", citation_text(cited(key)));
    }
  }

  static void print_bibtex(const std::vector<Reason>& reasons) {
    std::vector<std::string> printed;
    for (const Reason& reason : reasons)
      for (const std::string& key : reason.keys)
        if (std::find(printed.begin(), printed.end(), key) == printed.end()) {
          fmt::print("{}{}", printed.empty() ? "" : "\n", citation_bibtex(cited(key)));
          printed.push_back(key);
        }
  }

  static void print_json(const std::vector<Reason>& reasons) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Reason& reason : reasons)
      for (const std::string& key : reason.keys) {
        const Citation one = cited(key);
        nlohmann::ordered_json year = nullptr, arxiv = nullptr; // where there is none
        if (one.year > 0)
          year = one.year;
        if (!one.arxiv.empty())
          arxiv = one.arxiv;
        out.push_back({{"for", reason.what},
                       {"key", one.key},
                       {"authors", without_braces(one.authors)},
                       {"title", one.title},
                       {"year", std::move(year)},
                       {"arxiv", std::move(arxiv)},
                       {"text", citation_text(one)}});
      }
    fmt::print("{}", json_text({{"citations", std::move(out)}}));
  }

  std::vector<std::string> words_;
  bool bibtex_ = false, json_ = false;
};

} // namespace

std::unique_ptr<Verb> make_cite_verb() {
  return std::make_unique<CiteVerb>();
}

} // namespace normdyn::cli
