#include "sums_rows.hpp"

#include "machine_limits.hpp"
#include "sample_tokens.hpp"
#include "stopwatch.hpp"

#include "normdyn/attention/attention.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

namespace normdyn::bench {
namespace {

using namespace attention;

struct Case {
  std::string kernel;
  std::size_t dim;
  double beta;
  Mask mask;
  std::size_t n;
  std::optional<double> share{}; ///< of the bound by multiply-adds that should be reached
  bool has_pairs = false;        ///< whether to time the sums over pairs too
  std::optional<double> gain{};  ///< over these, that should be reached
  [[nodiscard]] std::string text() const {
    return fmt::format("{} n={} beta={}{}", kernel, n, beta, mask == Mask::causal ? " causal" : "");
  }
};

void add(Stopwatch& watch, const std::string& name, const Case& at, const std::string& kernel) {
  const std::shared_ptr<Attention> attention = make_attention({Normalization::softmax, at.mask}, {}, kernel);
  auto theta = std::make_shared<geometry::State>(sample_tokens(at.n, at.dim));
  auto drift = std::make_shared<geometry::State>(theta->size());
  watch.add(name, [=, dim = at.dim, beta = at.beta] {
    const Tokens tokens{*theta, dim, 0};
    attention->evaluate(tokens, tokens, beta, {.drift = *drift});
  });
}

// The highest power or degree, of the kernel's description: "fourier, K = 26".
std::size_t degree(const Case& at) {
  const std::string text = attention_kernel({}, {at.n, at.dim, at.beta, at.mask}, at.kernel);
  return std::strtoul(text.c_str() + text.find('=') + 1, nullptr, 10);
}

// Multiply-adds and multiplications of the series per token. fourier: a group of three powers takes 8 for the moments
// and 26 for three series. harmonics: 4 for the moment of each harmonic and 8 for its part of the series, and 20 for
// each order. Not counted: first powers and the division of each token, and under a mask the pairs within a block and
// the coefficients of each block.
double operations(const Case& at) {
  const double k = static_cast<double>(degree(at));
  if (at.kernel == "harmonics")
    return 12.0 * (k + 1.0) * (k + 2.0) / 2.0 + 20.0 * (k + 1.0);
  return 34.0 * (std::floor(k / 3.0) + 1.0);
}

} // namespace

Rows sums_rows(int repetitions) {
  const std::vector<Case> cases{{"fourier", 2, 1.0, Mask::full, 16384},
                                {"fourier", 2, 5.0, Mask::full, 16384, 0.85, true, 300.0},
                                {"fourier", 2, 20.0, Mask::full, 16384},
                                {"fourier", 2, 100.0, Mask::full, 16384},
                                {"fourier", 2, 5.0, Mask::causal, 16384, {}, true},
                                {"fourier", 2, 100.0, Mask::causal, 16384},
                                {"fourier", 2, 5.0, Mask::full, 10'000'000},
                                {"harmonics", 3, 1.0, Mask::full, 16384},
                                {"harmonics", 3, 5.0, Mask::full, 16384, 0.75, true, 30.0},
                                {"harmonics", 3, 20.0, Mask::full, 16384},
                                {"harmonics", 3, 100.0, Mask::full, 8192, {}, true},
                                {"harmonics", 3, 300.0, Mask::full, 24576, {}, true},
                                {"harmonics", 3, 1000.0, Mask::full, 81920, {}, true},
                                {"harmonics", 3, 5.0, Mask::causal, 16384, {}, true},
                                {"harmonics", 3, 20.0, Mask::causal, 16384, {}, true},
                                {"harmonics", 3, 5.0, Mask::full, 1'000'000}};
  Stopwatch watch;
  const auto pairs_name = [](const Case& at) { return "pairs for " + at.text(); };
  for (const Case& at : cases) {
    add(watch, at.text(), at, at.kernel);
    if (at.has_pairs)
      add(watch, pairs_name(at), at, "small_d");
  }
  add_limits(watch);
  omp_set_num_threads(1); // as the limits are
  watch.run(repetitions);
  const MachineLimits machine = limits(watch);
  Rows rows;
  for (const Case& at : cases) {
    const double n = static_cast<double>(at.n), ns = watch.ns(at.text()) / n;
    rows.push_back(faster_than("sums", at.text() + fmt::format(", degree {}", degree(at)), ns, "ns/token",
                               operations(at) / machine.fma_per_ns, "limit (ratio: share of it)", at.share));
    if (at.has_pairs)
      rows.push_back(
          faster_than("sums", at.text(), ns, "ns/token", watch.ns(pairs_name(at)) / n, "sums over pairs", at.gain));
  }
  return rows;
}

} // namespace normdyn::bench
