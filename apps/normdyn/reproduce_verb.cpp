#include "claim_json.hpp"
#include "claim_progress.hpp"
#include "claim_rows.hpp"
#include "console.hpp"
#include "json_text.hpp"
#include "option_checks.hpp"
#include "patient_output.hpp"
#include "report_folder.hpp"
#include "stop_signal.hpp"
#include "verb.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/experiment/build_facts.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace normdyn::cli {
namespace {

using theorems::Claim;
using theorems::Dossier;
using theorems::Examination;

// "0.1.0 (1a2b3c4)": a report should lead to the code that made it.
std::string version_text() {
  std::string commit;
  bool has_changes = false;
  for (const auto& [name, value] : experiment::build_facts()) {
    if (name == "git_commit" && std::holds_alternative<std::string>(value))
      commit = std::get<std::string>(value).substr(0, 12);
    if (name == "git_dirty" && std::holds_alternative<std::int64_t>(value))
      has_changes = std::get<std::int64_t>(value) != 0;
  }
  return experiment::version() + (commit.empty() ? "" : fmt::format(" ({}{})", commit, has_changes ? ", changed" : ""));
}

class ReproduceVerb final : public Verb {
 public:
  std::string name() const override { return "reproduce"; }
  std::string summary() const override { return "checks the statements of the paper, each with a verdict"; }
  std::vector<std::string> examples() const override {
    return {"normdyn reproduce paper --out report", "normdyn reproduce thm4.1-initial --details",
            "normdyn reproduce --list", "normdyn reproduce quick --control"};
  }
  void add_options(CLI::App& app) override {
    app.add_option("claims", names_,
                   "claims by id (NA-8) or alias (tab2), or the suites quick, paper, all (default: quick)");
    app.add_flag("--list", list_, "list the claims instead: id, title, aliases, suites, cost");
    app.add_option("--seed", seed_text_, "of all random starts: 0 to 2^64 - 1 (default: 1)")->type_name("NUMBER");
    app.add_flag("--control", control_, "examine the negative controls instead: each must fail");
    app.add_flag("--details", details_, "print every number that was compared");
    CLI::Option* out =
        app.add_option("--out", out_, "a folder for the report: reproduce.md, reproduce.html, reproduce.h5, figures");
    app.add_flag("--overwrite", overwrite_, "replace a report that exists")->needs(out);
    app.add_option("--threads", threads_, "threads (default: all processors); results do not depend on it")
        ->type_name("NUMBER")
        ->check(whole_number(1, 4096));
    app.add_flag("--json", json_, "print everything as JSON");
  }

  ExitCode run() override {
    if (threads_ > 0)
      omp_set_num_threads(threads_);
    seed_ = seed_of(seed_text_);
    if (list_)
      refuse_with_list();
    if (names_.empty())
      names_ = {list_ ? "all" : "quick"};
    const std::vector<const Claim*> claims = theorems::find_claims(names_);
    if (list_)
      return list(claims);
    Dossier dossier{.version = version_text(),
                    .command = command_line(),
                    .seed = seed_,
                    .of_controls = control_,
                    .asked = claims,
                    .examinations = {}};
    std::optional<ReportFolder> report; // refuses a folder in use before the work is done
    if (!out_.empty()) {
      report.emplace(out_, overwrite_);
      take_closed_pipes_as_errors(); // the report is written even if nobody reads the rows
    }
    watch_stop_signals();
    examine_all(dossier);
    const ExitCode code = exit_code(dossier);
    if (json_)
      output_.print(json_text(dossier_json(dossier, static_cast<int>(code))));
    else
      output_.print(closing_text(dossier) + "\n");
    if (!report || dossier.examinations.empty())
      return worst(code, output_.ending());
    report->write(dossier);
    if (!json_)
      output_.print("\n" + report->contents());
    for (const std::string& problem : {report->problem(), report->failure()})
      if (!problem.empty())
        print_problem(problem);
    return worst(worst(code, output_.ending()), report->failure().empty() ? ExitCode::done : ExitCode::file_trouble);
  }

 private:
  // Decimal digits and nothing else: 010 is ten, and what does not fit is not cut.
  static std::uint64_t seed_of(const std::string& text) {
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error == std::errc::result_out_of_range)
      throw core::InputError("reproduce", fmt::format("--seed {} is too large", text),
                             fmt::format("the most is {}", std::numeric_limits<std::uint64_t>::max()));
    if (error != std::errc() || end != text.data() + text.size())
      throw core::InputError("reproduce", fmt::format("--seed '{}' is no number of decimal digits", text),
                             "e.g. --seed 7");
    return seed;
  }

  void refuse_with_list() const {
    for (const auto& [is_given, name] : {std::pair(!out_.empty(), "--out"), std::pair(control_, "--control"),
                                         std::pair(details_, "--details"), std::pair(seed_text_ != "1", "--seed")})
      if (is_given)
        throw core::InputError("reproduce", fmt::format("{} has no effect with --list", name), "leave one of them out");
  }

  ExitCode list(const std::vector<const Claim*>& claims) const {
    if (!json_) {
      fmt::print("{}", claim_list(claims, wants_color(STDOUT_FILENO)));
      return ExitCode::done;
    }
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Claim* claim : claims)
      out.push_back(claim_json(*claim));
    fmt::print("{}", json_text({{"claims", std::move(out)}}));
    return ExitCode::done;
  }

  void examine_all(Dossier& dossier) {
    const bool is_terminal = isatty(STDOUT_FILENO) != 0;
    const std::size_t width = is_terminal ? terminal_width() : std::numeric_limits<std::size_t>::max();
    const ClaimRows rows(dossier, details_, wants_color(STDOUT_FILENO), width);
    ClaimProgress progress(dossier.asked, can_rewrite_line());
    for (const Claim* claim : dossier.asked) {
      if (stop_requested())
        return;
      try {
        dossier.examinations.push_back(control_ ? examine_control(*claim, seed_, library(), progress.next())
                                                : examine(*claim, seed_, library(), progress.next()));
      } catch (const theorems::Interrupted&) {
        return;
      }
      progress.clear();
      if (dossier.examinations.size() == 1)
        print_row(rows.titles());
      print_row(rows.row(dossier.examinations.back()));
    }
  }

  void print_row(const std::string& row) {
    if (!json_)
      output_.print(row);
  }

  static ExitCode exit_code(const Dossier& dossier) {
    const bool has_trouble = std::any_of(dossier.examinations.begin(), dossier.examinations.end(),
                                         [&](const Examination& one) { return is_trouble(dossier, one); });
    if (has_trouble)
      return ExitCode::check_failed;
    return dossier.examinations.size() < dossier.asked.size() ? ExitCode::stopped : ExitCode::done;
  }

  static std::string closing_text(const Dossier& dossier) {
    const std::size_t n_asked = dossier.asked.size(), n_left = n_asked - dossier.examinations.size();
    if (n_left == n_asked)
      return fmt::format("stopped before the first of {} was examined", n_asked);
    std::string text = "\n" + tally_text(dossier);
    if (n_left > 0)
      text += fmt::format("\nstopped: {} of {} were not examined", n_left, n_asked);
    return text;
  }

  static const theorems::Laboratory& library() { return theorems::library_dynamics(); }

  std::vector<std::string> names_;
  std::string out_, seed_text_ = "1";
  std::uint64_t seed_ = 1;
  PatientOutput output_;
  bool overwrite_ = false, list_ = false, control_ = false, details_ = false, json_ = false;
  int threads_ = 0;
};

} // namespace

std::unique_ptr<Verb> make_reproduce_verb() {
  return std::make_unique<ReproduceVerb>();
}

} // namespace normdyn::cli
