// Counts allocations of this program: an evaluation must make none once it has seen its sizes.

#include "naive_attention.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> n_allocations{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  ++n_allocations;
  void* pointer = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!pointer)
    throw std::bad_alloc();
  return pointer;
}
} // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* pointer) noexcept {
  std::free(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
  std::free(pointer);
}
void operator delete(void* pointer, std::align_val_t) noexcept {
  std::free(pointer);
}
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
  std::free(pointer);
}

using namespace normdyn::attention;
using namespace normdyn::attention::test;

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(evaluations_after_the_first_allocate_nothing) {
  Weights heads{.n_heads = 2};
  heads.query.matrix = random_matrix(20, 20, 1);
  heads.value.bias = random_bias(20, 2);
  heads.output.matrix = random_matrix(20, 20, 3);
  const std::vector<double> theta = random_tokens(120, 20);
  for (const Weights& weights : {Weights{}, heads})
    for (const Mask mask : {Mask::full, Mask::causal}) {
      const auto attention = make_attention({Normalization::softmax, mask}, weights);
      std::vector<double> drift(theta.size()), magnitude(120), log_partition(120 * weights.n_heads), entropy(120);
      const Tokens tokens{theta, 20, 0};
      const AttentionOutput out{drift, magnitude, log_partition, entropy};
      attention->evaluate(tokens, tokens, 2.0, out);
      const long before = n_allocations;
      attention->evaluate(tokens, tokens, 3.0, out);
      BOOST_TEST(n_allocations == before);
    }
}

BOOST_AUTO_TEST_CASE(evaluations_of_fast_kernels_after_the_first_allocate_nothing) {
  for (const Precision precision : {Precision::float64, Precision::float32})
    for (const std::size_t dim : {3U, 40U})
      for (const bool has_values : {false, true})
        for (const Mask mask : {Mask::full, Mask::causal}) {
          Weights weights{};
          if (has_values)
            weights.value.matrix = random_matrix(dim, dim, 3);
          const std::vector<double> theta = random_tokens(220, dim);
          const auto attention = make_attention({Normalization::softmax, mask, precision}, weights);
          std::vector<double> drift(theta.size()), magnitude(220), log_partition(220);
          const Tokens tokens{theta, dim, 0};
          const AttentionOutput out{drift, magnitude, log_partition};
          attention->evaluate(tokens, tokens, 2.0, out);
          const long before = n_allocations;
          attention->evaluate(tokens, tokens, 3.0, out);
          BOOST_TEST(n_allocations == before);
        }
}

BOOST_AUTO_TEST_CASE(series_allocate_nothing_after_the_first_call_whatever_beta_does) {
  struct Kind {
    const char* kernel;
    std::size_t dim;
    Mask mask;
    double most;
  };
  for (const Kind& kind : {Kind{"fourier", 2, Mask::full, 2000.0}, Kind{"fourier", 2, Mask::causal, 2000.0},
                           Kind{"harmonics", 3, Mask::full, 2000.0}, Kind{"harmonics", 3, Mask::causal, 2000.0}}) {
    const std::vector<double> theta = random_tokens(3000, kind.dim);
    const auto attention = make_attention({Normalization::softmax, kind.mask}, {}, kind.kernel);
    std::vector<double> drift(theta.size()), magnitude(3000), log_partition(3000), entropy(3000);
    const Tokens tokens{theta, kind.dim, 0};
    attention->evaluate(tokens, tokens, 2.0, {drift, magnitude, log_partition, entropy});
    const long before = n_allocations;
    for (const double beta : {3.0, kind.most, -4.0, 0.0, 0.25 * kind.most})
      attention->evaluate(tokens, tokens, beta, {drift, magnitude, log_partition, entropy});
    BOOST_TEST(n_allocations == before);
  }
}

BOOST_AUTO_TEST_SUITE_END()
