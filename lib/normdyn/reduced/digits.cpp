#include "normdyn/reduced/digits.hpp"

#include "normdyn/core/value.hpp"
#include "normdyn/reduced/quadrature.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <functional>

namespace normdyn::reduced {
namespace {

// Ten digits more than are printed: panels of 30 Gauss points are right to 54.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>>;

Wide decimal(double value) {
  return Wide(core::number_text(value));
}

// A pace with the derivative of its worth, which is the speed at s~ = 1.
struct Motion {
  SchemePace<Wide> pace{};
  std::function<Wide(const Wide&)> rate{}; ///< empty: 1
};

struct ToMotion {
  PowerSchedule alpha;

  Motion operator()(const schemes::PostLn&) const { return {post_pace<Wide>(), {}}; }
  Motion operator()(const schemes::PreLn&) const { return {pre_pace<Wide>(), {}}; }
  Motion operator()(const schemes::PeriLn&) const { return {peri_pace<Wide>(), {}}; }
  Motion operator()(const schemes::MixLn& scheme) const {
    return {mix_pace<Wide>(decimal(scheme.breakpoints().front())), {}};
  }
  Motion operator()(const schemes::SqrtScaling&) const {
    return {sqrt_pace<Wide>(), [](const Wide& t) -> Wide { return 1 / sqrt(1 + t); }};
  }
  Motion operator()(const schemes::NGpt&) const {
    const Wide scale = decimal(alpha.scale), shift = decimal(alpha.shift), power = decimal(alpha.exponent);
    const Wide above = power + 1;
    if (above == 0)
      return {ngpt_pace<Wide>([=](const Wide& t) -> Wide { return scale * log1p(Wide(t / shift)); },
                              [=](const Wide& worth) -> Wide { return shift * expm1(Wide(worth / scale)); }),
              [=](const Wide& t) -> Wide { return scale / (shift + t); }};
    const Wide start = pow(shift, above);
    return {
        ngpt_pace<Wide>([=](const Wide& t) -> Wide { return scale / above * (pow(Wide(shift + t), above) - start); },
                        [=](const Wide& worth) -> Wide {
                          return pow(Wide(start + above * worth / scale), Wide(1 / above)) - shift;
                        }),
        [=](const Wide& t) -> Wide { return scale * pow(Wide(shift + t), power); }};
  }
  template <schemes::NormScheme Scheme>
  Motion operator()(const Scheme&) const {
    throw core::InputError("scheme.name",
                           fmt::format("the scheme '{}' need not separate into a clock and a curve", Scheme::name),
                           "integrate the reduced equation instead: leave out the digits");
  }
};

// u'/u = -(2/s) sigma/Z
Wide log_derivative(const Motion& motion, const Equiangular<Wide>& family, const Wide& y, const Wide& radius,
                    const Wide& time) {
  const bool is_late = motion.pace.switch_time && time > *motion.pace.switch_time;
  const Pace<Wide>& pace = is_late ? motion.pace.second : motion.pace.first;
  Wide speed = motion.rate ? motion.rate(time) : Wide(1);
  if (pace.by_radius)
    speed /= radius;
  if (pace.by_drift)
    speed /= family.drift(y, Wide(1)).norm;
  return -2 * speed * family.position(y).sum * family.weight_of_other(y);
}

} // namespace

std::vector<DigitsRow> rows_in_digits(const DigitsModel& model, std::span<const double> times, int digits,
                                      const StopRequest& stop) {
  if (digits < 1 || digits > most_digits)
    throw core::InputError("digits", fmt::format("{} digits cannot be given", digits),
                           fmt::format("ask for 1 to {}", most_digits));
  if (std::isinf(Equiangular<double>(model.n_tokens, model.beta).log_ratio(model.cosine)))
    throw core::InputError(
        "equiangular family",
        fmt::format("tokens at the cosine {} do not move in y, and have no quadrature", model.cosine),
        "start from another cosine, or leave out the digits");
  const Equiangular<Wide> family(model.n_tokens, decimal(model.beta));
  const Wide y0 = family.log_ratio(decimal(model.cosine));
  const Motion motion = std::visit(ToMotion{model.alpha}, model.scheme);
  const EquiangularQuadrature<Wide> quadrature(EquiangularCurve<Wide>(family, y0, decimal(model.radius)), motion.pace);

  std::vector<Wide> moments;
  for (const double time : times)
    moments.push_back(decimal(time));
  const auto points = quadrature.at(std::span<const Wide>(moments), stop);
  const auto text = [&](const Wide& value) { return value == 0 ? "0" : value.str(digits); }; // no -0
  std::vector<DigitsRow> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Wide &y = points[i].log_ratio, &radius = points[i].radii;
    const Position<Wide> at = family.position(y);
    rows.push_back({core::number_text(times[i]), text(at.cosine), text(at.gap), text(y), text(radius),
                    text(clock_between(family, y0, y)), text(log_derivative(motion, family, y, radius, moments[i]))});
  }
  return rows;
}

} // namespace normdyn::reduced
