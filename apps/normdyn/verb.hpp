#pragma once
// A verb of the program: `normdyn <verb> ...`. Adding one: its file, and a line in verbs.cpp.

#include "normdyn/experiment/run_case.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace normdyn::cli {

using experiment::ExitCode;

class Verb {
 public:
  virtual ~Verb() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string summary() const = 0;
  [[nodiscard]] virtual std::vector<std::string> examples() const = 0; ///< two or more
  virtual void add_options(CLI::App& app) = 0;
  /// Results to stdout, progress to stderr. Trouble is thrown.
  [[nodiscard]] virtual ExitCode run() = 0;
};

[[nodiscard]] std::vector<std::unique_ptr<Verb>> all_verbs();

[[nodiscard]] std::unique_ptr<Verb> make_run_verb();
[[nodiscard]] std::unique_ptr<Verb> make_inspect_verb();
[[nodiscard]] std::unique_ptr<Verb> make_rates_verb();
[[nodiscard]] std::unique_ptr<Verb> make_reduced_verb();
[[nodiscard]] std::unique_ptr<Verb> make_explain_verb();
[[nodiscard]] std::unique_ptr<Verb> make_template_verb();
[[nodiscard]] std::unique_ptr<Verb> make_reproduce_verb();
[[nodiscard]] std::unique_ptr<Verb> make_cite_verb();
[[nodiscard]] std::unique_ptr<Verb> make_doctor_verb();

/// The command line of this process, for the history of run files: program by its plain name, no folders of the user's
/// home.
[[nodiscard]] const std::string& command_line();
void remember_command_line(int argc, const char* const* argv);

} // namespace normdyn::cli
