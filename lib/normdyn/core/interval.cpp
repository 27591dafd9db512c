#include "normdyn/core/interval.hpp"

#include <algorithm>

namespace normdyn::core {

std::vector<double> inner_breakpoints(std::vector<double> times, Interval span) {
  std::erase_if(times, [&](double t) { return !span.contains_inside(t); });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::vector<Interval> pieces(Interval span, std::vector<double> breakpoints) {
  std::vector<Interval> parts;
  double begin = span.begin;
  for (const double t : inner_breakpoints(std::move(breakpoints), span)) {
    parts.push_back({begin, t});
    begin = t;
  }
  parts.push_back({begin, span.end});
  return parts;
}

} // namespace normdyn::core
