#pragma once
// One line of the table of benchmarks: a figure, what it is held against, and the aim.

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace normdyn::bench {

struct Aim {
  double ratio;
  bool is_upper; ///< the ratio should not exceed it; else not fall below it
};

struct Row {
  std::string group, what;
  double figure;
  std::string unit;
  double reference; ///< NaN: nothing to compare with
  std::string reference_name;
  double ratio; ///< of figure and reference, as the aim means it
  std::optional<Aim> aim{};
  [[nodiscard]] bool is_reached() const { return !aim || (aim->is_upper ? ratio <= aim->ratio : ratio >= aim->ratio); }
};

/// figure/reference, where less is better.
[[nodiscard]] inline Row against(std::string group, std::string what, double figure, std::string unit, double reference,
                                 std::string reference_name, std::optional<double> at_most = {}) {
  std::optional<Aim> aim;
  if (at_most)
    aim = Aim{*at_most, true};
  return {std::move(group),          std::move(what),    figure, std::move(unit), reference,
          std::move(reference_name), figure / reference, aim};
}

/// reference/figure, where more is better: how many times faster than the reference.
[[nodiscard]] inline Row faster_than(std::string group, std::string what, double figure, std::string unit,
                                     double reference, std::string reference_name,
                                     std::optional<double> at_least = {}) {
  std::optional<Aim> aim;
  if (at_least)
    aim = Aim{*at_least, false};
  return {std::move(group),          std::move(what),    figure, std::move(unit), reference,
          std::move(reference_name), reference / figure, aim};
}

using Rows = std::vector<Row>;

} // namespace normdyn::bench
