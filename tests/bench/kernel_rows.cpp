#include "kernel_rows.hpp"

#include "eigen_attention.hpp"
#include "machine_limits.hpp"
#include "sample_tokens.hpp"
#include "stopwatch.hpp"

#include "normdyn/attention/attention.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <memory>

namespace normdyn::bench {
namespace {

using attention::Mask;

constexpr double beta = 5.0;

struct Case {
  std::string kernel;
  std::size_t n, dim;
  std::optional<double> at_most{}; ///< of the limit
  bool is_general = false;
  Mask mask = Mask::full;
  int n_threads = 1;
  attention::Precision precision = attention::Precision::float64;
  [[nodiscard]] std::string text() const {
    return fmt::format("{} n={} d={}{}{}{}{}", kernel, n, dim, is_general ? " general" : "",
                       mask == Mask::causal ? " causal" : "",
                       n_threads > 1 ? fmt::format(" {} threads", n_threads) : "",
                       precision == attention::Precision::float32 ? " float32" : "");
  }
};

// Per pair; general weights include what their three projections take.
double limit(const Case& at, const MachineLimits& machine) {
  const auto n = static_cast<double>(at.n), d = static_cast<double>(at.dim);
  const bool is_symmetric = !at.is_general && at.mask == Mask::full, is_small = at.kernel == "small_d";
  double operations = is_small ? 2.0 * d + 7.0 : 2.0 * d, exponentials = is_small ? 0.0 : 1.0;
  if (is_symmetric) {
    operations = is_small ? (3.0 * d + 7.0) / 2.0 : 1.5 * d;
    exponentials /= 2.0;
  }
  double ns = operations / machine.fma_per_ns + exponentials * machine.exp_ns;
  if (at.mask == Mask::causal)
    ns /= 2.0;
  if (at.is_general)
    ns += 3.0 * d * d / n / machine.fma_per_ns;
  return ns / at.n_threads;
}

void add(Stopwatch& watch, const Case& at) {
  attention::Weights weights{};
  const auto d = static_cast<Eigen::Index>(at.dim);
  if (at.is_general)
    for (attention::Projection* part : {&weights.query, &weights.key, &weights.value})
      part->matrix = attention::Matrix::Identity(d, d);
  const std::shared_ptr<attention::Attention> kernel =
      make_attention({attention::Normalization::softmax, at.mask, at.precision}, weights, at.kernel);
  auto theta = std::make_shared<geometry::State>(sample_tokens(at.n, at.dim));
  auto drift = std::make_shared<geometry::State>(theta->size());
  watch.add(at.text(), [=, n_threads = at.n_threads, dim = at.dim] {
    omp_set_num_threads(n_threads);
    const attention::Tokens tokens{*theta, dim, 0};
    kernel->evaluate(tokens, tokens, beta, {.drift = *drift});
  });
}

using EigenForm = void (*)(const double*, std::size_t, std::size_t, double, double*);

void add_eigen(Stopwatch& watch, const std::string& name, EigenForm form, std::size_t n, std::size_t dim) {
  auto theta = std::make_shared<geometry::State>(sample_tokens(n, dim));
  auto drift = std::make_shared<geometry::State>(theta->size());
  watch.add(name, [=] { form(theta->data(), n, dim, beta, drift->data()); });
}

struct Comparison {
  Case fast, slow;
  std::string name;
  std::optional<double> at_most{}, at_least{}; ///< of fast/slow; of slow/fast
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"small_d", 32, 2},         {"small_d", 256, 3, 1.40},     {"small_d", 1024, 3, 1.40},
      {"small_d", 4096, 3, 1.40}, {"small_d", 4096, 2, 1.40},    {"small_d", 1024, 8},
      {"tiles", 1056, 16},        {"tiles", 1056, 64, 1.10},     {"tiles", 1056, 128, 1.10},
      {"tiles", 1056, 512, 1.20}, {"tiles", 1056, 64, {}, true}, {"small_d", 1024, 3, {}, true}};
  return all;
}

// Symmetric, in float; held against the same in double.
Comparison in_float(const std::string& kernel, std::size_t n, std::size_t dim) {
  const Case twice{kernel, n, dim};
  Case single = twice;
  single.precision = attention::Precision::float32;
  return {single, twice, "float64", {}, 1.9};
}

const std::vector<Comparison>& comparisons() {
  static const std::vector<Comparison> all{
      {{"tiles", 1000, 100}, {"tiles", 1024, 96}, "1024 x 96", 1.25, {}},
      {{"tiles", 777, 37}, {"tiles", 768, 32}, "768 x 32", 1.25, {}},
      {{"tiles", 1056, 64, {}, true}, {"tiles", 1056, 64}, "symmetric", 1.35, {}},
      {{"tiles", 1056, 64, {}, false, Mask::causal}, {"tiles", 1056, 64, {}, true}, "full, not symmetric", 0.60, {}},
      {{"small_d", 1024, 3, {}, true}, {"small_d", 1024, 3}, "symmetric", 1.35, {}},
      {{"small_d", 1024, 3, {}, false, Mask::causal}, {"small_d", 1024, 3, {}, true}, "full, not symmetric", 0.60, {}},
      {{"tiles", 1056, 64, {}, false, Mask::full, 2}, {"tiles", 1056, 64}, "1 thread", {}, 1.8},
      {{"small_d", 1024, 3, {}, false, Mask::full, 2}, {"small_d", 1024, 3}, "1 thread", {}, 1.8},
      in_float("tiles", 1056, 64),
      in_float("tiles", 1056, 512),
      in_float("small_d", 4096, 3)};
  return all;
}

} // namespace

Rows kernel_rows(int repetitions) {
  Stopwatch watch;
  std::vector<std::string> added;
  const auto once = [&](const Case& at) {
    if (std::find(added.begin(), added.end(), at.text()) != added.end())
      return;
    added.push_back(at.text());
    add(watch, at);
  };
  for (const Case& at : cases())
    once(at);
  for (const Comparison& both : comparisons()) {
    once(both.fast);
    once(both.slow);
  }
  add_eigen(watch, "eigen-3", eigen_symmetric_attention, 1024, 3);
  add_eigen(watch, "eigen-64", eigen_symmetric_attention, 1056, 64);
  add_eigen(watch, "eigen-naive-3", eigen_attention, 1024, 3);
  add_limits(watch);
  watch.run(repetitions);
  const MachineLimits machine = limits(watch);
  omp_set_num_threads(1);

  const auto per_pair = [&](const std::string& name, std::size_t n) {
    return watch.ns(name) / (static_cast<double>(n) * static_cast<double>(n));
  };
  const auto of = [&](const Case& at) { return per_pair(at.text(), at.n); };
  Rows rows;
  for (const Case& at : cases())
    rows.push_back(against("kernels", at.text(), of(at), "ns/pair", limit(at, machine), "limit", at.at_most));
  for (const Comparison& both : comparisons())
    rows.push_back(both.at_least ? faster_than("kernels", both.fast.text(), of(both.fast), "ns/pair", of(both.slow),
                                               both.name, both.at_least)
                                 : against("kernels", both.fast.text(), of(both.fast), "ns/pair", of(both.slow),
                                           both.name, both.at_most));
  const Case three{"small_d", 1024, 3}, sixty_four{"tiles", 1056, 64};
  rows.push_back(faster_than("kernels", three.text(), of(three), "ns/pair", per_pair("eigen-3", 1024),
                             "Eigen, symmetric blocks", 5.0));
  rows.push_back(
      faster_than("kernels", three.text(), of(three), "ns/pair", per_pair("eigen-naive-3", 1024), "Eigen, plain"));
  rows.push_back(faster_than("kernels", sixty_four.text(), of(sixty_four), "ns/pair", per_pair("eigen-64", 1056),
                             "Eigen, symmetric blocks", 1.7));
  return rows;
}

} // namespace normdyn::bench
