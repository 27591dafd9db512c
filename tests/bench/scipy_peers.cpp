#include "work_precision.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace normdyn::bench {
namespace {

// All that a process prints.
std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe)
    return {};
  std::string text;
  char part[4096];
  for (std::size_t count; (count = fread(part, 1, sizeof part, pipe)) > 0;)
    text.append(part, count);
  pclose(pipe);
  return text;
}

} // namespace

WorkSeries run_scipy(const Problem& problem, const std::string& solver) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "normdyn-bench-problem.txt";
  std::ofstream out(file);
  out << fmt::format("{} {} {:.17g} {:.17g}\n", problem.n_tokens, problem.dim, problem.beta, problem.end);
  for (const geometry::State* numbers : {&problem.start, &problem.reference})
    for (const double number : *numbers)
      out << fmt::format("{:.17g}\n", number);
  out.close();
  // OpenBLAS would be slowed by these if a shell has set them; its threads are those of the problem. NumPy asks for its
  // temporaries anew in each call: kept by the allocator they cost nothing, else page faults take most of the time.
  const std::string text = output_of(fmt::format("env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE OPENBLAS_NUM_THREADS={} "
                                                 "/usr/bin/python3 {}/scipy_peer.py {} 3 < {}",
                                                 problem.n_threads, NORMDYN_BENCH_DIR, solver, file.string()));
  std::filesystem::remove(file);
  WorkSeries series{"SciPy " + solver, {}};
  std::istringstream lines(text);
  for (WorkPoint point{}; lines >> point.tolerance >> point.error >> point.seconds >> point.evaluations;)
    series.points.push_back(point);
  return series;
}

} // namespace normdyn::bench
