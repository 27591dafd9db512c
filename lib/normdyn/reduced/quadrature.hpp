#pragma once
// The complete solution by quadrature: time as a function of y, and its inverse.
//
//   worth(t) = integral from y_0 to y of S(y) (Z or N)/(2n) dy,   N = |A| Z
//
// with S from the curve (equiangular tokens, or two tokens with unequal radii) and worth from the pace of the scheme.
// No differential equation is integrated, so this checks the integrators, in any precision. Needs e^{beta c} within the
// range of Scalar. Source: derived here (docs/theory.md).

#include "normdyn/reduced/curve.hpp"
#include "normdyn/reduced/pace.hpp"
#include "normdyn/reduced/panels.hpp"
#include "normdyn/reduced/stop_request.hpp"

#include <span>
#include <vector>

namespace normdyn::reduced {

template <class Curve>
class Quadrature {
 public:
  using Scalar = typename Curve::ScalarType;
  using Radii = typename Curve::Radii;

  struct Point {
    Scalar log_ratio; ///< y
    Radii radii;
  };

  Quadrature(const Curve& curve, SchemePace<Scalar> pace) : pace_(std::move(pace)), first_(curve), second_(curve) {
    if (pace_.switch_time)
      second_ = curve.restarted(
          Scalar(curve.begin() + reach(first_, pace_.first, Scalar(0), worth(pace_.first, *pace_.switch_time), [] {})));
  }

  /// The states at times that do not decrease: each continues from the one before. Those until `stop`, which is asked
  /// before each panel, says so.
  [[nodiscard]] std::vector<Point> at(std::span<const Scalar> times, const StopRequest& stop = {}) const {
    std::vector<Point> points;
    try {
      append(points, times, stop);
    } catch (const Stopped&) {
    }
    return points;
  }
  [[nodiscard]] Point at(const Scalar& time) const { return at(std::span(&time, 1)).front(); }

  /// The time at which y is reached; infinity if it never is (nGPT with an integrable alpha, tokens at rest).
  [[nodiscard]] Scalar time(const Scalar& y) const {
    if (is_at_rest(first_))
      return y == first_.begin() ? Scalar(0) : std::numeric_limits<Scalar>::infinity();
    if (pace_.switch_time && y > second_.begin())
      return *pace_.switch_time + time_of(pace_.second, spent_until(second_, pace_.second, y));
    return time_of(pace_.first, spent_until(first_, pace_.first, y));
  }

 private:
  struct Stopped {};

  void append(std::vector<Point>& points, std::span<const Scalar> times, const StopRequest& stop) const {
    Scalar offset(0), spent(0); // from the beginning of the curve in force
    bool is_late = false;
    for (const Scalar& time : times) {
      if (!is_late && pace_.switch_time && time > *pace_.switch_time) {
        is_late = true;
        offset = spent = Scalar(0);
      }
      const Pace<Scalar>& pace = is_late ? pace_.second : pace_.first;
      const Curve& curve = is_late ? second_ : first_;
      const Scalar elapsed = is_late ? Scalar(time - *pace_.switch_time) : time, due = worth(pace, elapsed);
      offset = reach(curve, pace, offset, Scalar(due - spent), [&] {
        if (stop && stop(points.size()))
          throw Stopped();
      });
      spent = due;
      points.push_back({curve.begin() + offset, radii(curve, pace, offset, elapsed)});
    }
  }

  [[nodiscard]] static Scalar worth(const Pace<Scalar>& pace, const Scalar& time) {
    return pace.worth ? pace.worth(time) : time;
  }
  [[nodiscard]] static Scalar time_of(const Pace<Scalar>& pace, const Scalar& worth) {
    return pace.time ? pace.time(worth) : worth;
  }
  [[nodiscard]] static bool is_at_rest(const Curve& curve) {
    using std::abs;
    return abs(curve.begin()) == std::numeric_limits<Scalar>::infinity();
  }

  // All in the offset z = y - y_0.
  [[nodiscard]] static auto cost(const Curve& curve, const Pace<Scalar>& pace) {
    return [&curve, &pace](const Scalar& z) -> Scalar {
      const Scalar y = curve.begin() + z, plain = curve.slowness(z, pace.by_radius) * curve.family().cost(y);
      return pace.by_drift ? Scalar(plain * curve.family().drift(y, Scalar(1)).norm) : plain;
    };
  }
  // On a plateau the radius grows like e^{k z} with k up to Z/n; a panel spans at most a factor e^8 of it.
  [[nodiscard]] static auto width(const Curve& curve, const Pace<Scalar>& pace) {
    const Scalar plain = panel_width(curve.family().beta());
    return [&curve, &pace, plain](const Scalar& z) -> Scalar {
      if (!pace.by_radius)
        return plain;
      return std::min(plain, Scalar(4 / curve.family().cost(Scalar(curve.begin() + z))));
    };
  }
  [[nodiscard]] static Scalar spent_until(const Curve& curve, const Pace<Scalar>& pace, const Scalar& y) {
    const Scalar offset = y - curve.begin(), infinite = std::numeric_limits<Scalar>::infinity();
    if (cost(curve, pace)(offset) == infinite) // beyond the range of Scalar
      return infinite;
    return integral_in_steps(cost(curve, pace), Scalar(0), offset, width(curve, pace));
  }

  // The offset after spending `amount` from an offset. Once u is below rounding, a cost without radius is constant.
  template <class Look>
  [[nodiscard]] static Scalar reach(const Curve& curve, const Pace<Scalar>& pace, const Scalar& from,
                                    const Scalar& amount, const Look& look_before_panel) {
    if (is_at_rest(curve))
      return from;
    using std::abs;
    const Scalar rounding = std::numeric_limits<Scalar>::epsilon() / (curve.family().n() + abs(curve.family().beta()));
    const Scalar flat = pace.by_radius ? std::numeric_limits<Scalar>::infinity()
                                       : Scalar(curve.family().log_ratio_of_gap(rounding) - curve.begin());
    const auto plain_width = width(curve, pace);
    return advance(
        cost(curve, pace), from, amount,
        [&](const Scalar& z) -> Scalar {
          look_before_panel();
          return plain_width(z);
        },
        flat);
  }

  [[nodiscard]] static Radii radii(const Curve& curve, const Pace<Scalar>& pace, const Scalar& offset,
                                   const Scalar& elapsed) {
    if (!pace.by_radius)
      return curve.initial_radii();
    return is_at_rest(curve) ? curve.radii_at_rest(elapsed, pace.by_drift) : curve.radii(offset, elapsed);
  }

  SchemePace<Scalar> pace_;
  Curve first_, second_;
};

/// n tokens at one cosine and one radius.
template <class Scalar>
using EquiangularQuadrature = Quadrature<EquiangularCurve<Scalar>>;

} // namespace normdyn::reduced
