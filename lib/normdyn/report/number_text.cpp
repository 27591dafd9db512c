#include "normdyn/report/number_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace normdyn::report {

std::string number_text(double value, int digits) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits); // no "-0"
}

std::string duration_text(double seconds) {
  if (!(seconds >= 0.0) || std::isinf(seconds))
    return "-";
  // Each limit is where the rounded text would reach the next unit.
  if (seconds < 9.995)
    return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.95)
    return fmt::format("{:.1f} s", seconds);
  constexpr double minute = 60.0, hour = 3600.0, day = 86400.0;
  const auto parts = [seconds](double large, double small) {
    const double units = std::round(seconds / small), per_large = large / small;
    return std::pair{std::floor(units / per_large), std::fmod(units, per_large)};
  };
  if (const auto [minutes, rest] = parts(minute, 1.0); minutes < 60.0)
    return fmt::format("{:.0f} min {:02.0f} s", minutes, rest);
  if (const auto [hours, minutes] = parts(hour, minute); hours < 24.0)
    return fmt::format("{:.0f} h {:02.0f} min", hours, minutes);
  const auto [days, hours] = parts(day, hour);
  return fmt::format("{:.0f} d {:02.0f} h", days, hours);
}

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  // 1023.95 would print as 1024.0.
  while (bytes >= 1023.95 && unit + 1 < std::size(units)) {
    bytes /= 1024.0;
    ++unit;
  }
  const double tenths = std::round(bytes * 10.0) / 10.0;
  return fmt::format("{:.{}f} {}", tenths, tenths == std::floor(tenths) ? 0 : 1, units[unit]);
}

} // namespace normdyn::report
