#pragma once
// Timing of short pieces of work by Google Benchmark: many repetitions, interleaved at random, the shortest counts. On
// a shared machine the shortest time is the one that says something of the code.

#include <functional>
#include <map>
#include <string>

namespace normdyn::bench {

class Stopwatch {
 public:
  /// `work` is called many times; names are unique.
  void add(const std::string& name, std::function<void()> work);
  /// Times everything that was added since the last call.
  void run(int repetitions);
  /// Shortest time of one call.
  [[nodiscard]] double ns(const std::string& name) const { return shortest_.at(name); }

 private:
  std::map<std::string, double> shortest_;
};

} // namespace normdyn::bench
