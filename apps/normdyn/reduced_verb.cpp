#include "console.hpp"
#include "json_text.hpp"
#include "option_checks.hpp"
#include "patient_output.hpp"
#include "rates_json.hpp"
#include "rates_text.hpp"
#include "reduced_file.hpp"
#include "stop_signal.hpp"
#include "study_source.hpp"
#include "verb.hpp"
#include "work_line.hpp"

#include "normdyn/analysis/local_exponent.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/report/number_text.hpp"
#include "normdyn/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace normdyn::cli {
namespace {

using experiment::PlannedCase;
using experiment::Study;
using nlohmann::ordered_json;

constexpr int shown_digits = 8; ///< of a double in a table for people

class ReducedVerb final : public Verb {
 public:
  std::string name() const override { return "reduced"; }
  std::string summary() const override { return "tabulates the exact solution of tokens at equal cosines"; }
  std::vector<std::string> examples() const override {
    return {"normdyn reduced my.toml --rates --window 20 100", "normdyn reduced my.toml --digits 50 --csv table.csv"};
  }
  void add_options(CLI::App& app) override {
    source_.add_options(app);
    app.get_option("--output")->description("write HDF5 to this file; {scheme} and swept keys are filled in");
    app.add_option("--csv", csv_, "write CSV to this file, all cases below each other");
    CLI::Option* format = app.add_option("--format", format_, "what stdout gets: text or csv (text)")
                              ->check(CLI::IsMember(std::vector<std::string>{"text", "csv"}));
    app.add_option("--digits", digits_,
                   "give this many significant digits, by quadrature in 60-digit arithmetic (1 to 50)")
        ->type_name("NUMBER")
        ->check(whole_number(1, reduced::most_digits));
    app.add_flag("--rates", with_rates_, "say at which rate 1 - cosine decays");
    app.add_option("--window", window_, "the times from which --rates reads (the later half of the rows)")->expected(2);
    app.add_flag("--overwrite", overwrite_, "replace files that exist");
    CLI::Option* quiet = app.add_flag("--quiet,-q", quiet_, "print nothing unless there is trouble");
    app.add_flag("--json", json_, "print everything as JSON")->excludes(format)->excludes(quiet);
  }

  ExitCode run() override {
    check_options();
    LoadedStudy loaded = load_study(source_);
    loaded.options.without_tokens = true; // n tokens at one cosine are two numbers
    const std::vector<PlannedCase> planned = plan_study(loaded, !source_.output.empty(), overwrite_);
    if (planned.empty()) {
      fmt::print("the sweep has no cases\n");
      return ExitCode::done;
    }
    std::vector<Prepared> ready; // all cases before the first is computed
    for (const PlannedCase& one : planned)
      ready.push_back(prepared(one, experiment::read_study(one.one, loaded.config, loaded.options)));
    refuse_shared_file(planned);
    std::optional<storage::OutputPath> csv; // refuses a file that exists before anything is computed
    if (!csv_.empty())
      csv.emplace(csv_, overwrite_, std::span<const storage::RunInput>{});
    if (csv || !source_.output.empty())
      take_closed_pipes_as_errors();
    watch_stop_signals();
    const ExitCode code = compute_all(loaded, planned, ready);
    if (csv && !tables_.empty())
      write_text_file(*csv, csv_text(labels_, tables_));
    if (format_ == "csv" && !quiet_)
      output_.print(csv_text(labels_, tables_));
    if (json_)
      output_.print(json_text({{"exit_code", static_cast<int>(code)}, {"cases", cases_json_}}));
    if (tables_.size() < planned.size() && code == ExitCode::stopped)
      print_problem(
          fmt::format("stopped: {} of {} cases have no rows", planned.size() - tables_.size(), planned.size()));
    return worst(code, output_.ending());
  }

 private:
  struct Prepared {
    ReducedCase one;
    std::optional<reduced::DigitsModel> digits;
  };
  Prepared prepared(const PlannedCase& planned, const Study& study) const {
    Prepared ready{reduced_case(planned, study), {}};
    if (digits_ > 0)
      ready.digits = digits_model(planned, study, ready.one);
    const std::vector<double>& times = ready.one.times;
    if (!window_.empty() && (window_[0] >= times.back() || window_[1] <= times.front()))
      throw core::InputError("reduced", fmt::format("--window {} {} has no rows", window_[0], window_[1]),
                             fmt::format("those of {} go from {} to {}", ready.one.label, times.front(), times.back()));
    return ready;
  }

  void check_options() const {
    if (!window_.empty() && !with_rates_)
      throw core::InputError("reduced", "--window is given without --rates", "add --rates, or leave it out");
    if (!window_.empty() && !(window_[0] < window_[1]))
      throw core::InputError("reduced", fmt::format("--window {} {} is empty", window_[0], window_[1]),
                             "give its begin and its end");
    if (with_rates_ && format_ == "csv")
      throw core::InputError("reduced", "--rates are for people, and --format csv is not",
                             "write the CSV to a file, --csv table.csv, or take --json");
    if (quiet_ && csv_.empty() && source_.output.empty())
      throw core::InputError("reduced", "--quiet leaves nothing to do", "add --csv table.csv or --output table.h5");
  }

  // One name for the table as CSV and as HDF5: the later would replace the earlier.
  void refuse_shared_file(const std::vector<PlannedCase>& planned) const {
    namespace fs = std::filesystem;
    if (csv_.empty() || source_.output.empty())
      return;
    std::error_code ignored;
    for (const PlannedCase& one : planned)
      if (fs::weakly_canonical(one.path, ignored) == fs::weakly_canonical(csv_, ignored))
        throw core::InputError("reduced", fmt::format("'{}' is the file of --csv and of --output", csv_),
                               "give them different names");
  }

  // A case that cannot be computed does not stop the others.
  ExitCode compute_all(const LoadedStudy& loaded, const std::vector<PlannedCase>& planned,
                       const std::vector<Prepared>& ready) {
    ExitCode code = ExitCode::done;
    WorkLine line(can_rewrite_line() && !quiet_);
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (stop_requested())
        return worst(code, ExitCode::stopped);
      const ReducedCase& one = ready[i].one;
      const auto stop = [&](std::size_t n_rows) {
        const double share = static_cast<double>(n_rows) / static_cast<double>(one.times.size());
        line.show(one.label, (static_cast<double>(i) + share) / static_cast<double>(ready.size()));
        return stop_requested();
      };
      try {
        ReducedTable table =
            ready[i].digits ? digits_table(one, *ready[i].digits, digits_, stop) : integrated_table(one, stop);
        line.clear();
        code = worst(code, finish(loaded, planned[i], one, std::move(table)));
      } catch (const core::InputError& error) {
        line.clear();
        if (ready.size() == 1)
          throw;
        print_problem(one.label + ": " + error.what());
        code = worst(code, ExitCode::wrong_input);
      }
    }
    return code;
  }

  // Writes and prints a table, of which some rows may be missing.
  ExitCode finish(const LoadedStudy& loaded, const PlannedCase& planned, const ReducedCase& one, ReducedTable table) {
    const integrate::Outcome outcome = table.outcome;
    ExitCode code = ExitCode::done;
    if (outcome.is_failure())
      code = ExitCode::numerical_end;
    else if (outcome.kind == integrate::Outcome::Kind::stopped)
      code = ExitCode::stopped;
    const Study study = experiment::read_study(planned.one, loaded.config, loaded.options);
    if (table.n_rows() > 0) {
      labels_.push_back(one.label);
      tables_.push_back(std::move(table));
      if (!source_.output.empty())
        write_reduced_file(planned.path, one, tables_.back(), study, overwrite_);
      if (json_)
        cases_json_.push_back(case_json(study, one, tables_.back()));
      else if (format_ == "text" && !quiet_)
        show(study, one, tables_.back());
    }
    const std::string scheme = study.scheme + ": "; // which the label says
    if (code != ExitCode::done)
      print_problem(one.label + ": " +
                    (outcome.text.starts_with(scheme) ? outcome.text.substr(scheme.size()) : outcome.text));
    return code;
  }

  void show(const Study& study, const ReducedCase& one, const ReducedTable& table) {
    std::string text = tables_.size() > 1 ? "\n" : "";
    text += fmt::format("{}: n = {}, beta = {}, cosine {} and radius {} at t = {}{}\n", one.label, one.model.n_tokens,
                        one.model.beta.text(), one.cosine, one.radius, one.begin,
                        one.layer_step > 0.0 ? fmt::format(", layers of step {}", one.layer_step) : "");
    std::vector<std::string> titles;
    for (const ReducedColumn& column : table.columns)
      titles.push_back(column.name);
    report::Table shown(titles);
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
      std::vector<report::Cell> cells;
      for (const ReducedColumn& column : table.columns)
        cells.emplace_back(digits_ > 0 ? column.texts[row] : report::number_text(column.values[row], shown_digits));
      shown.add_row(std::move(cells));
    }
    text += shown.text(wants_color(STDOUT_FILENO));
    if (with_rates_)
      text += rates_of(table_for_rates(one, table));
    if (!source_.output.empty())
      text += fmt::format("file: {}\n", study.output.path);
    output_.print(text);
  }

  ordered_json case_json(const Study& study, const ReducedCase& one, const ReducedTable& table) const {
    ordered_json out = {{"case", one.label},
                        {"scheme", study.scheme},
                        {"n_tokens", one.model.n_tokens},
                        {"beta", one.model.beta.text()},
                        {"initial_cosine", one.cosine},
                        {"initial_radius", one.radius},
                        {"outcome", integrate::outcome_name(table.outcome.kind)}};
    if (!source_.output.empty())
      out["file"] = study.output.path;
    for (const ReducedColumn& column : table.columns) {
      if (digits_ > 0)
        out["columns"][column.name] = column.texts; // texts: a number of JSON would lose digits
      else
        out["columns"][column.name] = column.values;
    }
    if (with_rates_) {
      const ReducedTable& read = table_for_rates(one, table);
      if (!read.decay.times.empty()) {
        const auto [begin, end] = window_of(read);
        out["rates"] = rates_json(analysis::window(read.decay, begin, end), "1 - cosine");
      }
    }
    return out;
  }

  // The gap to many digits has no log-derivatives in double precision at hand.
  ReducedTable table_for_rates(const ReducedCase& one, const ReducedTable& table) const {
    return digits_ > 0 ? integrated_table(one) : table;
  }

  std::pair<double, double> window_of(const ReducedTable& table) const {
    const auto& times = table.decay.times;
    return window_.empty() ? std::pair(times[times.size() / 2], times.back()) : std::pair(window_[0], window_[1]);
  }

  std::string rates_of(const ReducedTable& table) const {
    const auto& times = table.decay.times;
    if (times.empty())
      return "";
    const auto [begin, end] = window_of(table);
    std::string text = rates_text(analysis::window(table.decay, begin, end), "1 - cosine");
    const auto last = std::upper_bound(times.begin(), times.end(), end);
    if (!table.radius_rates.empty() && last != times.begin() && *(last - 1) >= begin) {
      const auto exponents = analysis::exponents_by_radius(table.decay, table.radius, table.radius_rates);
      text += fmt::format("  {:<14}{:.7g} at t = {:.6g}: d log u/d log r, which knows no shift\n", "by radius",
                          exponents[static_cast<std::size_t>(last - times.begin()) - 1], *(last - 1));
    }
    return text;
  }

  StudySource source_{};
  std::string csv_{}, format_ = "text";
  int digits_ = 0;
  bool with_rates_ = false, overwrite_ = false, quiet_ = false, json_ = false;
  std::vector<double> window_{};
  PatientOutput output_{};
  std::vector<std::string> labels_{}; ///< of `tables_`
  std::vector<ReducedTable> tables_{};
  ordered_json cases_json_ = ordered_json::array();
};

} // namespace

std::unique_ptr<Verb> make_reduced_verb() {
  return std::make_unique<ReducedVerb>();
}

} // namespace normdyn::cli
