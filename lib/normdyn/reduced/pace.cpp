#include "normdyn/reduced/pace.hpp"

#include "normdyn/core/error.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/roots.hpp>
#include <fmt/format.h>

#include <limits>

namespace normdyn::reduced {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// alpha(t) of nGPT is its speed at |A| = 1.
double alpha(const schemes::NGpt& scheme, double t) {
  return scheme.rates(schemes::Drift<double>{.radius = 1.0, .radial = 1.0, .norm = 1.0, .tangential = 0.0}, t).speed;
}

double integral_of_alpha(const schemes::NGpt& scheme, double end) {
  double total = 0.0;
  for (const core::Interval piece : core::pieces({0.0, end}, scheme.breakpoints())) {
    const schemes::NGpt smooth = scheme.on(piece);
    // Cut at 1, 4, 16, ...: adaptive bisection alone is slow to find a decaying alpha at the end of a long run.
    double from = piece.begin;
    for (double cut = 1.0; from < piece.end; cut *= 4.0) {
      const double to = std::min(piece.end, piece.begin + cut);
      total += boost::math::quadrature::gauss_kronrod<double, 31>::integrate([&](double t) { return alpha(smooth, t); },
                                                                             from, to, 10, 1e-14);
      from = to;
    }
  }
  return total;
}

// The time by which the integral of alpha reaches `worth`, or infinity if it never does up to t = 1e15.
double time_of_alpha(const schemes::NGpt& scheme, double worth) {
  if (!(worth > 0.0))
    return 0.0;
  double high = 1.0;
  while (integral_of_alpha(scheme, high) < worth) {
    high *= 2.0;
    if (high > 1e15)
      return infinity;
  }
  const auto surplus = [&](double t) { return integral_of_alpha(scheme, t) - worth; };
  std::uintmax_t iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(surplus, high > 1.0 ? high / 2.0 : 0.0, high,
                                                         boost::math::tools::eps_tolerance<double>(52), iterations);
  return bracket.first + (bracket.second - bracket.first) / 2.0;
}

struct ToPace {
  SchemePace<double> operator()(const schemes::PostLn&) const { return post_pace<double>(); }
  SchemePace<double> operator()(const schemes::PreLn&) const { return pre_pace<double>(); }
  SchemePace<double> operator()(const schemes::PeriLn&) const { return peri_pace<double>(); }
  SchemePace<double> operator()(const schemes::SqrtScaling&) const { return sqrt_pace<double>(); }
  SchemePace<double> operator()(const schemes::MixLn& scheme) const {
    return mix_pace<double>(scheme.breakpoints().front());
  }
  SchemePace<double> operator()(const schemes::NGpt& scheme) const {
    return ngpt_pace<double>([scheme](double t) { return integral_of_alpha(scheme, t); },
                             [scheme](double worth) { return time_of_alpha(scheme, worth); });
  }
  // `formula`, and schemes to come until they are given a pace here.
  template <schemes::NormScheme Scheme>
  SchemePace<double> operator()(const Scheme&) const {
    throw core::InputError("scheme.name",
                           fmt::format("the scheme '{}' need not separate into a clock and a curve", Scheme::name),
                           "integrate the reduced equation instead of its quadrature");
  }
};

} // namespace

SchemePace<double> pace_of(const schemes::AnyScheme& scheme) {
  return std::visit(ToPace{}, scheme);
}

} // namespace normdyn::reduced
