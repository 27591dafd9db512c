#include "normdyn/storage/run_schema.hpp"

#include <array>

namespace normdyn::storage {
namespace {
constexpr std::array<const char*, 5> status_texts = {"running", "completed", "event", "stopped", "failed"};
}

const char* status_text(Status status) {
  return status_texts[static_cast<std::size_t>(status)];
}

std::optional<Status> status_from(std::string_view text) {
  for (std::size_t i = 0; i < status_texts.size(); ++i)
    if (text == status_texts[i])
      return static_cast<Status>(i);
  return std::nullopt;
}

} // namespace normdyn::storage
