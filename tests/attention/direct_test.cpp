#include "naive_attention.hpp"

#include "normdyn/core/error.hpp"

#include <boost/test/unit_test.hpp>
#include <omp.h>

#include <limits>

using namespace normdyn::attention;
using namespace normdyn::attention::test;

namespace {

// Largest difference of drift, log partition and entropy from the oracle, relative to the size of each.
double worst_error(const AttentionOptions& options, const Weights& weights, std::size_t n, std::size_t dim,
                   double beta) {
  const std::vector<double> theta = random_tokens(n, dim);
  const auto attention = make_attention(options, weights);
  const Evaluated got = evaluated(*attention, theta, dim, beta);
  const NaiveResult want = naive_attention(options, weights, theta, dim, beta);
  Real worst = 0.0L, largest = 0.0L;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t c = 0; c < dim; ++c) {
      largest = std::max(largest, std::abs(want.drift[j][c]));
      worst = std::max(worst, std::abs(want.drift[j][c] - static_cast<Real>(got.drift[j * dim + c])));
    }
  worst /= largest;
  for (std::size_t j = 0; j < n; ++j) {
    worst = std::max(worst, std::abs(want.entropy[0][j] - static_cast<Real>(got.entropy[j])));
    for (std::size_t h = 0; h < weights.n_heads; ++h) {
      const Real log_partition = want.log_partition[h][j];
      worst = std::max(worst, std::abs(log_partition - static_cast<Real>(got.log_partition[h * n + j])) /
                                  std::max(1.0L, std::abs(log_partition)));
    }
  }
  return static_cast<double>(worst);
}

Weights general_weights(std::size_t heads, std::size_t dim, std::size_t head_dim, bool with_biases) {
  const std::size_t total = heads * head_dim;
  Weights weights{.n_heads = heads};
  weights.query.matrix = random_matrix(total, dim, 1);
  weights.key.matrix = random_matrix(total, dim, 2);
  weights.value.matrix = random_matrix(total, dim, 3);
  weights.output.matrix = random_matrix(dim, total, 4);
  if (with_biases) {
    weights.query.bias = random_bias(total, 5);
    weights.key.bias = random_bias(total, 6);
    weights.value.bias = random_bias(total, 7);
    weights.output.bias = random_bias(dim, 8);
  }
  return weights;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(identity_weights_agree_with_the_oracle) {
  for (const Mask mask : {Mask::full, Mask::causal})
    for (const Normalization form : {Normalization::softmax, Normalization::unnormalized})
      for (const auto& [n, dim] :
           {std::pair<std::size_t, std::size_t>{1, 1}, {1, 4}, {2, 2}, {7, 3}, {8, 8}, {33, 9}, {64, 100}, {150, 17}})
        for (const double beta : {0.0, 1.0, -2.5, 9.0, 60.0}) {
          BOOST_TEST_CONTEXT("n " << n << " d " << dim << " beta " << beta << " causal " << (mask == Mask::causal))
          BOOST_TEST(worst_error({form, mask}, {}, n, dim, beta) < 4e-15 * (1.0 + std::abs(beta)));
        }
}

BOOST_AUTO_TEST_CASE(general_weights_heads_and_biases_agree_with_the_oracle) {
  for (const Mask mask : {Mask::full, Mask::causal})
    for (const Normalization form : {Normalization::softmax, Normalization::unnormalized})
      for (const bool with_biases : {false, true})
        for (const std::size_t heads : {1U, 2U, 4U}) {
          BOOST_TEST_CONTEXT("heads " << heads << " biases " << with_biases)
          BOOST_TEST(worst_error({form, mask}, general_weights(heads, 12, 5, with_biases), 41, 12, 3.0) < 5e-14);
        }
}

BOOST_AUTO_TEST_CASE(each_projection_works_alone) {
  Weights query_and_key{};
  query_and_key.query.matrix = random_matrix(3, 6, 1); // a low rank score
  query_and_key.key.matrix = random_matrix(3, 6, 2);
  Weights value{};
  value.value.matrix = random_matrix(6, 6, 3);
  Weights bias{};
  bias.key.bias = random_bias(6, 4);
  Weights heads{.n_heads = 3};
  Weights output{};
  output.output.bias = random_bias(6, 5);
  for (const Weights& weights : {query_and_key, value, bias, heads, output})
    BOOST_TEST(worst_error({}, weights, 20, 6, 2.0) < 2e-14);
}

BOOST_AUTO_TEST_CASE(large_scores_are_shifted) {
  for (const double beta : {710.0, 1000.0, 2000.0, 1e6, -1e6}) {
    const auto attention = make_attention({}, {});
    const Evaluated same = evaluated(*attention, {0.6, 0.8, 0.6, 0.8}, 2, beta);
    BOOST_TEST(same.drift == (std::vector<double>{0.6, 0.8, 0.6, 0.8}), boost::test_tools::per_element());
    const Evaluated orthogonal = evaluated(*attention, {1.0, 0.0, 0.0, 1.0}, 2, beta);
    const std::vector<double> stays{1.0, 0.0, 0.0, 1.0}, swaps{0.0, 1.0, 1.0, 0.0};
    BOOST_TEST(orthogonal.drift == (beta > 0.0 ? stays : swaps), boost::test_tools::per_element());
  }
  Weights thirty{};
  thirty.query.matrix = 30.0 * Matrix::Identity(2, 2);
  thirty.key.matrix = 30.0 * Matrix::Identity(2, 2);
  const auto attention = make_attention({}, thirty);
  const Evaluated got = evaluated(*attention, {1.0, 0.0, 0.0, 1.0}, 2, 1.0);
  BOOST_TEST(got.drift == (std::vector<double>{1.0, 0.0, 0.0, 1.0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(negative_beta_prefers_the_other_token) {
  const auto attention = make_attention({}, {}, "direct"); // the kernel whose exponential is good to the last bit
  const Evaluated got = evaluated(*attention, {1.0, 0.0, 0.0, 1.0}, 2, -1.0);
  BOOST_TEST(std::abs(got.drift[1] - 1.0 / (1.0 + std::exp(-1.0))) < 2e-16);
}

BOOST_AUTO_TEST_CASE(unnormalized_overflow_is_infinite_and_only_that) {
  const auto attention = make_attention({Normalization::unnormalized, Mask::full}, {});
  std::vector<double> theta(2048, 1.0); // d = 1: A = exp(beta)
  BOOST_TEST(std::abs(std::log(evaluated(*attention, theta, 1, 709.0).drift[0]) - 709.0) < 1e-12);
  BOOST_TEST(evaluated(*attention, theta, 1, 800.0).drift[0] == infinity);
  theta.assign(2048, 0.0); // d = 2: half at e1, half at e2; exp(712) / 2 is out of range, exp(712) / 2048 is not
  for (std::size_t j = 0; j < 1024; ++j)
    theta[2 * j] = j == 0 ? 1.0 : -1.0;
  const double drift = evaluated(*attention, theta, 2, 712.0).drift[0];
  BOOST_TEST(std::abs(std::log(drift) - (712.0 - std::log(1024.0))) < 1e-12);
}

BOOST_AUTO_TEST_CASE(cancellation_is_exact_and_seen_in_the_magnitude) {
  const auto attention = make_attention({}, {});
  const std::vector<double> pair{0.6, 0.8, -0.6, -0.8}, square{1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0};
  for (const std::vector<double>& theta : {pair, square}) {
    const Evaluated got = evaluated(*attention, theta, 2, 0.0);
    for (const double component : got.drift)
      BOOST_TEST(component == 0.0);
    for (const double magnitude : got.magnitude)
      BOOST_TEST(std::abs(magnitude - 1.0) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(magnitude_bounds_the_drift_from_above) {
  for (const Normalization form : {Normalization::softmax, Normalization::unnormalized}) {
    const auto attention = make_attention({form, Mask::causal}, general_weights(3, 8, 4, true));
    const Evaluated got = evaluated(*attention, random_tokens(40, 8), 8, 2.0);
    for (std::size_t j = 0; j < 40; ++j) {
      double square = 0.0;
      for (std::size_t c = 0; c < 8; ++c)
        square += got.drift[j * 8 + c] * got.drift[j * 8 + c];
      BOOST_TEST(std::sqrt(square) <= got.magnitude[j] * (1.0 + 1e-12));
      BOOST_TEST(std::sqrt(square) > 0.01 * got.magnitude[j]);
    }
  }
}

BOOST_AUTO_TEST_CASE(entropy_of_identical_tokens_is_log_n) {
  for (const std::size_t n : {1U, 2U, 5U, 16U, 40U, 333U}) {
    std::vector<double> theta;
    for (std::size_t j = 0; j < n; ++j)
      theta.insert(theta.end(), {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0});
    const Evaluated got = evaluated(*make_attention({}, {}), theta, 3, 7.0);
    for (const double entropy : got.entropy)
      BOOST_TEST(entropy == std::log(static_cast<double>(n)));
  }
}

BOOST_AUTO_TEST_CASE(thread_counts_give_the_same_bits) {
  const std::size_t n = 301, dim = 40;
  const std::vector<double> theta = random_tokens(n, dim);
  const int before = omp_get_max_threads();
  for (const Mask mask : {Mask::full, Mask::causal}) {
    std::vector<Evaluated> results;
    for (const int threads : {1, 2, 3}) {
      omp_set_num_threads(threads);
      results.push_back(evaluated(*make_attention({Normalization::softmax, mask}, general_weights(2, dim, 20, true)),
                                  theta, dim, 4.0));
    }
    for (const Evaluated& other : results) {
      BOOST_TEST((other.drift == results[0].drift));
      BOOST_TEST((other.magnitude == results[0].magnitude));
      BOOST_TEST((other.log_partition == results[0].log_partition));
      BOOST_TEST((other.entropy == results[0].entropy));
    }
  }
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(causal_rows_do_not_depend_on_later_tokens_bit_for_bit) {
  for (const std::size_t dim : {2U, 3U, 30U}) {
    const std::vector<double> all = random_tokens(150, dim);
    const AttentionOptions causal{Normalization::softmax, Mask::causal};
    const Evaluated whole = evaluated(*make_attention(causal, {}), all, dim, 2.0);
    for (const std::size_t n : {1U, 2U, 3U, 8U, 9U, 33U, 64U, 149U}) {
      const std::vector<double> fewer(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n * dim));
      const Evaluated part = evaluated(*make_attention(causal, {}), fewer, dim, 2.0);
      BOOST_TEST(std::equal(part.drift.begin(), part.drift.end(), whole.drift.begin()));
      BOOST_TEST(std::equal(part.entropy.begin(), part.entropy.end(), whole.entropy.begin()));
    }
  }
}

BOOST_AUTO_TEST_CASE(slices_of_queries_give_the_rows_of_the_whole_bit_for_bit) {
  const std::size_t n = 70, dim = 11;
  const std::vector<double> theta = random_tokens(n, dim);
  for (const Mask mask : {Mask::full, Mask::causal}) {
    const auto attention = make_attention({Normalization::softmax, mask}, general_weights(2, dim, 6, true));
    const Evaluated whole = evaluated(*attention, theta, dim, 1.5);
    for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 13}, {13, 40}, {53, 17}}) {
      std::vector<double> drift(count * dim);
      const std::span<const double> slice = std::span<const double>(theta).subspan(first * dim, count * dim);
      attention->evaluate({slice, dim, first}, {theta, dim, 0}, 1.5, {.drift = drift});
      BOOST_TEST(
          std::equal(drift.begin(), drift.end(), whole.drift.begin() + static_cast<std::ptrdiff_t>(first * dim)));
    }
  }
}

BOOST_AUTO_TEST_CASE(one_object_serves_changing_sizes) {
  const auto attention = make_attention({}, {});
  for (const std::size_t n : {50U, 3U, 200U, 7U}) {
    const std::vector<double> theta = random_tokens(n, 5);
    BOOST_TEST((evaluated(*attention, theta, 5, 1.0).drift == evaluated(*make_attention({}, {}), theta, 5, 1.0).drift));
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_show_in_the_result) {
  const auto attention = make_attention({}, {});
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity}) {
    std::vector<double> theta = random_tokens(12, 3);
    theta[3 * 7 + 1] = bad;
    const Evaluated got = evaluated(*attention, theta, 3, 1.0);
    for (std::size_t j = 0; j < 12; ++j)
      BOOST_TEST(!std::isfinite(got.drift[3 * j] + got.drift[3 * j + 1] + got.drift[3 * j + 2]));
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_kernel_is_refused_with_the_nearest_name) {
  BOOST_CHECK_EXCEPTION((void)make_attention({}, {}, "dirct"), normdyn::core::InputError, [](const auto& error) {
    return error.problem() == "there is no kernel 'dirct'" && error.remedy() == "did you mean 'direct'?";
  });
  BOOST_TEST(make_attention({}, {}, "direct")->kernel() == "direct");
}

BOOST_AUTO_TEST_SUITE_END()
