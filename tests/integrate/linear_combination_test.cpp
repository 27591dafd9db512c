#include "normdyn/integrate/linear_combination.hpp"

#include "normdyn/attention/simd.hpp"
#include "normdyn/geometry/state.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace normdyn;
using namespace normdyn::integrate;

namespace {

std::vector<geometry::State> some_states(std::size_t count, std::size_t size) {
  std::vector<geometry::State> states(count, geometry::State(size));
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t i = 0; i < size; ++i)
      states[j][i] = std::sin(1.0 + 3.7 * static_cast<double>(j * size + i));
  return states;
}

double factor_of(std::size_t sum, std::size_t term) {
  return std::cos(0.3 + static_cast<double>(term) + 0.1 * static_cast<double>(sum));
}

/// From left to right, each product rounded before it is added.
double plain_sum(const std::vector<geometry::State>& terms, std::size_t sum, std::size_t i) {
  double total = factor_of(sum, 0) * terms[0][i];
  for (std::size_t j = 1; j < terms.size(); ++j) {
    const double part = factor_of(sum, j) * terms[j][i];
    total += part;
  }
  return total;
}

} // namespace

BOOST_AUTO_TEST_SUITE(integrate)

BOOST_AUTO_TEST_CASE(sums_of_states_are_the_same_bits_on_every_instruction_set) {
  for (const std::string& target : attention::simd_targets()) {
    attention::use_simd_target(target);
    for (std::size_t n_terms = 1; n_terms <= most_terms; ++n_terms)
      for (const std::size_t size : {0, 1, 2, 7, 8, 9, 65, 131}) {
        const std::vector<geometry::State> terms = some_states(n_terms, size);
        std::vector<const double*> pointers;
        std::vector<double> factors;
        for (std::size_t j = 0; j < n_terms; ++j) {
          pointers.push_back(terms[j].data());
          factors.push_back(factor_of(0, j));
        }
        geometry::State out(size);
        add_up(out.data(), pointers, factors, size);
        bool is_same = true;
        for (std::size_t i = 0; i < size; ++i)
          is_same = is_same && out[i] == plain_sum(terms, 0, i);
        BOOST_TEST(is_same, target << ", " << n_terms << " terms of " << size);
      }
  }
  attention::use_simd_target("");
}

BOOST_AUTO_TEST_CASE(a_sum_may_take_the_place_of_a_term) {
  std::vector<geometry::State> terms = some_states(2, 77);
  const geometry::State before = terms[1];
  const std::vector<const double*> pointers = {terms[0].data(), terms[1].data()};
  const std::vector<double> factors = {2.0, 1.0};
  add_up(terms[1].data(), pointers, factors, 77);
  for (std::size_t i = 0; i < 77; ++i)
    BOOST_TEST(terms[1][i] == 2.0 * terms[0][i] + before[i]);
}

BOOST_AUTO_TEST_CASE(three_sums_of_the_same_terms_are_three_sums) {
  for (const std::string& target : attention::simd_targets()) {
    attention::use_simd_target(target);
    const std::size_t size = 75;
    const std::vector<geometry::State> terms = some_states(9, size);
    std::array<const double*, 9> pointers{};
    std::array<std::array<double, 9>, 3> factors{};
    for (std::size_t j = 0; j < 9; ++j) {
      pointers[j] = terms[j].data();
      for (std::size_t k = 0; k < 3; ++k)
        factors[k][j] = factor_of(k, j);
    }
    std::vector<geometry::State> out(3, geometry::State(size));
    add_up_three({out[0].data(), out[1].data(), out[2].data()}, pointers, factors, size);
    bool is_same = true;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < size; ++i)
        is_same = is_same && out[k][i] == plain_sum(terms, k, i);
    BOOST_TEST(is_same, target);
  }
  attention::use_simd_target("");
}

BOOST_AUTO_TEST_SUITE_END()
