// The kernels of cost O(n) against sums over pairs in long double, at every kind of token, on every instruction set of
// the machine.
#include "naive_attention.hpp"

#include "normdyn/attention/simd.hpp"

#include <Eigen/QR>

#include <boost/test/unit_test.hpp>
#include <omp.h>

#include <algorithm>
#include <set>

using namespace normdyn::attention;
using namespace normdyn::attention::test;

namespace {

struct EveryTarget {
  ~EveryTarget() { use_simd_target({}); }
};

// Random; two clusters of width 0.1; all within 1e-7; all within +-0.5 but the last, opposite; all within 1e-9 of the
// last axis (the pole of the harmonics) but every tenth, which are spread from there to the opposite, so that some Z
// lie just above any floor and some just below.
enum class Arrangement { random, clustered, nearly_merged, isolated, graded };
constexpr Arrangement arrangements[] = {Arrangement::random, Arrangement::clustered, Arrangement::nearly_merged,
                                        Arrangement::isolated, Arrangement::graded};

std::vector<double> arranged(Arrangement arrangement, std::size_t n, std::size_t dim) {
  std::vector<double> theta = random_tokens(n, dim);
  if (arrangement == Arrangement::random)
    return theta;
  std::vector<double> center = random_tokens(1, dim, 77), across(dim, 0.0);
  if (arrangement == Arrangement::graded) {
    std::fill(center.begin(), center.end(), 0.0);
    center[dim - 1] = 1.0;
  }
  const double length = std::hypot(center[0], center[dim - 1]);
  across[0] = center[dim - 1] / length;
  across[dim - 1] = -center[0] / length;
  for (std::size_t j = 0; j < n; ++j) {
    double width = 0.1, turn = 0.0;
    if (arrangement == Arrangement::clustered)
      turn = j % 2 == 1 ? 2.0 : 0.0;
    else if (arrangement == Arrangement::nearly_merged)
      width = 1e-7;
    else if (arrangement == Arrangement::isolated)
      width = j + 1 == n ? 0.0 : 0.2, turn = j + 1 == n ? 3.141592653589793 : 0.0;
    else
      width = 1e-9, turn = j % 10 == 7 ? 3.2 * static_cast<double>(j) / static_cast<double>(n) : 0.0;
    double square = 0.0;
    std::vector<double> token(dim);
    for (std::size_t c = 0; c < dim; ++c) {
      token[c] = std::cos(turn) * center[c] + std::sin(turn) * across[c] + width * theta[j * dim + c];
      square += token[c] * token[c];
    }
    for (std::size_t c = 0; c < dim; ++c)
      theta[j * dim + c] = token[c] / std::sqrt(square);
  }
  return theta;
}

struct ExactRow {
  std::vector<Real> drift;
  Real magnitude = 0.0L, log_partition = 0.0L, entropy = 0.0L;
};

ExactRow exact_row(const AttentionOptions& options, const std::vector<double>& theta, std::size_t dim, double beta,
                   std::size_t j) {
  const std::size_t n = theta.size() / dim, seen = options.mask == Mask::causal ? j + 1 : n;
  const Real top = std::abs(static_cast<Real>(beta));
  Real total = 0.0L, weighted = 0.0L;
  ExactRow row{std::vector<Real>(dim, 0.0L)};
  for (std::size_t k = 0; k < seen; ++k) {
    Real cosine = 0.0L;
    for (std::size_t c = 0; c < dim; ++c)
      cosine += static_cast<Real>(theta[j * dim + c]) * static_cast<Real>(theta[k * dim + c]);
    const Real score = static_cast<Real>(beta) * cosine - top, weight = std::exp(score);
    total += weight;
    weighted += weight * score;
    for (std::size_t c = 0; c < dim; ++c)
      row.drift[c] += weight * static_cast<Real>(theta[k * dim + c]);
  }
  row.log_partition = top + std::log(total);
  row.entropy = std::log(total) - weighted / total;
  const bool is_softmax = options.normalization == Normalization::softmax;
  const Real factor = is_softmax ? 1.0L / total : std::exp(top) / static_cast<Real>(n);
  row.magnitude = total * factor;
  for (Real& component : row.drift)
    component *= factor;
  return row;
}

// Some rows of everything, and the last.
std::vector<std::size_t> rows_to_check(std::size_t n) {
  std::set<std::size_t> rows{n - 1};
  for (std::size_t j = 0; j < n; j += std::max<std::size_t>(1, n / 50))
    rows.insert(j);
  for (std::size_t j = 7; j < n; j += 10 * std::max<std::size_t>(1, n / 500))
    rows.insert(j);
  return {rows.begin(), rows.end()};
}

struct Worst {
  Real drift = 0.0L, relative_drift = 0.0L, partition = 0.0L, magnitude = 0.0L, entropy = 0.0L;
};

// Errors of the drift relative to its magnitude and to |A_j|, of Z_j and the magnitude relative to themselves, of the
// entropy in nats.
Worst compare(const Evaluated& got, const std::vector<ExactRow>& want, const std::vector<std::size_t>& rows,
              std::size_t dim) {
  Worst worst;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t j = rows[i];
    Real error = 0.0L, size = 0.0L;
    for (std::size_t c = 0; c < dim; ++c) {
      error = std::hypot(error, want[i].drift[c] - static_cast<Real>(got.drift[j * dim + c]));
      size = std::hypot(size, want[i].drift[c]);
    }
    worst.drift = std::max(worst.drift, error / want[i].magnitude);
    worst.relative_drift = std::max(worst.relative_drift, error / size);
    worst.partition =
        std::max(worst.partition, std::abs(want[i].log_partition - static_cast<Real>(got.log_partition[j])));
    worst.magnitude =
        std::max(worst.magnitude, std::abs(static_cast<Real>(got.magnitude[j]) / want[i].magnitude - 1.0L));
    worst.entropy = std::max(worst.entropy, std::abs(want[i].entropy - static_cast<Real>(got.entropy[j])));
  }
  return worst;
}

struct Case {
  std::string kernel;
  AttentionOptions options;
  std::size_t dim;
};

void check(const Case& at, const std::vector<double>& theta, double beta) {
  const std::vector<std::size_t> rows = rows_to_check(theta.size() / at.dim);
  std::vector<ExactRow> want;
  for (const std::size_t j : rows)
    want.push_back(exact_row(at.options, theta, at.dim, beta, j));
  for (const std::string& target : simd_targets())
    BOOST_TEST_CONTEXT(target << " " << at.kernel << " n " << theta.size() / at.dim << " beta " << beta << " causal "
                              << (at.options.mask == Mask::causal)) {
      use_simd_target(target);
      const auto attention = make_attention(at.options, {}, at.kernel);
      const Worst worst = compare(evaluated(*attention, theta, at.dim, beta), want, rows, at.dim);
      BOOST_TEST(attention->kernel() == at.kernel);
      BOOST_TEST(worst.drift < 1e-12L);
      if (beta >= 0.0) // below, far clusters may cancel
        BOOST_TEST(worst.relative_drift < 1e-12L);
      BOOST_TEST(worst.partition < 1e-12L);
      BOOST_TEST(worst.magnitude < 1e-12L);
      BOOST_TEST(worst.entropy < 1e-12L * (1.0L + std::abs(static_cast<Real>(beta))));
    }
}

struct Kind {
  std::string kernel;
  std::size_t dim;
  Mask mask;
};
const std::vector<Kind> kinds = {{"fourier", 2, Mask::full},
                                 {"fourier", 2, Mask::causal},
                                 {"harmonics", 3, Mask::full},
                                 {"harmonics", 3, Mask::causal}};
constexpr double largest_beta = 2000.0;

Matrix orthogonal(std::size_t dim, std::uint64_t seed) {
  return Eigen::HouseholderQR<Matrix>(random_matrix(dim, dim, seed)).householderQ() *
         Matrix::Identity(static_cast<Eigen::Index>(dim), static_cast<Eigen::Index>(dim));
}

// Weights that a series serves: values of any kind; Q^T K a multiple of the identity, of either sign; of a rotation.
std::vector<Weights> weights_of_one_angle(const Kind& kind) {
  const std::size_t dim = kind.dim;
  std::vector<Weights> all(4);
  all[0].value = {random_matrix(5, dim, 1), random_bias(5, 2)};
  all[0].output = {random_matrix(dim, 5, 3), random_bias(dim, 4)};
  all[1].query.matrix = Matrix(2.0 * orthogonal(dim, 5));
  all[1].key.matrix = orthogonal(dim, 5);
  all[2].query.matrix = Matrix(-orthogonal(dim, 5));
  all[2].key.matrix = orthogonal(dim, 5);
  all[2].value.bias = random_bias(dim, 4);
  all[3].query.matrix = Matrix(0.7 * orthogonal(dim, 6));
  all[3].value.matrix = random_matrix(dim, dim, 7);
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(series_agree_with_sums_over_pairs_at_every_token) {
  const EveryTarget restore;
  for (const Kind& kind : kinds)
    for (const Arrangement arrangement : arrangements)
      for (const std::size_t n : {3, 200, 2500})
        for (const double beta : {0.0, 0.1, 1.0, 5.0, 20.0, 100.0, 500.0, 2000.0})
          check({kind.kernel, {Normalization::softmax, kind.mask}, kind.dim}, arranged(arrangement, n, kind.dim), beta);
}

BOOST_AUTO_TEST_CASE(series_agree_for_negative_beta_and_without_normalization) {
  const EveryTarget restore;
  for (const Kind& kind : kinds)
    for (const Arrangement arrangement : arrangements) {
      const std::vector<double> theta = arranged(arrangement, 1500, kind.dim);
      for (const double beta : {-0.3, -5.0, -60.0, -300.0})
        check({kind.kernel, {Normalization::softmax, kind.mask}, kind.dim}, theta, beta);
      for (const double beta : {-5.0, 0.0, 5.0, 90.0, 300.0})
        check({kind.kernel, {Normalization::unnormalized, kind.mask}, kind.dim}, theta, beta);
    }
}

BOOST_AUTO_TEST_CASE(series_serve_weights_whose_scores_depend_on_one_angle) {
  for (const Kind& kind : kinds)
    for (const Weights& weights : weights_of_one_angle(kind))
      for (const Normalization form : {Normalization::softmax, Normalization::unnormalized})
        for (const double beta : {-3.0, 3.0, 25.0}) {
          const std::size_t n = 150, dim = kind.dim;
          const std::vector<double> theta = random_tokens(n, dim);
          const AttentionOptions options{form, kind.mask};
          const NaiveResult want = naive_attention(options, weights, theta, dim, beta);
          const auto attention = make_attention(options, weights, kind.kernel);
          const Evaluated got = evaluated(*attention, theta, dim, beta);
          const Evaluated direct = evaluated(*make_attention(options, weights, "direct"), theta, dim, beta);
          BOOST_TEST(attention->kernel() == kind.kernel);
          BOOST_TEST(attention_kernel(weights, {n, dim, beta, kind.mask}, kind.kernel).starts_with(kind.kernel));
          Real worst = 0.0L;
          for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t c = 0; c < dim; ++c)
              worst = std::max(worst, std::abs(want.drift[j][c] - static_cast<Real>(got.drift[j * dim + c])) /
                                          static_cast<Real>(direct.magnitude[j]));
            worst = std::max(worst, std::abs(want.log_partition[0][j] - static_cast<Real>(got.log_partition[j])));
            worst = std::max(worst, std::abs(static_cast<Real>(got.magnitude[j] / direct.magnitude[j]) - 1.0L));
            worst = std::max(worst, std::abs(want.entropy[0][j] - static_cast<Real>(got.entropy[j])) / 25.0L);
          }
          BOOST_TEST(worst < 1e-12L);
        }
}

BOOST_AUTO_TEST_CASE(series_give_the_same_bits_for_any_number_of_threads_and_any_slices) {
  const int before = omp_get_max_threads();
  for (const Kind& kind : kinds)
    for (const Arrangement arrangement : {Arrangement::random, Arrangement::graded})
      for (const std::size_t n : {900, 20011}) {
        const std::vector<double> theta = arranged(arrangement, n, kind.dim);
        const AttentionOptions options{Normalization::softmax, kind.mask};
        std::vector<Evaluated> results;
        for (const int threads : {1, 2, 3, 8}) {
          omp_set_num_threads(threads);
          results.push_back(evaluated(*make_attention(options, {}, kind.kernel), theta, kind.dim, 30.0));
        }
        for (const Evaluated& other : results) {
          BOOST_TEST((other.drift == results[0].drift));
          BOOST_TEST((other.log_partition == results[0].log_partition));
        }
        const auto attention = make_attention(options, {}, kind.kernel);
        for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 5}, {5, n / 2}, {n / 2 + 5, 77}}) {
          std::vector<double> drift(count * kind.dim), log_partition(count);
          attention->evaluate({std::span(theta).subspan(first * kind.dim, count * kind.dim), kind.dim, 10 + first},
                              {theta, kind.dim, 10}, 30.0, {.drift = drift, .log_partition = log_partition});
          BOOST_TEST(attention->kernel() == kind.kernel);
          const auto at = static_cast<std::ptrdiff_t>(first);
          BOOST_TEST(std::equal(drift.begin(), drift.end(),
                                results[0].drift.begin() + at * static_cast<std::ptrdiff_t>(kind.dim)));
          BOOST_TEST(std::equal(log_partition.begin(), log_partition.end(), results[0].log_partition.begin() + at));
        }
      }
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(causal_rows_of_a_series_do_not_depend_on_later_tokens_bit_for_bit) {
  const EveryTarget restore;
  for (const Kind& kind : kinds)
    for (const std::string& target : simd_targets()) {
      if (kind.mask == Mask::full)
        continue;
      use_simd_target(target);
      const std::vector<double> all = arranged(Arrangement::graded, 3000, kind.dim);
      const AttentionOptions causal{Normalization::softmax, Mask::causal};
      const Evaluated whole = evaluated(*make_attention(causal, {}, kind.kernel), all, kind.dim, 7.0);
      for (const std::size_t n : {1U, 2U, 9U, 48U, 49U, 1024U, 1025U, 2500U}) {
        const std::vector<double> fewer(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kind.dim * n));
        const Evaluated part = evaluated(*make_attention(causal, {}, kind.kernel), fewer, kind.dim, 7.0);
        BOOST_TEST(std::equal(part.drift.begin(), part.drift.end(), whole.drift.begin()));
      }
    }
}

BOOST_AUTO_TEST_CASE(identical_tokens_have_identical_drifts_in_a_series) {
  for (const Kind& kind : kinds) {
    if (kind.mask == Mask::causal)
      continue;
    const std::vector<double> one = arranged(Arrangement::random, 1, kind.dim);
    std::vector<double> theta = arranged(Arrangement::clustered, 700, kind.dim);
    for (const std::size_t j : {3U, 4U, 500U, 698U, 699U})
      std::copy(one.begin(), one.end(), theta.begin() + static_cast<std::ptrdiff_t>(j * kind.dim));
    const Evaluated got = evaluated(*make_attention({}, {}, kind.kernel), theta, kind.dim, 12.0);
    for (const std::size_t j : {4U, 500U, 698U, 699U})
      for (std::size_t c = 0; c < kind.dim; ++c)
        BOOST_TEST(got.drift[j * kind.dim + c] == got.drift[3 * kind.dim + c]);
  }
}

BOOST_AUTO_TEST_CASE(a_series_gives_way_where_it_does_not_serve) {
  for (const Kind& kind : kinds) {
    const std::size_t dim = kind.dim;
    const std::vector<double> theta = random_tokens(600, dim), others = random_tokens(9, dim, 8);
    std::vector<double> stretched = theta, drift(9 * dim), expected(9 * dim);
    stretched[100] *= 1.0 + 1e-9;
    const auto attention = make_attention({Normalization::softmax, kind.mask}, {}, kind.kernel);
    const auto direct = make_attention({Normalization::softmax, kind.mask}, {}, "direct");
    const auto used = [&](const std::vector<double>& tokens, double beta) {
      (void)evaluated(*attention, tokens, dim, beta);
      return attention->kernel();
    };
    BOOST_TEST(used(stretched, 1.0) == "small_d");
    BOOST_TEST(used(theta, 1.0) == kind.kernel);
    BOOST_TEST(used(theta, largest_beta + 1.0) == "small_d");
    BOOST_TEST(used(theta, -301.0) == "small_d");
    (void)evaluated(*attention, random_tokens(40, 5), 5, 1.0);
    BOOST_TEST(attention->kernel() == "small_d");
    attention->evaluate({others, dim, 600}, {theta, dim, 0}, 40.0, {.drift = drift}); // queries that are no keys
    direct->evaluate({others, dim, 600}, {theta, dim, 0}, 40.0, {.drift = expected});
    BOOST_TEST(attention->kernel() == "small_d");
    for (std::size_t i = 0; i < drift.size(); ++i)
      BOOST_TEST(std::abs(drift[i] - expected[i]) < 1e-13);
    Weights key{}, bias{};
    key.key.matrix = random_matrix(dim, dim, 3);
    bias.query.bias = random_bias(dim, 3);
    BOOST_TEST(attention_kernel(key, {5000, dim, 1.0}, kind.kernel) == "small_d");
    BOOST_TEST(attention_kernel(bias, {5000, dim, 1.0}, kind.kernel) == "small_d");
  }
  BOOST_TEST(attention_kernel({}, {5000, 2, 1.0}, "harmonics") == "small_d");
}

BOOST_AUTO_TEST_CASE(auto_takes_a_series_where_it_is_faster) {
  BOOST_TEST(attention_kernel({}, {100, 2, 5.0}) == "small_d");
  BOOST_TEST(attention_kernel({}, {400, 2, 5.0}).starts_with("fourier, K = 2"));
  BOOST_TEST(attention_kernel({}, {100, 2, 5.0, Mask::causal}) == "small_d");
  BOOST_TEST(attention_kernel({}, {400, 2, 5.0, Mask::causal}).starts_with("fourier, K = 2"));
  BOOST_TEST(attention_kernel({}, {600, 3, 5.0}) == "small_d");
  BOOST_TEST(attention_kernel({}, {2000, 3, 5.0}).starts_with("harmonics, L = 2"));
  BOOST_TEST(attention_kernel({}, {2000, 3, 50.0}) == "small_d");
  BOOST_TEST(attention_kernel({}, {600, 3, 5.0, Mask::causal}) == "small_d");
  BOOST_TEST(attention_kernel({}, {2000, 3, 5.0, Mask::causal}).starts_with("harmonics, L = 2"));
  BOOST_TEST(attention_kernel({}, {50'000, 3, 1000.0}) == "small_d");
  BOOST_TEST(attention_kernel({}, {200'000, 3, 2000.0}).starts_with("harmonics, L = 4"));
  BOOST_TEST(attention_kernel({}, {4000, 4, 5.0}) == "small_d");
  const auto attention = make_attention({}, {});
  for (const auto& [n, name] : {std::pair<std::size_t, std::string>{100, "small_d"}, {400, "fourier"}}) {
    (void)evaluated(*attention, random_tokens(n, 2), 2, 5.0);
    BOOST_TEST(attention->kernel() == name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
