#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace normdyn::initial {
namespace {

// (cos, sin) of 2 pi j/n with the symmetries of the circle exact: reduced in integers to the first eighth.
std::pair<double, double> circle_point(std::size_t j, std::size_t n) {
  const std::size_t octant = 8 * j / n, rest = 8 * j % n;
  const bool is_odd = octant % 2 == 1;
  const double fraction = static_cast<double>(is_odd ? n - rest : rest) / static_cast<double>(n); // of pi/4
  double c = std::cos(0.25 * std::numbers::pi * fraction), s = std::sin(0.25 * std::numbers::pi * fraction);
  if (fraction == 1.0)
    c = s = std::numbers::sqrt2 / 2.0;
  if (is_odd)
    std::swap(c, s); // the angle from the next multiple of pi/2, backwards
  switch (octant / 2) {
  case 0:
    return {c, s};
  case 1:
    return {-s, c};
  case 2:
    return {-c, -s};
  default:
    return {s, -c};
  }
}

Draft read(core::Settings& section, const InitialContext&) {
  Draft draft;
  draft.n_tokens = static_cast<std::size_t>(section.integer("tokens", {.at_least = 1, .at_most = 100'000'000}));
  draft.dim = 2;
  section.define("n", static_cast<double>(draft.n_tokens));
  section.define("d", 2.0);
  if (const std::int64_t dim = section.integer("dim", {.fallback = 2}); dim != 2)
    section.refuse("dim", fmt::format("{}, but a ring lies on the circle", dim), "leave this key out, or write 2");
  const std::int64_t mode = section.integer("mode", {.fallback = 1, .at_least = 0});
  const double amplitude = section.number("amplitude", {.fallback = 0.0});
  const double phase = section.number("phase", {.fallback = 0.0});
  draft.x.resize(2 * draft.n_tokens);
  for (std::size_t j = 0; j < draft.n_tokens; ++j) {
    const auto [c, s] = circle_point(j, draft.n_tokens);
    const auto wave =
        static_cast<std::size_t>(mode) % draft.n_tokens * j % draft.n_tokens; // mode j/n, whole turns dropped
    const double turn = static_cast<double>(wave) / static_cast<double>(draft.n_tokens);
    const double shift = amplitude * std::cos(2.0 * std::numbers::pi * turn + phase);
    draft.x[2 * j] = c * std::cos(shift) - s * std::sin(shift);
    draft.x[2 * j + 1] = s * std::cos(shift) + c * std::sin(shift);
  }
  draft.generator = amplitude == 0.0 ? "ring" : fmt::format("ring, mode {} of amplitude {}", mode, amplitude);
  return draft;
}

} // namespace

Law ring_law() {
  return {"ring", {"mode", "amplitude", "phase"}, read};
}

} // namespace normdyn::initial
