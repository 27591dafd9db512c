// Times the attention kernels against the machine's limits, measured in the same run:
//   normdyn_kernel_bench [--threads T] [--target NAME] [--repeats R] [--only pairs|sums]
// "ns/pair" is the time of one evaluation / n^2. The limit counts multiply-adds at the measured rate: small_d,
// symmetric (3 d + 7)/2 per pair, else 2 d + 7; tiles, symmetric 1.5 d and half an exponential, else 2 d and one;
// causal half.
#include "machine_limits.hpp"
#include "sums_bench.hpp"

#include "normdyn/attention/attention.hpp"
#include "normdyn/attention/simd.hpp"
#include "normdyn/core/random.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>

using namespace normdyn;
using namespace normdyn::attention;

namespace {

struct Case {
  std::string kernel;
  std::size_t n, dim;
  bool is_general = false;
  Mask mask = Mask::full;
};

std::vector<double> unit_tokens(std::size_t n, std::size_t dim) {
  std::vector<double> theta(n * dim);
  for (std::size_t j = 0; j < n; ++j) {
    core::RandomStream stream(5, core::Purpose::token_direction, 0, j);
    double square = 0.0;
    for (std::size_t c = 0; c < dim; ++c) {
      theta[j * dim + c] = stream.normal();
      square += theta[j * dim + c] * theta[j * dim + c];
    }
    for (std::size_t c = 0; c < dim; ++c)
      theta[j * dim + c] /= std::sqrt(square);
  }
  return theta;
}

double ns_per_pair(const Case& at, int repeats) {
  Weights weights{};
  if (at.is_general)
    for (Projection* part : {&weights.query, &weights.key, &weights.value})
      part->matrix = Matrix::Identity(static_cast<Eigen::Index>(at.dim), static_cast<Eigen::Index>(at.dim));
  const auto attention = make_attention({Normalization::softmax, at.mask}, weights, at.kernel);
  const std::vector<double> theta = unit_tokens(at.n, at.dim);
  std::vector<double> drift(theta.size());
  const Tokens tokens{theta, at.dim, 0};
  const auto pairs = static_cast<double>(at.n * at.n);
  const int inner = std::max(1, static_cast<int>(2e5 / pairs));
  double shortest = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < inner; ++i)
      attention->evaluate(tokens, tokens, 5.0, {.drift = drift});
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    shortest = std::min(shortest, time.count() / inner);
  }
  return shortest / pairs;
}

double limit(const Case& at, const bench::MachineLimits& machine) {
  const auto d = static_cast<double>(at.dim);
  const bool is_symmetric = !at.is_general && at.mask == Mask::full;
  double ns = 0.0;
  if (at.kernel == "small_d")
    ns = (is_symmetric ? (3.0 * d + 7.0) / 2.0 : 2.0 * d + 7.0) / machine.fma_per_ns;
  else
    ns = (is_symmetric ? 1.5 * d : 2.0 * d) / machine.fma_per_ns + (is_symmetric ? 0.5 : 1.0) * machine.exp_ns;
  return at.mask == Mask::causal ? 0.5 * ns : ns;
}

} // namespace

int main(int argc, char** argv) {
  int threads = 1, repeats = 20;
  bool has_pairs = true, has_sums = true;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    if (key == "--threads")
      threads = std::atoi(argv[i + 1]);
    else if (key == "--repeats")
      repeats = std::atoi(argv[i + 1]);
    else if (key == "--target")
      use_simd_target(argv[i + 1]);
    else if (key == "--only")
      (std::string_view(argv[i + 1]) == "sums" ? has_pairs : has_sums) = false;
  }
  omp_set_num_threads(threads);
  const bench::MachineLimits machine = bench::measure_limits();
  fmt::print("{}: {:.1f} GF/s, exp {:.3f} ns, {} thread(s)\n", simd_target(), 2.0 * machine.fma_per_ns, machine.exp_ns,
             threads);
  if (has_sums)
    bench::print_sums(machine, threads, repeats);
  if (!has_pairs)
    return 0;
  fmt::print("\n{:8} {:>6} {:>4} {:>10} {:>7} {:>9} {:>9} {:>7}\n", "kernel", "n", "d", "weights", "mask", "ns/pair",
             "limit", "ratio");
  const std::vector<Case> cases = {{"small_d", 32, 2},         {"small_d", 32, 3},
                                   {"small_d", 256, 3},        {"small_d", 1024, 3},
                                   {"small_d", 4096, 3},       {"small_d", 4096, 2},
                                   {"small_d", 1024, 4},       {"small_d", 1024, 6},
                                   {"small_d", 1024, 8},       {"small_d", 1024, 12},
                                   {"small_d", 1024, 3, true}, {"small_d", 1024, 3, false, Mask::causal},
                                   {"tiles", 1056, 8},         {"tiles", 1056, 12},
                                   {"tiles", 1056, 16},        {"tiles", 1056, 64},
                                   {"tiles", 1056, 128},       {"tiles", 1056, 512},
                                   {"tiles", 1056, 64, true},  {"tiles", 1056, 64, false, Mask::causal},
                                   {"tiles", 1000, 100},       {"tiles", 1024, 96},
                                   {"tiles", 777, 37},         {"tiles", 768, 32},
                                   {"tiles", 128, 64},         {"direct", 1056, 64},
                                   {"direct", 1024, 3}};
  for (const Case& at : cases) {
    const double ns = ns_per_pair(at, at.n * at.n * at.dim > 200'000'000 ? std::max(2, repeats / 4) : repeats);
    const double best = limit(at, machine) / threads;
    fmt::print("{:8} {:6} {:4} {:>10} {:>7} {:9.4f} {:9.4f} {:7.2f}\n", at.kernel, at.n, at.dim,
               at.is_general ? "general" : "identity", at.mask == Mask::causal ? "causal" : "full", ns, best,
               ns / best);
  }
}
