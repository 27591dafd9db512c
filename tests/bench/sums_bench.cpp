#include "sums_bench.hpp"

#include "normdyn/attention/attention.hpp"
#include "normdyn/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace normdyn::bench {
namespace {

using namespace attention;

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

struct Case {
  std::string kernel;
  std::size_t dim;
  double beta;
  Mask mask;
};

double ns_per_token(const Case& at, std::size_t n, const std::string& kernel, int repeats) {
  const auto attention = make_attention({Normalization::softmax, at.mask}, {}, kernel);
  const std::vector<double> theta = unit_tokens(n, at.dim);
  std::vector<double> drift(theta.size());
  const Tokens tokens{theta, at.dim, 0};
  const int inner = std::max(1, static_cast<int>(20000 / n));
  double shortest = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < inner; ++i)
      attention->evaluate(tokens, tokens, at.beta, {.drift = drift});
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    shortest = std::min(shortest, time.count() / inner);
  }
  return shortest / static_cast<double>(n);
}

// The highest power or degree, of the kernel's description: "fourier, K = 26".
std::size_t degree(const Case& at) {
  const std::string text = attention_kernel({}, {1024, at.dim, at.beta, at.mask}, at.kernel);
  return std::strtoul(text.c_str() + text.find('=') + 1, nullptr, 10);
}

// Multiply-adds and multiplications per token. fourier, without a mask: a group of three powers takes 8 for the moments
// and 26 for three series; with one, 8 for the moments and 11 more for every power, eight powers at once. harmonics: 4
// for the moment of each harmonic and 8 for its part of the series, and 20 for each order.
double operations(const Case& at) {
  const double k = static_cast<double>(degree(at));
  if (at.kernel == "harmonics")
    return 12.0 * (k + 1.0) * (k + 2.0) / 2.0 + 20.0 * (k + 1.0);
  const double groups = std::floor(k / 3.0) + 1.0, vectors = std::floor((k + 1.0) / 8.0) + 1.0;
  return at.mask == Mask::full ? 34.0 * groups : 8.0 * groups + 11.0 * 8.0 * vectors;
}

std::size_t crossover(const Case& at, int repeats) {
  std::size_t n = 32;
  for (; n < 20000; n += n / 8)
    if (ns_per_token(at, n, at.kernel, repeats) < ns_per_token(at, n, "small_d", repeats))
      break;
  return n;
}

} // namespace

void print_sums(const MachineLimits& machine, int threads, int repeats) {
  fmt::print("\n{:10} {:>6} {:>6} {:>6} {:>9} {:>9} {:>9} {:>7} {:>9} {:>10}\n", "kernel", "mask", "beta", "degree",
             "n", "ns/token", "limit", "share", "speed-up", "crossover");
  struct Kind {
    std::string kernel;
    std::size_t dim;
    Mask mask;
    std::size_t most_tokens;
  };
  for (const Kind& kind : {Kind{"fourier", 2, Mask::full, 10'000'000}, Kind{"fourier", 2, Mask::causal, 10'000'000},
                           Kind{"harmonics", 3, Mask::full, 1'000'000}})
    for (const double beta : {1.0, 5.0, 20.0, 100.0})
      for (const std::size_t n : {std::size_t{16384}, std::size_t{1'000'000}, std::size_t{10'000'000}}) {
        if (n > kind.most_tokens || (n > 16384 && beta != 5.0))
          continue;
        const Case at{kind.kernel, kind.dim, beta, kind.mask};
        const double ns = ns_per_token(at, n, at.kernel, n > 16384 ? std::max(3, repeats / 5) : repeats);
        const double limit = operations(at) / machine.fma_per_ns / threads;
        std::string speed_up, first;
        if (n == 16384) {
          speed_up = fmt::format("{:.0f}", ns_per_token(at, n, "small_d", std::max(3, repeats / 4)) / ns);
          first = fmt::format("{}", crossover(at, repeats));
        }
        fmt::print("{:10} {:>6} {:6} {:6} {:9} {:9.2f} {:9.2f} {:7.2f} {:>9} {:>10}\n", at.kernel,
                   kind.mask == Mask::full ? "full" : "causal", beta, degree(at), n, ns, limit, limit / ns, speed_up,
                   first);
      }
}

} // namespace normdyn::bench
