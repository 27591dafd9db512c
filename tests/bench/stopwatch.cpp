#include "stopwatch.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <string>

namespace normdyn::bench {
namespace {

class Collector final : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::map<std::string, double>& shortest) : shortest_(shortest) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration)
        continue;
      const auto [place, is_new] = shortest_.try_emplace(run.run_name.function_name, run.GetAdjustedRealTime());
      if (!is_new)
        place->second = std::min(place->second, run.GetAdjustedRealTime());
    }
  }

 private:
  std::map<std::string, double>& shortest_;
};

void initialize_once() {
  static bool is_done = false;
  if (is_done)
    return;
  is_done = true;
  static std::array<std::string, 2> words{"bench", "--benchmark_enable_random_interleaving=true"};
  static std::array<char*, 3> pointers{words[0].data(), words[1].data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, pointers.data());
}

} // namespace

void Stopwatch::add(const std::string& name, std::function<void()> work) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [work = std::move(work)](benchmark::State& state) {
                                 for (auto _ : state)
                                   work();
                               })
      ->UseRealTime()
      ->MinTime(0.02)
      ->Unit(benchmark::kNanosecond);
}

void Stopwatch::run(int repetitions) {
  initialize_once();
  Collector collector(shortest_);
  for (int r = 0; r < repetitions; ++r)
    benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
}

} // namespace normdyn::bench
