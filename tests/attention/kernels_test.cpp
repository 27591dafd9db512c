// Every fast kernel against the oracle and the direct kernel, on every instruction set of the machine.
#include "kernel_cases.hpp"

#include <boost/test/unit_test.hpp>
#include <omp.h>

#include <limits>

using namespace normdyn::attention;
using namespace normdyn::attention::test;

namespace {

// Largest error of the drift relative to its magnitude (cancellation is the tokens' affair), of log Z relative to
// max(1, |log Z|), and of the magnitude against the direct kernel.
double worst_error(const Evaluated& got, const NaiveResult& want, const Evaluated& direct, std::size_t dim) {
  Real worst = 0.0L;
  const std::size_t n = got.magnitude.size();
  for (std::size_t j = 0; j < n; ++j) {
    const auto size = static_cast<Real>(direct.magnitude[j]);
    for (std::size_t c = 0; c < dim; ++c)
      worst = std::max(worst, std::abs(want.drift[j][c] - static_cast<Real>(got.drift[j * dim + c])) / size);
    worst = std::max(worst, std::abs(static_cast<Real>(got.magnitude[j]) / size - 1.0L));
    for (std::size_t h = 0; h < want.log_partition.size(); ++h) {
      const Real log_partition = want.log_partition[h][j];
      worst = std::max(worst, std::abs(log_partition - static_cast<Real>(got.log_partition[h * n + j])) /
                                  std::max(1.0L, std::abs(log_partition)));
    }
  }
  return static_cast<double>(worst);
}

struct Case {
  AttentionOptions options;
  Weights weights;
  std::string kernel;
};

void check(const Case& at, const std::vector<double>& theta, std::size_t dim, double beta, double tolerance) {
  const NaiveResult want = naive_attention(at.options, at.weights, theta, dim, beta);
  const Evaluated direct = fast(*make_attention(at.options, at.weights, "direct"), theta, dim, beta);
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const Evaluated got = fast(*make_attention(at.options, at.weights, at.kernel), theta, dim, beta);
    const double error = worst_error(got, want, direct, dim);
    BOOST_TEST(error < tolerance, target << " " << at.kernel << " n " << theta.size() / dim << " d " << dim << " beta "
                                         << beta << " causal " << (at.options.mask == Mask::causal) << ": " << error);
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(fast_kernels_agree_with_the_oracle_in_every_arrangement) {
  const EveryTarget restore;
  for (const Size& size : sizes)
    for (const Arrangement arrangement :
         {Arrangement::random, Arrangement::clustered, Arrangement::nearly_merged, Arrangement::isolated}) {
      const std::vector<double> theta = arranged(arrangement, size.n, size.dim);
      for (const Mask mask : {Mask::full, Mask::causal})
        for (const double beta : {0.0, 1.0, 9.0, 100.0, 2000.0})
          BOOST_TEST_CONTEXT("arrangement " << static_cast<int>(arrangement))
      check({{Normalization::softmax, mask}, {}, size.kernel}, theta, size.dim, beta, 1e-13);
    }
}

// Rows in chunks for threads, tokens in tiles for the cache, and what is left of both.
BOOST_AUTO_TEST_CASE(the_kernel_of_few_components_agrees_with_the_oracle_for_many_tokens) {
  const EveryTarget restore;
  for (const std::size_t n : {std::size_t{413}, std::size_t{1031}})
    for (const std::size_t dim : {std::size_t{2}, std::size_t{3}})
      for (const Mask mask : {Mask::full, Mask::causal})
        for (const double beta : {9.0, 500.0}) // exponents bounded, and below the floor of the exponential
          check({{Normalization::softmax, mask}, {}, "small_d"}, random_tokens(n, dim), dim, beta, 1e-13);
}

BOOST_AUTO_TEST_CASE(fast_kernels_agree_for_negative_beta_and_without_normalization) {
  const EveryTarget restore;
  for (const Size& size : sizes) {
    const std::vector<double> theta = random_tokens(size.n, size.dim);
    for (const Mask mask : {Mask::full, Mask::causal}) {
      for (const double beta : {-2.0, -100.0, -1000.0})
        check({{Normalization::softmax, mask}, {}, size.kernel}, theta, size.dim, beta, 1e-13);
      for (const double beta : {-2.0, 5.0, 300.0}) // the rounding of the score itself counts, up to 4 ulp of beta
        check({{Normalization::unnormalized, mask}, {}, size.kernel}, theta, size.dim, beta,
              1e-13 + std::abs(beta) * 0x1p-50);
    }
  }
}

BOOST_AUTO_TEST_CASE(fast_kernels_agree_with_general_weights_and_heads) {
  const EveryTarget restore;
  for (const Size& size : sizes) {
    const std::vector<double> theta = random_tokens(size.n, size.dim);
    for (const Mask mask : {Mask::full, Mask::causal})
      for (const Normalization form : {Normalization::softmax, Normalization::unnormalized})
        for (const std::size_t heads : {std::size_t{1}, std::size_t{2}})
          for (const double beta : {3.0, 60.0})
            check({{form, mask}, general_weights(heads, size.dim, 5), size.kernel}, theta, size.dim, beta, 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(values_may_differ_from_queries_and_keys) {
  const EveryTarget restore;
  for (const Size& size : sizes) {
    Weights value{}, query{};
    value.value.matrix = random_matrix(size.dim, size.dim, 3);
    query.query.matrix = random_matrix(size.dim, size.dim, 3);
    for (const Mask mask : {Mask::full, Mask::causal})
      for (const double beta : {2.0, 500.0}) {
        const std::vector<double> theta = random_tokens(size.n, size.dim);
        check({{Normalization::softmax, mask}, value, size.kernel}, theta, size.dim, beta, 1e-13);
        check({{Normalization::softmax, mask}, query, size.kernel}, theta, size.dim, beta, 4e-13); // scores to 1500
      }
  }
}

BOOST_AUTO_TEST_CASE(tokens_that_are_no_unit_vectors_are_evaluated_too) {
  const EveryTarget restore;
  for (const Size& size : sizes) {
    std::vector<double> theta = random_tokens(size.n, size.dim);
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] *= 0.1 + static_cast<double>(i / size.dim % 7);
    for (const Mask mask : {Mask::full, Mask::causal})
      for (const double beta : {1.0, 20.0}) // some queries are safe to shift by their bound, some are not
        check({{Normalization::softmax, mask}, {}, size.kernel}, theta, size.dim, beta, 2e-13);
  }
}

BOOST_AUTO_TEST_CASE(fast_kernels_give_the_same_bits_for_any_number_of_threads) {
  const EveryTarget restore;
  const int before = omp_get_max_threads();
  for (const std::string kernel : {"small_d", "tiles"})
    for (const Mask mask : {Mask::full, Mask::causal})
      for (const bool is_general : {false, true})
        for (const std::size_t n : {std::size_t{300}, std::size_t{777}, std::size_t{2100}}) {
          const std::size_t dim = 5;
          const std::vector<double> theta = random_tokens(n, dim);
          const Weights weights = is_general ? general_weights(2, dim, 4) : Weights{};
          std::vector<Evaluated> results;
          for (const int threads : {1, 2, 3, 8}) {
            omp_set_num_threads(threads);
            results.push_back(fast(*make_attention({Normalization::softmax, mask}, weights, kernel), theta, dim, 4.0));
          }
          for (const Evaluated& other : results) {
            BOOST_TEST((other.drift == results[0].drift));
            BOOST_TEST((other.magnitude == results[0].magnitude));
            BOOST_TEST((other.log_partition == results[0].log_partition));
          }
        }
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(causal_rows_of_fast_kernels_do_not_depend_on_later_tokens_bit_for_bit) {
  const EveryTarget restore;
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    for (const std::size_t dim : {2U, 3U, 10U, 30U})
      for (const bool is_general : {false, true}) {
        const std::vector<double> all = random_tokens(330, dim);
        const AttentionOptions causal{Normalization::softmax, Mask::causal};
        const Weights weights = is_general ? general_weights(2, dim, 5) : Weights{};
        const Evaluated whole = fast(*make_attention(causal, weights), all, dim, 2.0);
        for (const std::size_t n : {1U, 2U, 3U, 8U, 9U, 33U, 64U, 97U, 149U, 300U}) {
          const std::vector<double> fewer(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n * dim));
          const Evaluated part = fast(*make_attention(causal, weights), fewer, dim, 2.0);
          BOOST_TEST(std::equal(part.drift.begin(), part.drift.end(), whole.drift.begin()));
          BOOST_TEST(std::equal(part.magnitude.begin(), part.magnitude.end(), whole.magnitude.begin()));
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(slices_of_queries_give_the_rows_of_the_whole_bit_for_bit_in_fast_kernels) {
  const std::size_t n = 270;
  for (const std::size_t dim : {4U, 33U})
    for (const Mask mask : {Mask::full, Mask::causal}) {
      const std::vector<double> theta = random_tokens(n, dim);
      const auto attention = make_attention({Normalization::softmax, mask}, general_weights(2, dim, 6));
      const Evaluated whole = fast(*attention, theta, dim, 1.5);
      for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 13}, {13, 140}, {153, 117}}) {
        std::vector<double> drift(count * dim);
        const std::span<const double> slice = std::span<const double>(theta).subspan(first * dim, count * dim);
        attention->evaluate({slice, dim, first}, {theta, dim, 0}, 1.5, {.drift = drift});
        BOOST_TEST(
            std::equal(drift.begin(), drift.end(), whole.drift.begin() + static_cast<std::ptrdiff_t>(first * dim)));
      }
    }
}

BOOST_AUTO_TEST_CASE(a_slice_of_plain_queries_agrees_with_the_whole) {
  const std::size_t n = 150;
  for (const std::size_t dim : {3U, 40U}) {
    const std::vector<double> theta = random_tokens(n, dim), others = random_tokens(20, dim, 9);
    const auto attention = make_attention({}, {}), direct = make_attention({}, {}, "direct");
    const Evaluated whole = fast(*attention, theta, dim, 50.0);
    std::vector<double> drift(20 * dim), expected(20 * dim);
    attention->evaluate({std::span<const double>(theta).subspan(60 * dim, 20 * dim), dim, 60}, {theta, dim, 0}, 50.0,
                        {.drift = drift});
    for (std::size_t i = 0; i < drift.size(); ++i)
      BOOST_TEST(std::abs(drift[i] - whole.drift[60 * dim + i]) < 1e-13);
    for (const double beta :
         {50.0, 2000.0}) { // queries that are no keys: the largest score is not that of the query itself
      attention->evaluate({others, dim, 0}, {theta, dim, 0}, beta, {.drift = drift});
      direct->evaluate({others, dim, 0}, {theta, dim, 0}, beta, {.drift = expected});
      for (std::size_t i = 0; i < drift.size(); ++i)
        BOOST_TEST(std::abs(drift[i] - expected[i]) < 1e-13);
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_show_in_the_result_of_fast_kernels) {
  for (const std::size_t dim : {3U, 30U})
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      std::vector<double> theta = random_tokens(12, dim);
      theta[dim * 7 + 1] = bad;
      const Evaluated got = fast(*make_attention({}, {}), theta, dim, 1.0);
      for (std::size_t j = 0; j < 12; ++j)
        BOOST_TEST(!std::isfinite(got.drift[dim * j] + got.drift[dim * j + 1] + got.drift[dim * j + 2]));
    }
}

BOOST_AUTO_TEST_CASE(cancellation_is_exact_in_fast_kernels) {
  const std::vector<double> pair{0.6, 0.8, -0.6, -0.8}, square{1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0};
  for (const std::vector<double>& theta : {pair, square}) {
    const Evaluated got = fast(*make_attention({}, {}), theta, 2, 0.0);
    for (const double component : got.drift)
      BOOST_TEST(component == 0.0);
    for (const double magnitude : got.magnitude)
      BOOST_TEST(std::abs(magnitude - 1.0) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(the_kernel_that_runs_has_a_name) {
  Weights heads{.n_heads = 4};
  BOOST_TEST(attention_kernel({}, {8, 3}) == "small_d");
  BOOST_TEST(attention_kernel({}, {8, 3}, "direct") == "direct");
  BOOST_TEST(attention_kernel(heads, {8, 40}, "small_d") == "small_d");
  BOOST_TEST(attention_kernel({}, {8, 40}, "small_d") == "direct");
  const auto attention = make_attention({}, heads);
  BOOST_TEST(attention->kernel() == "auto");
  (void)fast(*attention, random_tokens(5, 8), 8, 1.0);
  BOOST_TEST(attention->kernel() == "small_d");
}

BOOST_AUTO_TEST_SUITE_END()
