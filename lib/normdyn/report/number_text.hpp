#pragma once
// Numbers for people: short, with their unit. Files and JSON carry full precision elsewhere.

#include <cstdint>
#include <string>

namespace normdyn::report {

/// `digits` significant digits, without trailing zeros: "0.9731", "1.3e-09", "30"; "-" for NaN (undefined).
[[nodiscard]] std::string number_text(double value, int digits = 4);

/// "0.42 s", "12.3 s", "2 min 05 s", "3 h 20 min", "2 d 4 h"; "-" for NaN, negative or infinite times.
[[nodiscard]] std::string duration_text(double seconds);

/// "812 B", "1.5 KiB", "20.3 MiB", "4 GiB".
[[nodiscard]] std::string bytes_text(double bytes);

} // namespace normdyn::report
