#include "normdyn/report/words.hpp"

#include "normdyn/report/display_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::report {

std::string words_line(std::span<const std::string> words, std::size_t width) {
  const std::string count = fmt::format("({})", words.size());
  if (words.empty())
    return count;
  const std::string cut_end = " ... " + count, full_end = " " + count;
  const auto room = [width](const std::string& end) { return width - std::min(width, end.size()); };

  // The longest beginning of the list that fits with the end it needs.
  const std::size_t room_for_one = room(words.size() == 1 ? full_end : cut_end);
  std::string line, best = shortened(printable(words.front()), std::max<std::size_t>(room_for_one, 1));
  std::size_t shown = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    line += (i > 0 ? " " : "") + printable(words[i]);
    const std::size_t used = display_width(line);
    if (used > room(full_end))
      break;
    if (used <= room(i + 1 == words.size() ? full_end : cut_end)) {
      best = line;
      shown = i + 1;
    }
  }
  return best + (shown == words.size() ? full_end : cut_end);
}

} // namespace normdyn::report
