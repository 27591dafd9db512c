#include "console.hpp"
#include "rates_text.hpp"
#include "reduced_file.hpp"
#include "study_source.hpp"
#include "verb.hpp"

#include "normdyn/analysis/local_exponent.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/report/number_text.hpp"
#include "normdyn/report/table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace normdyn::cli {
namespace {

using experiment::PlannedCase;
using experiment::Study;

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
    app.add_option("--format", format_, "what stdout gets: text or csv (text)")
        ->check(CLI::IsMember(std::vector<std::string>{"text", "csv"}));
    app.add_option("--digits", digits_,
                   "give this many significant digits, by quadrature in 60-digit arithmetic (1 to 50)")
        ->check(CLI::Range(1, reduced::most_digits));
    app.add_flag("--rates", with_rates_, "say at which rate 1 - cosine decays");
    app.add_option("--window", window_, "the times from which --rates reads (the later half of the rows)")->expected(2);
    app.add_flag("--overwrite", overwrite_, "replace files that exist");
  }

  ExitCode run() override {
    check_options();
    const LoadedStudy loaded = load_study(source_);
    const std::vector<PlannedCase> planned = plan_study(loaded, !source_.output.empty(), overwrite_);
    if (planned.empty()) {
      fmt::print("the sweep has no cases\n");
      return ExitCode::done;
    }
    for (const PlannedCase& one : planned) // all cases before the first is computed
      static_cast<void>(prepared(one, experiment::read_study(one.one, loaded.config, loaded.options)));
    std::optional<storage::OutputPath> csv; // refuses a file that exists before anything is computed
    if (!csv_.empty())
      csv.emplace(csv_, overwrite_, std::span<const storage::RunInput>{});
    std::vector<std::string> labels;
    std::vector<ReducedTable> tables;
    ExitCode code = ExitCode::done;
    for (const PlannedCase& one : planned) {
      const Study study = experiment::read_study(one.one, loaded.config, loaded.options);
      const Prepared ready = prepared(one, study);
      labels.push_back(ready.one.label);
      tables.push_back(ready.digits ? digits_table(ready.one, *ready.digits, digits_) : integrated_table(ready.one));
      if (!source_.output.empty())
        write_reduced_file(one.path, ready.one, tables.back(), study, overwrite_);
      if (format_ == "text")
        show(study, ready.one, tables.back());
      if (tables.back().outcome.is_failure()) {
        print_problem(ready.one.label + ": " + tables.back().outcome.text);
        code = ExitCode::numerical_end;
      }
    }
    if (format_ == "csv")
      fmt::print("{}", csv_text(labels, tables));
    if (csv)
      write_text_file(*csv, csv_text(labels, tables));
    return code;
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
                             "write the CSV to a file: --csv table.csv");
  }

  void show(const Study& study, const ReducedCase& one, const ReducedTable& table) {
    if (n_shown_++ > 0)
      fmt::print("\n");
    fmt::print("{}: n = {}, beta = {}, cosine {} and radius {} at t = {}{}\n", one.label, one.model.n_tokens,
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
    fmt::print("{}", shown.text(wants_color(STDOUT_FILENO)));
    if (with_rates_)
      fmt::print("{}", rates_of(digits_ > 0 ? integrated_table(one) : table));
    if (!source_.output.empty())
      fmt::print("file: {}\n", study.output.path);
  }

  std::string rates_of(const ReducedTable& table) const {
    const auto& times = table.decay.times;
    if (times.empty())
      return "";
    const double begin = window_.empty() ? times[times.size() / 2] : window_[0];
    const double end = window_.empty() ? times.back() : window_[1];
    std::string text = rates_text(analysis::window(table.decay, begin, end), "1 - cosine");
    const auto last = std::upper_bound(times.begin(), times.end(), end);
    if (!table.radius_rates.empty() && last != times.begin()) {
      const auto exponents = analysis::exponents_by_radius(table.decay, table.radius, table.radius_rates);
      text += fmt::format("  {:<14}{:.7g} at t = {:.6g}: d log u/d log r, which knows no shift\n", "by radius",
                          exponents[static_cast<std::size_t>(last - times.begin()) - 1], *(last - 1));
    }
    return text;
  }

  StudySource source_{};
  std::string csv_{}, format_ = "text";
  int digits_ = 0;
  bool with_rates_ = false, overwrite_ = false;
  std::vector<double> window_{};
  int n_shown_ = 0;
};

} // namespace

std::unique_ptr<Verb> make_reduced_verb() {
  return std::make_unique<ReducedVerb>();
}

} // namespace normdyn::cli
