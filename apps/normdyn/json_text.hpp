#pragma once
#include <nlohmann/json.hpp>

#include <string>

namespace normdyn::cli {

/// As it is printed: two spaces deep, with a newline. Paths need not be UTF-8, and JSON must be: bytes that are no
/// character become U+FFFD.
[[nodiscard]] inline std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace normdyn::cli
