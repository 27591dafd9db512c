// The program normdyn: finds the verb, reads its options, and turns trouble into one message and an exit code.

#include "console.hpp"
#include "patient_threads.hpp"
#include "stop_signal.hpp"
#include "verb.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/experiment/build_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>

namespace {

using namespace normdyn;
using cli::ExitCode;
using cli::Verb;

std::string overview(const std::vector<std::unique_ptr<Verb>>& verbs) {
  std::string text =
      "normdyn: normalized attention dynamics, from a config to an HDF5 file\n\n"
      "Examples:\n  normdyn template pre_ln > my.toml\n  normdyn run my.toml --set attention.beta=3\n\nVerbs:\n";
  for (const auto& verb : verbs)
    text += fmt::format("  {:<10}{}\n", verb->name(), verb->summary());
  return text +
         "\nOptions:\n  --help     this text; 'normdyn run --help' that of a verb\n  --version  the version\n\n"
         "Exit codes: 0 done, 2 wrong usage or config, or more memory than there is, 3 numerical end, 4 file trouble,\n"
         "5 a verification failed, 70 a fault of normdyn, 75 stopped early with everything computed until then kept,\n"
         "130 a second Ctrl-C. 'rates' ends with 0 where it finds no rate: --json says so.\n";
}

Verb& find_verb(const std::vector<std::unique_ptr<Verb>>& verbs, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& verb : verbs) {
    if (verb->name() == word)
      return *verb;
    names.push_back(verb->name());
  }
  if (word.starts_with("-"))
    throw core::InputError("", fmt::format("there is no option '{}' before the verb", word),
                           "normdyn --help shows all");
  throw core::InputError("", fmt::format("there is no verb '{}'", word), core::suggestion(word, names));
}

void refuse_extras(const CLI::App& app, const std::string& verb) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty())
    return;
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (!word.starts_with("-"))
    throw core::InputError(verb, fmt::format("unexpected argument '{}'", extras.front()),
                           "normdyn " + verb + " --help shows what it takes");
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back(name);
  const std::string near = core::nearest(word.substr(word.find_first_not_of('-') == 2 ? 2 : 1), names);
  throw core::InputError(verb, fmt::format("there is no option '{}'", word),
                         near.empty() ? "normdyn " + verb + " --help shows all"
                                      : fmt::format("did you mean '--{}'?", near));
}

// "$FOLDER" of a shell where it is not set: taken for no option at all, work would be lost.
void refuse_empty(const CLI::App& app, const std::string& verb) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& result : option->results())
      if (result.empty())
        throw core::InputError(verb, fmt::format("{} is empty", option->get_name()),
                               "give it a value, or leave it out");
}

ExitCode run_verb(Verb& verb, int argc, const char* const* argv) {
  CLI::App app;
  std::string description = "normdyn " + verb.name() + ": " + verb.summary() + "\n\nExamples:";
  for (const std::string& example : verb.examples())
    description += "\n  " + example;
  app.description(description + "\n");
  app.name("normdyn " + verb.name());
  app.allow_extras();
  app.set_help_flag("--help,-h", "this text");
  verb.add_options(app);
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return ExitCode::done;
  } catch (const CLI::ParseError& error) {
    refuse_extras(app, verb.name()); // a misspelt option explains a missing one
    throw core::InputError(verb.name(), error.what(), "normdyn " + verb.name() + " --help shows what it takes");
  }
  refuse_extras(app, verb.name());
  refuse_empty(app, verb.name());
  return verb.run();
}

ExitCode dispatch(int argc, const char* const* argv) {
  const auto verbs = cli::all_verbs();
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty()) {
    fmt::print(stderr, "{}", overview(verbs));
    return ExitCode::wrong_input;
  }
  if (word == "--help" || word == "-h" || word == "help") {
    fmt::print("{}", overview(verbs));
    return ExitCode::done;
  }
  if (word == "--version") {
    fmt::print("normdyn {}\n", experiment::version());
    return ExitCode::done;
  }
  return run_verb(find_verb(verbs, word), argc, argv);
}

int report(const std::string& problem, ExitCode code) {
  cli::print_problem(problem);
  return static_cast<int>(code);
}

} // namespace

int main(int argc, char** argv) {
  cli::wait_without_spinning(argv);
  cli::take_size_limits_as_errors();
  try {
    cli::remember_command_line(argc, argv);
    const ExitCode code = dispatch(argc, argv);
    if (std::fflush(stdout) != 0)
      return report("standard output cannot be written", ExitCode::file_trouble);
    return static_cast<int>(code);
  } catch (const core::InputError& error) {
    return report(error.what(), ExitCode::wrong_input);
  } catch (const core::FileError& error) {
    return report(error.what(), ExitCode::file_trouble);
  } catch (const std::bad_alloc&) {
    return report("not enough memory for a study of this size; take fewer tokens, a smaller dimension or fewer rows",
                  ExitCode::wrong_input);
  } catch (const std::exception& error) {
    return report(fmt::format("a fault of normdyn, please report it with your config ({})", error.what()),
                  ExitCode::fault);
  }
}
