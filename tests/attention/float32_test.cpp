// The kernels in float32 against the direct one in double, on every instruction set of the machine.
//
// Tolerance, u = 2^-24: a weight exp(s - shift) has the rounding of its score, of tokens to float (2 u |s|) and of the
// d + 1 additions of the scalar product (each u |s| at most, sqrt(d) of them together), and that of the exponential
// (4 u); sums of n terms add up to n u, mostly sqrt(n) u.
#include "kernel_cases.hpp"

#include "normdyn/core/error.hpp"

#include <boost/test/unit_test.hpp>
#include <omp.h>

#include <limits>

using namespace normdyn::attention;
using namespace normdyn::attention::test;

namespace {

constexpr AttentionOptions float32(Mask mask = Mask::full, Normalization form = Normalization::softmax) {
  return {form, mask, Precision::float32};
}

double tolerance(std::size_t n, std::size_t dim, double largest_score) {
  return 0x1p-24 *
         (8.0 + std::sqrt(static_cast<double>(n)) + 2.0 * largest_score * (3.0 + std::sqrt(static_cast<double>(dim))));
}

// Errors of drift and magnitude relative to the magnitude, and of log Z.
double worst_error(const Evaluated& got, const Evaluated& want) {
  const std::size_t n = got.magnitude.size(), dim = got.drift.size() / n;
  double worst = 0.0;
  for (std::size_t i = 0; i < got.drift.size(); ++i)
    worst = std::max(worst, std::abs(got.drift[i] - want.drift[i]) / want.magnitude[i / dim]);
  for (std::size_t j = 0; j < n; ++j)
    worst = std::max(worst, std::abs(got.magnitude[j] / want.magnitude[j] - 1.0));
  for (std::size_t i = 0; i < got.log_partition.size(); ++i)
    worst = std::max(worst, std::abs(got.log_partition[i] - want.log_partition[i]));
  return worst;
}

void check(AttentionOptions options, const Weights& weights, const std::string& kernel,
           const std::vector<double>& theta, std::size_t dim, double beta, double largest_score) {
  options.precision = Precision::float64;
  const Evaluated want = fast(*make_attention(options, weights, "direct"), theta, dim, beta);
  options.precision = Precision::float32;
  const double most = tolerance(theta.size() / dim, dim, largest_score);
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const double error = worst_error(fast(*make_attention(options, weights, kernel), theta, dim, beta), want);
    BOOST_TEST(error < most, target << " " << kernel << " n " << theta.size() / dim << " d " << dim << " beta " << beta
                                    << " causal " << (options.mask == Mask::causal) << ": " << error << " of " << most);
  }
}

Weights scaled_values(std::size_t dim, double scale) {
  Weights weights{};
  weights.value.matrix = random_matrix(dim, dim, 3) * scale;
  return weights;
}

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(float32_agrees_with_double_in_every_arrangement) {
  const EveryTarget restore;
  for (const Size& size : sizes)
    for (const Arrangement arrangement :
         {Arrangement::random, Arrangement::clustered, Arrangement::nearly_merged, Arrangement::isolated}) {
      const std::vector<double> theta = arranged(arrangement, size.n, size.dim);
      for (const Mask mask : {Mask::full, Mask::causal})
        for (const double beta : {0.0, 1.0, 9.0, 100.0, 2000.0, -3.0, -500.0})
          BOOST_TEST_CONTEXT("arrangement " << static_cast<int>(arrangement))
      check(float32(mask), {}, size.kernel, theta, size.dim, beta, std::abs(beta));
    }
}

BOOST_AUTO_TEST_CASE(float32_agrees_with_double_without_normalization) {
  const EveryTarget restore;
  for (const Size& size : sizes)
    for (const Mask mask : {Mask::full, Mask::causal})
      for (const double beta : {-2.0, 5.0, 300.0}) {
        const std::vector<double> theta = random_tokens(size.n, size.dim);
        check(float32(mask, Normalization::unnormalized), {}, size.kernel, theta, size.dim, beta, std::abs(beta));
      }
}

// Scores are below 30 where they are left to float (see shifts.hpp), whatever they are elsewhere.
BOOST_AUTO_TEST_CASE(float32_agrees_with_double_for_general_weights_and_heads) {
  const EveryTarget restore;
  for (const Size& size : sizes) {
    const std::vector<double> theta = random_tokens(size.n, size.dim);
    for (const Mask mask : {Mask::full, Mask::causal})
      for (const Normalization form : {Normalization::softmax, Normalization::unnormalized})
        for (const std::size_t heads : {std::size_t{1}, std::size_t{2}})
          for (const double beta : {0.5, 3.0, 60.0})
            check(float32(mask, form), general_weights(heads, size.dim, 5), size.kernel, theta, size.dim, beta, 30.0);
  }
}

BOOST_AUTO_TEST_CASE(float32_keeps_the_relative_accuracy_of_values_of_any_size) {
  const EveryTarget restore;
  for (const double scale : {1e-300, 1e-40, 1e-12, 1e-8, 1.0, 1e18, 1e30, 1e60})
    for (const std::string kernel : {"small_d", "tiles"})
      for (const Mask mask : {Mask::full, Mask::causal}) {
        const std::vector<double> theta = random_tokens(120, 5);
        check(float32(mask), scaled_values(5, scale), kernel, theta, 5, 20.0, 30.0);
      }
}

BOOST_AUTO_TEST_CASE(one_huge_value_spoils_no_query_that_does_not_see_it) {
  const EveryTarget restore;
  std::vector<double> theta = random_tokens(150, 3);
  for (std::size_t c = 0; c < 3; ++c)
    theta[3 * 149 + c] *= 1e200;
  Weights weights{};
  weights.query.matrix = Matrix::Zero(3, 3); // all scores are 0
  for (const std::string kernel : {"small_d", "tiles"})
    check(float32(Mask::causal), weights, kernel, theta, 3, 1.0, 30.0);
}

// With norms from 0.1 to 6 and beta = 20, some queries are safe in float, some in double, and some in neither.
BOOST_AUTO_TEST_CASE(queries_outside_the_safe_range_of_float_are_those_of_float64_bit_for_bit) {
  for (const auto& [kernel, dim] : {std::pair<std::string, std::size_t>{"small_d", 3}, {"tiles", 20}}) {
    std::vector<double> theta = random_tokens(210, dim), norms;
    for (std::size_t j = 0; j < 210; ++j) {
      norms.push_back(0.1 + static_cast<double>(j % 7));
      for (std::size_t c = 0; c < dim; ++c)
        theta[j * dim + c] *= norms[j];
    }
    const double beta = 20.0;
    const Evaluated single = fast(*make_attention(float32(), {}, kernel), theta, dim, beta);
    const Evaluated twice = fast(*make_attention({}, {}, kernel), theta, dim, beta);
    std::size_t n_differ = 0;
    for (std::size_t j = 0; j < 210; ++j) {
      const auto row = static_cast<std::ptrdiff_t>(j * dim), size = static_cast<std::ptrdiff_t>(dim);
      const bool same =
          std::equal(single.drift.begin() + row, single.drift.begin() + row + size, twice.drift.begin() + row);
      n_differ += same ? 0 : 1;
      BOOST_TEST((same || beta * norms[j] * 6.1 <= 30.0));
    }
    BOOST_TEST(n_differ == 30U); // those of norm 0.1
    BOOST_TEST(worst_error(single, twice) < tolerance(210, dim, 30.0));
  }
}

BOOST_AUTO_TEST_CASE(float32_gives_the_same_bits_for_any_number_of_threads) {
  const int before = omp_get_max_threads();
  for (const std::string kernel : {"small_d", "tiles"})
    for (const Mask mask : {Mask::full, Mask::causal})
      for (const bool is_general : {false, true})
        for (const std::size_t n : {std::size_t{300}, std::size_t{777}}) {
          const std::size_t dim = 5;
          const std::vector<double> theta = random_tokens(n, dim);
          const Weights weights = is_general ? general_weights(2, dim, 4) : Weights{};
          std::vector<Evaluated> results;
          for (const int threads : {1, 2, 3, 8}) {
            omp_set_num_threads(threads);
            results.push_back(fast(*make_attention(float32(mask), weights, kernel), theta, dim, 4.0));
          }
          for (const Evaluated& other : results) {
            BOOST_TEST((other.drift == results[0].drift));
            BOOST_TEST((other.magnitude == results[0].magnitude));
            BOOST_TEST((other.log_partition == results[0].log_partition));
          }
        }
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(rows_of_float32_depend_neither_on_later_tokens_nor_on_slices_bit_for_bit) {
  const EveryTarget restore;
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    for (const std::size_t dim : {2U, 3U, 10U, 30U}) {
      const std::vector<double> all = random_tokens(330, dim);
      const auto attention = make_attention(float32(Mask::causal), general_weights(2, dim, 5));
      for (const double beta : {2.0, 12.0}) { // at 12 some queries are outside the safe range
        const Evaluated whole = fast(*attention, all, dim, beta);
        for (const std::size_t n : {1U, 2U, 9U, 64U, 97U, 300U}) {
          const std::vector<double> fewer(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n * dim));
          const Evaluated part = fast(*attention, fewer, dim, beta);
          BOOST_TEST(std::equal(part.drift.begin(), part.drift.end(), whole.drift.begin()));
        }
        std::vector<double> drift(140 * dim);
        const std::span<const double> slice = std::span<const double>(all).subspan(13 * dim, 140 * dim);
        attention->evaluate({slice, dim, 13}, {all, dim, 0}, beta, {.drift = drift});
        BOOST_TEST(std::equal(drift.begin(), drift.end(), whole.drift.begin() + static_cast<std::ptrdiff_t>(13 * dim)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(drifts_that_cancel_are_those_of_float64_where_their_magnitude_is_asked_for) {
  std::vector<double> theta{0.6, 0.8, -0.6, -0.8};
  const double turn = 1e-6; // the drift at beta = 0 is about turn / 2
  theta[2] = -0.6 * std::cos(turn) + 0.8 * std::sin(turn);
  theta[3] = -0.8 * std::cos(turn) - 0.6 * std::sin(turn);
  for (const std::string kernel : {"small_d", "tiles"}) {
    const Evaluated single = fast(*make_attention(float32(), {}, kernel), theta, 2, 0.0);
    const Evaluated twice = fast(*make_attention({}, {}, "direct"), theta, 2, 0.0);
    for (std::size_t i = 0; i < 4; ++i)
      BOOST_TEST(std::abs(single.drift[i] - twice.drift[i]) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(float32_is_float32_unless_double_is_asked_for) {
  for (const std::size_t dim : {3U, 40U}) {
    const std::vector<double> theta = random_tokens(200, dim);
    const Tokens tokens{theta, dim, 0};
    const auto single = make_attention(float32(), {});
    std::vector<double> drift(theta.size()), log_partition(200), entropy(200);
    single->evaluate(tokens, tokens, 5.0, {.drift = drift});
    const Evaluated twice = fast(*make_attention({}, {}, dim == 3 ? "small_d" : "tiles"), theta, dim, 5.0);
    double largest = 0.0;
    for (std::size_t i = 0; i < drift.size(); ++i)
      largest = std::max(largest, std::abs(drift[i] - twice.drift[i]));
    BOOST_TEST(largest > 1e-9);
    single->evaluate(tokens, tokens, 5.0,
                     {.drift = drift, .log_partition = log_partition, .entropy = entropy, .in_double = true});
    BOOST_TEST((drift == twice.drift));
    BOOST_TEST((log_partition == twice.log_partition));
    BOOST_TEST((entropy == evaluated(*make_attention({}, {}, "direct"), theta, dim, 5.0).entropy));
    std::fill(entropy.begin(), entropy.end(), 0.0);
    single->evaluate(tokens, tokens, 5.0, {.drift = {}, .entropy = entropy});
    BOOST_TEST((entropy == evaluated(*make_attention({}, {}, "direct"), theta, dim, 5.0).entropy));
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_show_in_float32_too) {
  for (const std::size_t dim : {3U, 30U})
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      std::vector<double> theta = random_tokens(12, dim);
      theta[dim * 7 + 1] = bad;
      const Evaluated got = fast(*make_attention(float32(), {}), theta, dim, 1.0);
      for (std::size_t j = 0; j < 12; ++j)
        BOOST_TEST(!std::isfinite(got.drift[dim * j] + got.drift[dim * j + 1] + got.drift[dim * j + 2]));
    }
}

BOOST_AUTO_TEST_CASE(float32_takes_no_series_and_says_its_name) {
  BOOST_TEST(attention_kernel({}, {4000, 2, 5.0, Mask::full, Precision::float32}) == "small_d, float32");
  BOOST_TEST(attention_kernel({}, {4000, 64, 5.0, Mask::full, Precision::float32}) == "tiles, float32");
  BOOST_TEST(attention_kernel({}, {8, 40, 1.0, Mask::full, Precision::float32}, "small_d") == "direct");
  const auto attention = make_attention(float32(), {});
  (void)fast(*attention, random_tokens(300, 2), 2, 1.0);
  BOOST_TEST(attention->kernel() == "small_d, float32");
  for (const std::string kernel : {"direct", "fourier", "harmonics"}) {
    BOOST_TEST(!has_float32(kernel));
    BOOST_CHECK_THROW((void)make_attention(float32(), {}, kernel), normdyn::core::InputError);
    BOOST_CHECK_THROW((void)attention_kernel({}, {8, 3, 1.0, Mask::full, Precision::float32}, kernel),
                      normdyn::core::InputError);
  }
}

BOOST_AUTO_TEST_SUITE_END()
