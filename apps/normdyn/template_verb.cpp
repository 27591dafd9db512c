#include "verb.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/initial/initial_state.hpp"
#include "normdyn/integrate/solve.hpp"
#include "normdyn/observables/observable.hpp"
#include "normdyn/schemes/registry.hpp"

#include <fmt/format.h>

namespace normdyn::cli {
namespace {

using schemes::SchemeFacts;

// Options that have a default stand in a comment, "# key = value"; taking the "# " away is always right.
std::string scheme_section(const SchemeFacts& facts) {
  std::string text = fmt::format("[scheme]                       # {}\nname = \"{}\"\n", facts.equation, facts.name);
  for (const schemes::OptionHelp& option : facts.options) {
    const bool is_required = option.default_text.empty();
    const std::string_view value = option.example.empty() ? option.default_text : option.example;
    text += fmt::format("{}{} = {}   # {}{}\n", is_required ? "" : "# ", option.key, value, option.meaning,
                        is_required ? "" : fmt::format(" (default: {})", option.default_text));
  }
  return text;
}

// Names in lines of a comment no longer than the rest.
std::string wrapped(const std::vector<std::string>& names) {
  std::string text, line = "#";
  for (const std::string& name : names) {
    if (line.size() + name.size() + 1 > 110) {
      text += line + "\n";
      line = "#";
    }
    line += " " + name;
  }
  return text + line + "\n";
}

std::string template_text(const SchemeFacts& facts) {
  std::string text =
      fmt::format(R"toml(# A study of scheme {0}. Lines that begin with "# key =" show defaults or further options.
title = "64 tokens under {0}"
seed = 1

[initial]
kind = "gaussian"              # X(0) with normal components, its norms are r(0). All laws:
)toml",
                  facts.name);
  text += wrapped(initial::initial_law_names());
  text += R"toml(tokens = 64
dim = 16
# norms = "keep"               # or "unit", or a number

[attention]
beta = 4.0                     # inverse temperature: a number, a formula in t, n, d, or { times = [...], values = [...] }
# kind = "softmax"             # or "unnormalized": (1/n) sum_k exp(s_jk) V theta_k
# mask = "full"                # or "causal"
# heads = 1

# [weights]                    # Q = K = V = I without this section
# query = { draw = "gaussian", std = "1/sqrt(d)" }
# key = { draw = "gaussian", std = "1/sqrt(d)" }
# value = { draw = "orthogonal" }

)toml";
  text += scheme_section(facts);
  text += R"toml(
[time]
end = 20.0
# stop = { when = "max_angle < 1e-6" }   # end early; any observable and a level
# (mode = "layers" with layers = 64 and step = 1.0 runs the network's own layers instead of the flow)

[solver]
# method = "dop853"            # for rtol < 1e-7, else "dopri5"; one of:
)toml";
  text += wrapped(integrate::method_names());
  text += fmt::format(R"toml(# rtol = 1e-8
# atol = 1e-10

[output]
file = "out/{}.h5"           # relative to this file
states = {{ spacing = "log", from = 0.01, count = 61 }}
observables = {{ spacing = "log", from = 0.01, count = 201 }}
# cluster_angle = "8 deg"
record = ["mean_cosine", "n_clusters", "variance", "clock"]   # any of:
)toml",
                      facts.name);
  return text + wrapped(observables::observable_names());
}

class TemplateVerb final : public Verb {
 public:
  std::string name() const override { return "template"; }
  std::string summary() const override { return "writes a commented config that runs as it is"; }
  std::vector<std::string> examples() const override {
    return {"normdyn template pre_ln > my.toml", "normdyn template mix_ln > mix.toml"};
  }
  void add_options(CLI::App& app) override { app.add_option("scheme", scheme_, "a scheme: " + core::listed(names())); }

  ExitCode run() override {
    if (scheme_.empty())
      throw core::InputError("template", "no scheme is given", "one of " + core::listed(names()));
    for (const SchemeFacts& facts : schemes::all_schemes())
      if (scheme_ == facts.name || scheme_ == facts.alias) {
        fmt::print("{}", template_text(facts));
        return ExitCode::done;
      }
    throw core::InputError("template", fmt::format("there is no scheme '{}'", scheme_),
                           core::suggestion(scheme_, names()));
  }

 private:
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const SchemeFacts& facts : schemes::all_schemes())
      names.push_back(facts.name);
    return names;
  }
  std::string scheme_;
};

} // namespace

std::unique_ptr<Verb> make_template_verb() {
  return std::make_unique<TemplateVerb>();
}

} // namespace normdyn::cli
