#include "normdyn/geometry/sphere.hpp"
#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::initial {
namespace {

// cos(phi) and sin(phi) of the polar angle of a uniform point of the cap phi <= rho: density ~ sin(phi)^{d-2}. Two
// rejections, each exact; the first accepts at least cos(rho), the second about 1/3 of the draws where it is used.
struct PolarAngle {
  double cosine, sine;
};

PolarAngle draw_polar_angle(core::RandomStream& stream, std::size_t dim, double cos_rho, double sin_rho,
                            std::span<double> scratch) {
  const double d = static_cast<double>(dim);
  if (cos_rho * std::sqrt(d) >= 1.0)
    for (;;) { // s = sin(phi) has density ~ s^{d-2} / sqrt(1 - s^2): propose ~ s^{d-2}
      const double sine = sin_rho * std::pow(stream.uniform(), 1.0 / (d - 1.0));
      const double cosine = std::sqrt((1.0 - sine) * (1.0 + sine));
      if (stream.uniform() * cosine < cos_rho)
        return {cosine, sine};
    }
  for (;;) { // a uniform point of the half sphere
    draw_direction(stream, scratch);
    const double cosine = std::abs(scratch[0]);
    if (cosine >= cos_rho)
      return {cosine, geometry::norm(scratch.subspan(1))};
  }
}

} // namespace

Law cone_law() {
  return {"cone", {"delta"}, [](core::Settings& section, const InitialContext& context) {
            Draft draft = sized_draft(section, 2, "a cone has no width on a sphere of two points");
            const double delta = section.number("delta", {.above = 0.0, .at_most = 2.0});
            const double sin_rho = std::sqrt(0.5 * delta), cos_rho = std::sqrt(0.5 * (2.0 - delta));
            std::vector<double> scratch(draft.dim);
            for (std::size_t j = 0; j < draft.n_tokens; ++j) {
              core::RandomStream stream = token_stream(context, j);
              const PolarAngle phi = draw_polar_angle(stream, draft.dim, cos_rho, sin_rho, scratch);
              const std::span<double> around = draft.row(j).subspan(1);
              draw_direction(stream, around);
              for (double& value : around)
                value *= phi.sine;
              draft.row(j)[0] = phi.cosine;
            }
            draft.generator = fmt::format("uniform on a cap of radius asin(sqrt(delta/2)), delta {}", delta);
            return draft;
          }};
}

} // namespace normdyn::initial
