#include "normdyn/report/bar.hpp"

#include "normdyn/report/display_text.hpp"
#include "normdyn/report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace normdyn::report {
namespace {

double fraction_done(const BarFacts& facts) {
  const double length = facts.end - facts.begin;
  return length > 0.0 && std::isfinite(length) ? std::clamp((facts.time - facts.begin) / length, 0.0, 1.0) : 0.0;
}

std::string drawn_bar(double fraction) {
  constexpr std::size_t cells = 20;
  const auto full = static_cast<std::size_t>(std::floor(fraction * static_cast<double>(cells)));
  return "[" + std::string(full, '#') + std::string(cells - full, '-') + "]";
}

struct Part {
  std::string text;
  int importance; ///< the least goes first when there is no room
};

std::string joined(std::span<const Part> parts, int least_importance) {
  std::string line;
  for (const Part& part : parts)
    if (part.importance >= least_importance && !part.text.empty())
      line += (line.empty() ? "" : "  ") + part.text;
  return line;
}

// The most important parts that fit into `width` columns.
std::string fitted(std::span<const Part> parts, std::size_t width) {
  std::string line;
  for (int least = 1; least <= static_cast<int>(parts.size()); ++least) {
    line = joined(parts, least);
    if (display_width(line) <= width)
      return line;
  }
  return shortened(line, width);
}

std::string percent_text(double share) {
  return fmt::format("{:3.0f} %", std::floor(100.0 * share)); // 100 % only at the end
}

} // namespace

double remaining_seconds(const BarFacts& facts) {
  const double done = facts.time - facts.begin;
  if (!(done > 0.0) || !std::isfinite(facts.end))
    return std::numeric_limits<double>::quiet_NaN();
  return facts.elapsed_seconds * std::max(0.0, facts.end - facts.time) / done;
}

std::string progress_bar(const BarFacts& facts, std::size_t width) {
  const double fraction = fraction_done(facts);
  const bool has_end = std::isfinite(facts.end);
  const double remaining = remaining_seconds(facts);
  const std::array<Part, 8> parts = {{
      {printable(facts.label), 5},
      {has_end ? drawn_bar(fraction) : "", 1},
      {has_end ? percent_text(fraction) : "", 6},
      {fmt::format("t = {} of {}", number_text(facts.time), number_text(facts.end)), 8},
      {fmt::format("h = {}", number_text(facts.step, 2)), 3},
      {facts.rejected > 0 ? fmt::format("{} rejected", facts.rejected) : "", 2},
      {facts.n_clusters ? fmt::format("{} cluster{}", *facts.n_clusters, *facts.n_clusters == 1 ? "" : "s") : "", 4},
      {std::isnan(remaining) ? "" : "ETA " + duration_text(remaining), 7},
  }};
  return fitted(parts, width);
}

std::string work_bar(const std::string& label, double share, double seconds_left, std::size_t width) {
  const double done = std::clamp(share, 0.0, 1.0);
  const std::array<Part, 4> parts = {{{printable(label), 2},
                                      {drawn_bar(done), 1},
                                      {percent_text(done), 3},
                                      {std::isnan(seconds_left) ? "" : "ETA " + duration_text(seconds_left), 4}}};
  return fitted(parts, width);
}

} // namespace normdyn::report
