#pragma once
// Boost.Odeint's operations for geometry::State: its sums of n states, scale_sum1 to scale_sum14, which StateAlgebra
// hands to the loops of linear_combination.hpp.

#include <boost/numeric/odeint/algebra/default_operations.hpp>

#include <array>
#include <cstddef>

namespace normdyn::integrate {

/// out = factor[0] x_0 + ... + factor[n-1] x_(n-1), as a thing that an algebra applies.
template <std::size_t n>
struct LinearCombination {
  using result_type = void; ///< asked for by Odeint
  std::array<double, n> factor;
  template <class... Factor>
  explicit LinearCombination(Factor... f) : factor{f...} {}
};

struct StateOperations : boost::numeric::odeint::default_operations {
  // clang-format off
  template <class...> using scale_sum1 = LinearCombination<1>;
  template <class...> using scale_sum2 = LinearCombination<2>;
  template <class...> using scale_sum3 = LinearCombination<3>;
  template <class...> using scale_sum4 = LinearCombination<4>;
  template <class...> using scale_sum5 = LinearCombination<5>;
  template <class...> using scale_sum6 = LinearCombination<6>;
  template <class...> using scale_sum7 = LinearCombination<7>;
  template <class...> using scale_sum8 = LinearCombination<8>;
  template <class...> using scale_sum9 = LinearCombination<9>;
  template <class...> using scale_sum10 = LinearCombination<10>;
  template <class...> using scale_sum11 = LinearCombination<11>;
  template <class...> using scale_sum12 = LinearCombination<12>;
  template <class...> using scale_sum13 = LinearCombination<13>;
  template <class...> using scale_sum14 = LinearCombination<14>;
  // clang-format on
};

} // namespace normdyn::integrate
