#pragma once
// Boost.Odeint's algebra for geometry::State: each operation is one fused loop over flat arrays. Odeint names the loop
// by its number of arrays; here all names lead to one place, which our own formulas call as `for_each`. Sums of states
// go to the loops of linear_combination.hpp, anything else to a loop here.

#include "normdyn/geometry/state.hpp"
#include "normdyn/integrate/linear_combination.hpp"

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace normdyn::integrate {

struct StateAlgebra {
  // clang-format off
  template <class... T> static void for_each1(T&&... t) { loop(t...); }
  template <class... T> static void for_each2(T&&... t) { loop(t...); }
  template <class... T> static void for_each3(T&&... t) { loop(t...); }
  template <class... T> static void for_each4(T&&... t) { loop(t...); }
  template <class... T> static void for_each5(T&&... t) { loop(t...); }
  template <class... T> static void for_each6(T&&... t) { loop(t...); }
  template <class... T> static void for_each7(T&&... t) { loop(t...); }
  template <class... T> static void for_each8(T&&... t) { loop(t...); }
  template <class... T> static void for_each9(T&&... t) { loop(t...); }
  template <class... T> static void for_each10(T&&... t) { loop(t...); }
  template <class... T> static void for_each11(T&&... t) { loop(t...); }
  template <class... T> static void for_each12(T&&... t) { loop(t...); }
  template <class... T> static void for_each13(T&&... t) { loop(t...); }
  template <class... T> static void for_each14(T&&... t) { loop(t...); }
  template <class... T> static void for_each15(T&&... t) { loop(t...); }
  // clang-format on

  /// for_each(states..., operation): operation(states[i]...) for all i. States may be the same.
  template <class... T>
  static void for_each(T&&... t) {
    loop(t...);
  }

 private:
  template <class... T>
  static void loop(T&... t) {
    constexpr std::size_t n_states = sizeof...(T) - 1;
    const auto all = std::tie(t...);
    apply(all, std::get<n_states>(all), std::make_index_sequence<n_states>());
  }

  template <class Tuple, class Operation, std::size_t... I>
  static void apply(const Tuple& all, const Operation& operation, std::index_sequence<I...>) {
    const std::size_t size = std::get<0>(all).size();
    if constexpr (requires { operation.factor; })
      sum(size, operation.factor, std::get<I>(all).data()...);
    else
      each(size, operation, std::get<I>(all).data()...);
  }

  template <std::size_t n, class... Pointer>
  static void sum(std::size_t size, const std::array<double, n>& factor, double* out, Pointer... term) {
    static_assert(sizeof...(Pointer) == n);
    const std::array<const double*, n> terms = {term...};
    add_up(out, terms, factor, size);
  }

  template <class Operation, class... Pointer>
  static void each(std::size_t size, const Operation& operation, Pointer... p) {
    // Arrays are the same or apart, so no element depends on another: more arrays than a compiler would test itself.
#pragma GCC ivdep
    for (std::size_t i = 0; i < size; ++i)
      operation(p[i]...);
  }
};

} // namespace normdyn::integrate
