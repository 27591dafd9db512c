// Extrapolation of the modified midpoint rule in h^2 with variable order (Gragg, Bulirsch, Stoer; Hairer, Norsett,
// Wanner, II.9). The midpoint rule is Odeint's; the tableau is driven here, because Odeint's own driver measures errors
// by components (they would depend on the frame of coordinates), allocates at each step, and steps to t + dt rather
// than to a given time.
//
// Row j takes n_j = 2, 6, 10, ... substeps, for which the middle of the step is a substep of odd number in each row, so
// that the state and the central differences of f in the middle have expansions in h^2 too. The interpolant matches
// their extrapolations x^(0..m), m = 2k - 1 for k the last row, and the state and derivative at both ends: degree m
// + 4.

#include "normdyn/integrate/step_methods.hpp"

#include <boost/numeric/odeint/stepper/modified_midpoint.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace normdyn::integrate {

namespace {

namespace odeint = boost::numeric::odeint;
using geometry::State;

constexpr int n_rows = 8;
constexpr double largest_gap = 1.0; ///< of the expansion at the ends, as a scaled error
constexpr int substeps(int row) {
  return 2 + 4 * row;
}
/// Evaluations up to a row, that of the first substep's start not counted.
constexpr double cost(int row) {
  return static_cast<double>(2 * (row + 1) * (row + 1));
}

/// Weight of row j when rows first..last are extrapolated to h = 0: Lagrange's in h^2.
double weight(int j, int first, int last) {
  double w = 1.0;
  const double nj = substeps(j);
  for (int i = first; i <= last; ++i)
    if (const double ni = substeps(i); i != j)
      w *= nj * nj / (nj * nj - ni * ni);
  return w;
}

void add(State& out, double factor, const State& x) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] += factor * x[i];
}

class BulirschStoer final : public StepMethod {
 public:
  [[nodiscard]] int error_exponent() const override { return 5; } // for the first step only
  [[nodiscard]] double proposal() const override { return proposal_; }

  void resize(std::size_t size) override {
    for (State& column : tableau_)
      column.assign(size, 0.0);
    for (State& state : taylor_)
      state.assign(size, 0.0);
    for (auto& state : middle_)
      state.assign(size, 0.0);
    for (int row = 0; row < n_rows; ++row) {
      slopes_[at(row)].resize(at(substeps(row)));
      for (auto& slope : slopes_[at(row)])
        slope.m_v.assign(size, 0.0);
    }
  }

  void restart(BoundSystem& system, StepData& data) override {
    system(data.x, data.f, data.t);
    is_first_ = true;
    was_rejected_ = false;
  }

  double attempt(BoundSystem& system, StepData& data, const ErrorNorm& norm) override {
    const double h = data.step();
    double error = std::numeric_limits<double>::infinity();
    is_interpolant_ready_ = false;
    proposal_ = 0.0;
    for (int k = 0; k < n_rows && k <= target_ + 1; ++k) {
      last_row_ = k;
      midpoint_.set_steps(static_cast<unsigned short>(substeps(k)));
      midpoint_.do_step(std::ref(system), data.x, data.f, data.t, tableau_[at(k)], h, middle_[at(k)], slopes_[at(k)]);
      if (k == 0)
        continue;
      extrapolate(k, data);
      error = norm(data.x, data.error, data.x_new);
      if (!std::isfinite(error))
        return reject_unknown(error);
      best_step_[at(k)] = h * std::clamp(0.94 * std::pow(0.65 / std::max(error, 1e-30), 1.0 / (2 * k + 1)), 0.02, 10.0);
      work_[at(k)] = cost(k) / best_step_[at(k)];
      const bool may_converge = is_first_ || k >= target_ - 1;
      if (may_converge && error <= 1.0) {
        const double gap = interpolation_gap(data, norm);
        return gap <= largest_gap ? accept(error, gap) : reject_gap(gap);
      }
      if (!is_first_ && is_hopeless(k, error))
        break;
    }
    return reject(error);
  }

  void finish(BoundSystem& system, StepData& data) override { system(data.x_new, data.f_new, data.t_new); }

  void interpolate(BoundSystem&, const StepData& data, double t, State& out) override {
    if (!is_interpolant_ready_) {
      match_ends(data);
      is_interpolant_ready_ = true;
    }
    // theta in [-1, 1] about the middle; Horner
    const double theta = (2.0 * (t - data.t_old) - (data.t - data.t_old)) / (data.t - data.t_old);
    out = taylor_[at(degree_)];
    for (int i = degree_ - 1; i >= 0; --i)
      for (std::size_t c = 0; c < out.size(); ++c)
        out[c] = out[c] * theta + taylor_[at(i)][c];
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// Aitken and Neville, in place: tableau_[j] becomes T_{k,k-j}; x_new is T_{k,k}, the error T_{k,k} - T_{k,k-1}.
  void extrapolate(int k, StepData& data) {
    for (int j = k - 1; j >= 0; --j) {
      const double ratio = static_cast<double>(substeps(k)) / substeps(j);
      const double factor = 1.0 / (ratio * ratio - 1.0);
      const State& finer = tableau_[at(j + 1)];
      State& coarser = tableau_[at(j)];
      for (std::size_t i = 0; i < finer.size(); ++i)
        coarser[i] = finer[i] + factor * (finer[i] - coarser[i]);
    }
    data.x_new = tableau_[0];
    for (std::size_t i = 0; i < data.error.size(); ++i)
      data.error[i] = tableau_[0][i] - tableau_[1][i];
  }

  /// Row target_ + 1 could not bring the error below 1 (HNW, II.9, (9.20), (9.22)).
  [[nodiscard]] bool is_hopeless(int k, double error) const {
    const double last = substeps(std::min(target_ + 1, n_rows - 1)), first = substeps(0);
    if (k == target_ - 1) {
      const double reach = last * substeps(target_) / (first * first);
      return error > reach * reach;
    }
    return k == target_ && error > (last / first) * (last / first);
  }

  double accept(double error, double gap) {
    const int k = last_row_;
    int next = k;
    if (k == 1)
      next = 2;
    else if (k > 1 && work_[at(k - 1)] < 0.8 * work_[at(k)])
      next = k - 1;
    else if (k > 1 && work_[at(k)] < 0.9 * work_[at(k - 1)] && !was_rejected_)
      next = k + 1;
    next = std::clamp(next, 2, n_rows - 2);
    proposal_ = next <= k ? best_step_[at(next)] : best_step_[at(k)] * cost(next) / cost(k);
    const double reach = last_step_ * 0.9 * std::pow(std::max(gap, 1e-30), -1.0 / (2 * k + 2));
    proposal_ = std::min(proposal_, reach);
    target_ = next;
    is_first_ = was_rejected_ = false;
    return error;
  }

  double reject(double error) {
    const int k = last_row_;
    target_ = std::clamp(std::min(target_, k), 2, n_rows - 2);
    if (k > 2 && work_[at(k - 1)] < 0.8 * work_[at(k)])
      target_ = std::clamp(k - 1, 2, n_rows - 2);
    proposal_ = best_step_[at(std::min(target_, k))];
    is_first_ = false;
    was_rejected_ = true;
    return std::max(error, std::nextafter(1.0, 2.0));
  }

  /// Good enough at the end, but not in between.
  double reject_gap(double gap) {
    is_first_ = false;
    was_rejected_ = true;
    const double factor = std::pow(largest_gap / gap, 1.0 / (2 * last_row_ + 2));
    proposal_ = std::min(best_step_[at(last_row_)], last_step_ * 0.9 * factor);
    target_ = std::clamp(last_row_, 2, n_rows - 2);
    return std::isfinite(gap) ? gap : std::numeric_limits<double>::infinity();
  }

  double reject_unknown(double error) {
    was_rejected_ = true;
    return error;
  }

  /// Expands about the middle, theta = 2 (t - middle)/h, and returns by how much the expansion misses the ends, as a
  /// scaled error: the interpolant, which matches the ends, is better than that. Without regard to whether rows are
  /// asked for, so that output never changes a step.
  double interpolation_gap(StepData& data, const ErrorNorm& norm) {
    const double h = data.step();
    const int k = last_row_;
    last_step_ = h;
    order_ = 2 * k + 2;
    for (int i = 0; i <= order_; ++i)
      std::fill(taylor_[at(i)].begin(), taylor_[at(i)].end(), 0.0);
    for (int j = 0; j <= k; ++j)
      add(taylor_[0], weight(j, 0, k), middle_[at(j)]);
    for (int kappa = 0; kappa < order_; ++kappa) {
      for (int j = kappa / 2; j <= k; ++j)
        add_difference(taylor_[at(kappa + 1)], 0.5 * h * weight(j, kappa / 2, k), kappa, j, data.f);
    }
    for (std::size_t c = 0; c < data.x.size(); ++c) {
      double plus = 0.0, minus = 0.0;
      for (int i = order_; i >= 0; --i) {
        plus = taylor_[at(i)][c] + plus;
        minus = taylor_[at(i)][c] - minus;
      }
      data.error[c] = std::max(std::abs(data.x_new[c] - plus), std::abs(data.x[c] - minus));
    }
    return norm(data.x, data.error, data.x_new);
  }

  /// out += factor (h/2)^kappa/(kappa + 1)! times the kappa-th central difference quotient of f in the middle, from row
  /// j. The quotient's spacing is 2 h/n_j, so that no power of h is left.
  void add_difference(State& out, double factor, int kappa, int j, const State& f_old) {
    const int middle = substeps(j) / 2 - 1; // slopes_[j][i] is f after substep i + 1
    double binomial = factor;
    for (int i = 1; i <= kappa; ++i)
      binomial *= 0.25 * substeps(j) / (i + 1);
    for (int i = 0; i <= kappa; ++i) {
      const int index = middle + kappa - 2 * i;
      add(out, binomial, index >= 0 ? slopes_[at(j)][at(index)].m_v : f_old);
      binomial *= -static_cast<double>(kappa - i) / (i + 1);
    }
  }

  /// Adds theta^(m+1) (a + b theta + c theta^2 + d theta^3), which leaves the middle's m derivatives alone, such that
  /// states and derivatives at both ends are met.
  void match_ends(const StepData& data) {
    const double h = data.t - data.t_old;
    const int m = order_, power = m + 1;
    degree_ = m + 4;
    const double sign = power % 2 == 0 ? 1.0 : -1.0;
    for (std::size_t c = 0; c < data.x.size(); ++c) {
      double plus = 0.0, minus = 0.0, slope_plus = 0.0, slope_minus = 0.0;
      for (int i = m; i >= 0; --i) {
        slope_plus = slope_plus + plus;
        plus = plus + taylor_[at(i)][c];
        slope_minus = minus - slope_minus;
        minus = taylor_[at(i)][c] - minus;
      }
      const double r_plus = data.x_new[c] - plus, r_minus = sign * (data.x_old[c] - minus);
      const double s_plus = 0.5 * h * data.f[c] - slope_plus - power * r_plus;
      const double s_minus = sign * (0.5 * h * data.f_old[c] - slope_minus) + power * r_minus;
      const double even = 0.5 * (r_plus + r_minus), odd = 0.5 * (r_plus - r_minus);
      const double c2 = 0.25 * (s_plus - s_minus), d = 0.5 * (0.5 * (s_plus + s_minus) - odd);
      taylor_[at(power)][c] = even - c2;
      taylor_[at(power + 1)][c] = odd - d;
      taylor_[at(power + 2)][c] = c2;
      taylor_[at(power + 3)][c] = d;
    }
  }

  Odeint<odeint::modified_midpoint_dense_out> midpoint_;
  std::array<State, n_rows> tableau_, middle_;
  std::array<std::vector<odeint::state_wrapper<State>>, n_rows> slopes_;
  std::array<State, 2 * n_rows + 5> taylor_; // degree 2k + 6
  std::array<double, n_rows> best_step_{}, work_{};
  int target_ = 4, last_row_ = 0, degree_ = 0;
  int order_ = 0; ///< of the expansion about the middle
  double proposal_ = 0.0, last_step_ = 0.0;
  bool is_first_ = true, was_rejected_ = false, is_interpolant_ready_ = false;
};

} // namespace

std::unique_ptr<StepMethod> make_bulirsch_stoer() {
  return std::make_unique<BulirschStoer>();
}

} // namespace normdyn::integrate
