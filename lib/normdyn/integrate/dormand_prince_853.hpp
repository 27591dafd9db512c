#pragma once
// Dormand and Prince's method 8(5,3), an error stepper in the concepts of Boost.Odeint, with its interpolant of order 7
// (tableau and sources: dormand_prince_853_tableau.hpp):
//
//   k_i = f(x + h sum_j a_ij k_j, t + c_i h), i = 0..11     x' = x + h sum_i b_i k_i
//   e5 = h sum_i e5_i k_i = O(h^6)                          e3 = x' - x - h sum_i b3_i k_i = O(h^4)
//   e = |e5| |e5| / sqrt(|e5|^2 + 0.01 |e3|^2) = O(h^8)
//
// e5 alone would be too careful, e of an order as high as the formula's is not. A step takes 11 evaluations besides f
// at its beginning. Sums have as many terms as their row of the tableau has entries.

#include "normdyn/integrate/dormand_prince_853_tableau.hpp"
#include "normdyn/integrate/state_algebra.hpp"
#include "normdyn/integrate/state_operations.hpp"

#include <boost/numeric/odeint/stepper/base/explicit_error_stepper_base.hpp>
#include <boost/numeric/odeint/util/resizer.hpp>
#include <boost/numeric/odeint/util/unwrap_reference.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace normdyn::integrate {

class DormandPrince853;

using DormandPrince853Base =
    boost::numeric::odeint::explicit_error_stepper_base<DormandPrince853, 8, 8, 7, geometry::State, double,
                                                        geometry::State, double, StateAlgebra, StateOperations,
                                                        boost::numeric::odeint::initially_resizer>;

class DormandPrince853 final : public DormandPrince853Base {
 public:
  using State = geometry::State;
  using DormandPrince853Base::do_step;

  /// One scaled error from the norms of e5 and e3; infinite if either is, or is no number.
  [[nodiscard]] static double combined(double norm5, double norm3) {
    if (!std::isfinite(norm5) || !std::isfinite(norm3))
      return std::numeric_limits<double>::infinity();
    return norm5 == 0.0 ? 0.0 : norm5 * (norm5 / std::hypot(norm5, 0.1 * norm3)); // a square could overflow
  }

  /// From `in` with its derivative k0 at t to `out` at t + h, with both error estimates. `out` may be `in`.
  template <class System>
  void do_step_with_errors(System system, const State& in, const State& k0, double t, State& out, double h,
                           State& error5, State& error3) {
    evaluate_stages(system, in, k0, t, h);
    error5.resize(in.size());
    error3.resize(in.size());
    end_of_step(in, k0, out, h, error5, error3);
  }

  /// Odeint's forms: without an error estimate, and with the estimate e of each component for itself.
  template <class System>
  void do_step_impl(System system, const State& in, const State& k0, double t, State& out, double h) {
    evaluate_stages(system, in, k0, t, h);
    combine<12>(out, in, k0, k0, h);
  }
  template <class System>
  void do_step_impl(System system, const State& in, const State& k0, double t, State& out, double h, State& error) {
    do_step_with_errors(system, in, k0, t, out, h, error, error3_);
    StateAlgebra::for_each(error, error3_,
                           [](double& e5, double e3) { e5 = std::copysign(combined(std::abs(e5), std::abs(e3)), e5); });
  }

  /// The field at the two states that the step taken last has at its end, stage 11 and x_new: h (k12 - k11) and
  /// x_new - argument of k11. For a linear field the first is h J times the second.
  void difference_at_end(const State& x_new, const State& k12, double h, State& motion, State& distance) const {
    StateAlgebra::for_each(motion, k12, stage_[10], LinearCombination<2>(h, -h));
    StateAlgebra::for_each(distance, x_new, argument_, LinearCombination<2>(1.0, -1.0));
  }

  /// The stages that only the interpolant needs, of the step taken last: from x_old, k0 at t_old over h to a state
  /// whose derivative is k12. Three evaluations.
  template <class System>
  void extend(System system, const State& x_old, const State& k0, double t_old, const State& k12, double h) {
    stage<13>(system, x_old, k0, k12, t_old, h);
    stage<14>(system, x_old, k0, k12, t_old, h);
    stage<15>(system, x_old, k0, k12, t_old, h);
  }

  /// The interpolant at t in [t_old, t_new], of order 7, once `extend` was called for this step.
  void calc_state(double t, State& out, const State& x_old, const State& k0, double t_old, const State& x_new,
                  const State& k12, double t_new) const {
    out.resize(x_old.size());
    const double h = t_new - t_old, s = (t - t_old) / h, r = 1.0 - s;
    const double end = s * s * (3.0 - 2.0 * s);
    static constexpr dop853::Columns columns = dop853::used(dop853::d[0]);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      StateAlgebra::for_each(out, k<columns.at[i]>(k0, k12)..., x_new, x_old,
                             LinearCombination<columns.count + 2>(h * weight(columns.at[i], s, r)..., end, 1.0 - end));
    }
    (std::make_index_sequence<columns.count>());
  }

  template <class StateIn>
  void adjust_size(const StateIn& x) {
    resize(x.size());
    DormandPrince853Base::adjust_size(x);
  }

 private:
  /// Of k_j in the interpolant, without h.
  static double weight(std::size_t j, double s, double r) {
    const double tail = dop853::d[0][j] + s * dop853::d[1][j] + s * r * dop853::d[2][j] + s * s * r * dop853::d[3][j];
    return s * r * (s * r * tail + (j == 0 ? r : j == 12 ? -s : 0.0));
  }

  void resize(std::size_t size) {
    for (State& k : stage_)
      k.resize(size);
    argument_.resize(size);
  }

  // Stages 1 to 4 have no part in the interpolant, so its own three take the arrays of stages 1 to 3.
  template <std::size_t i>
  const State& k(const State& k0, const State& k12) const {
    if constexpr (i == 0)
      return k0;
    else if constexpr (i == 12)
      return k12;
    else
      return stage_[(i < 12 ? i : i - 12) - 1];
  }

  /// out = x + h sum_j a_ij k_j. x comes last: the rounding of the sum is then of the size of the step, not of x.
  template <std::size_t row>
  void combine(State& out, const State& x, const State& k0, const State& k12, double h) const {
    static constexpr dop853::Columns columns = dop853::used(dop853::a[row]);
    out.resize(x.size());
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      StateAlgebra::for_each(out, k<columns.at[i]>(k0, k12)..., x,
                             LinearCombination<columns.count + 1>(h * dop853::a[row][columns.at[i]]..., 1.0));
    }
    (std::make_index_sequence<columns.count>());
  }

  template <std::size_t row, class System>
  void stage(System system, const State& x, const State& k0, const State& k12, double t, double h) {
    combine<row>(argument_, x, k0, k12, h);
    typename boost::numeric::odeint::unwrap_reference<System>::type& f = system;
    f(argument_, stage_[(row < 12 ? row : row - 12) - 1], t + dop853::c[row] * h);
  }

  template <class System>
  void evaluate_stages(System system, const State& x, const State& k0, double t, double h) {
    resize(x.size());
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (stage<i + 1>(system, x, k0, k0, t, h), ...);
    }
    (std::make_index_sequence<11>());
  }

  /// x' and both errors are sums of the same arrays.
  void end_of_step(const State& x, const State& k0, State& out, double h, State& error5, State& error3) const {
    static constexpr dop853::Columns columns = dop853::used(dop853::a[12]);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      add_up_three({out.data(), error5.data(), error3.data()}, {k<columns.at[i]>(k0, k0).data()..., x.data()},
                   {{{h * dop853::a[12][columns.at[i]]..., 1.0},
                     {h * dop853::e5[columns.at[i]]..., 0.0},
                     {h * (dop853::a[12][columns.at[i]] - dop853::b3[columns.at[i]])..., 0.0}}},
                   x.size());
    }
    (std::make_index_sequence<columns.count>());
  }

  std::array<State, 11> stage_; ///< k_1 .. k_11, then k_13 .. k_15 over the first of them
  State argument_, error3_;
};

} // namespace normdyn::integrate
