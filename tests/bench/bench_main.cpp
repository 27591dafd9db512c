// One table of everything that is timed:
//   normdyn_bench [--repetitions R] [--only kernels|sums|steps|runs|files] [--json FILE]
#include "kernel_rows.hpp"
#include "machine_limits.hpp"
#include "stepper_rows.hpp"
#include "storage_rows.hpp"
#include "sums_rows.hpp"
#include "work_precision.hpp"

#include "normdyn/attention/simd.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

namespace {

using namespace normdyn;
using bench::Row;
using bench::Rows;

struct Options {
  int repetitions = 5;
  std::string only, json;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    if (key == "--repetitions")
      options.repetitions = std::max(1, std::atoi(argv[i + 1]));
    else if (key == "--only")
      options.only = argv[i + 1];
    else if (key == "--json")
      options.json = argv[i + 1];
    else {
      fmt::print(stderr, "there is no option '{}'\n", key);
      std::exit(2);
    }
  }
  return options;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string aim_text(const Row& row) {
  return row.aim ? fmt::format("{} {:.2f}", row.aim->is_upper ? "<=" : ">=", row.aim->ratio) : "";
}

void print(const Rows& rows) {
  fmt::print("{:<10}{:<44}{:>10} {:<8} {:>10} {:<28}{:>8} {:>9}  {}\n", "group", "what", "figure", "unit", "against",
             "", "ratio", "aim", "reached");
  for (const Row& row : rows)
    fmt::print("{:<10}{:<44}{:>10.4g} {:<8} {:>10.4g} {:<28}{:>8.2f} {:>9}  {}\n", row.group, row.what, row.figure,
               row.unit, row.reference, row.reference_name, row.ratio, aim_text(row),
               !row.aim           ? ""
               : row.is_reached() ? "yes"
                                  : "no");
}

nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json as_json(const Row& row) {
  nlohmann::ordered_json out{{"group", row.group},
                             {"what", row.what},
                             {"figure", number(row.figure)},
                             {"unit", row.unit},
                             {"reference", number(row.reference)},
                             {"reference_name", row.reference_name},
                             {"ratio", number(row.ratio)}};
  if (row.aim) {
    out["aim"] = aim_text(row);
    out["reached"] = row.is_reached();
  }
  return out;
}

} // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  bench::Stopwatch watch;
  bench::add_limits(watch);
  watch.run(options.repetitions);
  const bench::MachineLimits machine = bench::limits(watch);
  double load = 0.0;
  getloadavg(&load, 1);
  fmt::print("{}, {} cores, load {:.1f}; {}: {:.1f} Gflop/s, exp {:.3f} ns\n\n", processor(),
             std::thread::hardware_concurrency(), load, attention::simd_target(), 2.0 * machine.fma_per_ns,
             machine.exp_ns);
  std::vector<std::pair<std::string, bench::WorkSeries>> series;
  Rows rows;
  const auto section = [&](const std::string& name, auto make) {
    if (!options.only.empty() && options.only != name)
      return;
    const Rows made = make();
    rows.insert(rows.end(), made.begin(), made.end());
  };
  section("kernels", [&] { return bench::kernel_rows(options.repetitions); });
  section("sums", [&] { return bench::sums_rows(options.repetitions); });
  section("steps", [&] { return bench::stepper_rows(options.repetitions); });
  section("runs", [&] { return bench::work_precision_rows(options.repetitions, series); });
  section("files", [&] { return bench::storage_rows(options.repetitions); });
  print(rows);
  if (options.json.empty())
    return 0;

  nlohmann::ordered_json out{{"machine",
                              {{"processor", processor()},
                               {"cores", std::thread::hardware_concurrency()},
                               {"load", load},
                               {"simd", attention::simd_target()},
                               {"gflops", 2.0 * machine.fma_per_ns},
                               {"exp_ns", machine.exp_ns}}}};
  for (const Row& row : rows)
    out["rows"].push_back(as_json(row));
  for (const auto& [problem, one] : series)
    for (const bench::WorkPoint& point : one.points)
      out["work_precision"].push_back({{"problem", problem},
                                       {"method", one.method},
                                       {"tolerance", point.tolerance},
                                       {"error", number(point.error)},
                                       {"seconds", point.seconds},
                                       {"evaluations", point.evaluations}});
  std::ofstream(options.json) << out.dump(2) << '\n';
  return 0;
}
