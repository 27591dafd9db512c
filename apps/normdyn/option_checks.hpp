#pragma once
// Checks of options whose messages quote what was written.

#include <CLI/CLI.hpp>

#include <charconv>
#include <string>

namespace normdyn::cli {

/// A whole number from `least` to `most`, in decimal digits.
[[nodiscard]] inline CLI::Validator whole_number(int least, int most) {
  return {[least, most](std::string& text) -> std::string {
            long long value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (end != text.data() + text.size() || error == std::errc::invalid_argument)
              return "'" + text + "' is no whole number";
            if (error != std::errc() || value < least || value > most)
              return text + " is not between " + std::to_string(least) + " and " + std::to_string(most);
            return "";
          },
          ""};
}

} // namespace normdyn::cli
