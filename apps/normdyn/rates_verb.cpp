#include "json_text.hpp"
#include "rates_json.hpp"
#include "rates_text.hpp"
#include "verb.hpp"

#include "normdyn/analysis/decay.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/experiment/config.hpp"
#include "normdyn/storage/run_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace normdyn::cli {
namespace {

using storage::RunReader;

std::vector<std::string> series_names(const RunReader& run) {
  std::vector<std::string> names;
  for (const storage::SeriesVariable& variable : run.header().series)
    if (variable.width() == 1)
      names.push_back(variable.name);
  return names;
}

// What rows of this quantity are worth: a run keeps angles to its tolerance (`error_scale = "spread"` and steps of
// equal length do better or promise nothing), the variance is a square of them, and of other quantities nothing is
// known here.
std::pair<double, std::string> floor_of(const RunReader& run, const std::string& path, const std::string& quantity) {
  const core::Value config = experiment::parse_config(run.header().config, path).root;
  const core::Value* solver = config.find("solver");
  const core::Value* rtol = solver ? solver->find("rtol") : nullptr;
  const core::Value* atol = solver ? solver->find("atol") : nullptr;
  const core::Value* scale = solver ? solver->find("error_scale") : nullptr;
  const bool is_angle = quantity == "max_angle";
  if (!rtol || !atol || (scale && scale->is_text() && scale->text() == "spread") ||
      !(is_angle || quantity == "variance"))
    return {analysis::rounding_floor, "rounding"};
  const double angle = rtol->number() + atol->number();
  return {std::max(is_angle ? angle : angle * angle, analysis::rounding_floor),
          "what the tolerance of the run resolves (solver.error_scale = \"spread\" follows a collapse further)"};
}

class RatesVerb final : public Verb {
 public:
  std::string name() const override { return "rates"; }
  std::string summary() const override { return "says at which rate a recorded quantity of a run file decays"; }
  std::vector<std::string> examples() const override {
    return {"normdyn rates out/run.h5 --from 20", "normdyn rates out/run.h5 --of variance --against clock"};
  }
  void add_options(CLI::App& app) override {
    app.add_option("file", path_, "a run file")->required();
    app.add_option("--of", quantity_, "a recorded quantity that is positive and decays (variance)");
    app.add_option(
           "--against", against_,
           "time finds the law; clock, sqrt (of 1 + time) and radius (its logarithm) give the rate in that variable")
        ->check(CLI::IsMember(std::vector<std::string>{"time", "clock", "sqrt", "radius"}));
    app.add_option("--from", from_, "begin of the window, in time (the later half of the rows)");
    app.add_option("--to", to_, "end of the window, in time (the last row)");
    app.add_flag("--json", json_, "print as JSON; \"law\" is null where there is no rate");
  }

  ExitCode run() override {
    const RunReader run(path_);
    const std::vector<double> times = run.series_times(), values = series(run, quantity_);
    if (times.empty())
      throw core::InputError(path_, "holds no rows of observables", "look at it with normdyn inspect");
    for (const auto& [name, given] : {std::pair("--from", from_), std::pair("--to", to_)})
      if (given && !std::isfinite(*given))
        throw core::InputError("rates", fmt::format("{} is no finite number", name),
                               fmt::format("the rows go from {} to {}", times.front(), times.back()));
    const double end = to_.value_or(times.back());
    const auto n_until_end =
        static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), end) - times.begin());
    const double begin = from_.value_or(times[n_until_end / 2]); // the later half
    if (!(begin < end))
      throw core::InputError("rates", fmt::format("the window from {} to {} is empty", begin, end),
                             fmt::format("the rows go from {} to {}", times.front(), times.back()));
    const auto first = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), begin) - times.begin());
    const auto last = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), end) - times.begin());
    for (std::size_t i = first; i < last; ++i)
      if (!(values[i] >= 0.0))
        throw core::InputError(
            path_,
            fmt::format("'{}' is {} at t = {}, and a decay is of positive values", quantity_, values[i], times[i]),
            "choose another with --of, or a window without it");
    analysis::Decay decay = analysis::decay_of(std::span(times).subspan(first, last - first),
                                               std::span(values).subspan(first, last - first));
    std::tie(decay.floor, decay.floor_name) = floor_of(run, path_, quantity_);
    if (json_)
      fmt::print("{}", json_text(json_of(run, decay, first, last)));
    else
      fmt::print("{}", text_of(run, decay, first, last));
    return ExitCode::done;
  }

 private:
  std::vector<double> series(const RunReader& run, const std::string& name) const {
    const std::vector<std::string> names = series_names(run);
    if (std::find(names.begin(), names.end(), name) != names.end())
      return run.series(name);
    for (const storage::SeriesVariable& variable : run.header().series)
      if (variable.name == name)
        throw core::InputError(
            path_, fmt::format("'{}' has {} numbers in each row, and a rate is of one", name, variable.width()),
            "choose another with --of");
    const std::string near = core::nearest(name, names);
    throw core::InputError(path_, fmt::format("'{}' was not recorded", name),
                           near.empty()
                               ? fmt::format("add it to output.record and run again; recorded here: {}",
                                             names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")))
                               : fmt::format("did you mean '{}'?", near));
  }

  // The rows of the window as another clock counts them, and the name of that clock.
  std::pair<analysis::Decay, std::string> against_clock(const RunReader& run, const analysis::Decay& decay,
                                                        std::size_t first, std::size_t last) const {
    if (against_ == "sqrt")
      return {analysis::against_root_time(decay), "sqrt(1 + time)"};
    const bool by_radius = against_ == "radius";
    const std::vector<double> readings = series(run, by_radius ? "mean_radius" : "clock");
    std::vector<double> clock(readings.begin() + static_cast<std::ptrdiff_t>(first),
                              readings.begin() + static_cast<std::ptrdiff_t>(last));
    if (by_radius)
      std::transform(clock.begin(), clock.end(), clock.begin(), [](double r) { return std::log(r); });
    return {analysis::against(decay, clock), by_radius ? "log mean_radius" : "clock"};
  }

  std::string text_of(const RunReader& run, const analysis::Decay& decay, std::size_t first, std::size_t last) const {
    if (against_ == "time")
      return rates_text(decay, quantity_);
    const auto [turned, clock] = against_clock(run, decay, first, last);
    return clock_rate_text(turned, quantity_, clock);
  }

  nlohmann::ordered_json json_of(const RunReader& run, const analysis::Decay& decay, std::size_t first,
                                 std::size_t last) const {
    if (against_ == "time")
      return rates_json(decay, quantity_);
    const auto [turned, clock] = against_clock(run, decay, first, last);
    return clock_rate_json(turned, quantity_, clock);
  }

  std::string path_, quantity_ = "variance", against_ = "time";
  std::optional<double> from_, to_;
  bool json_ = false;
};

} // namespace

std::unique_ptr<Verb> make_rates_verb() {
  return std::make_unique<RatesVerb>();
}

} // namespace normdyn::cli
