#include "normdyn/report/display_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace normdyn::report {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool is_valid = false;
};

// Decodes the first character; overlong forms, surrogates and stray bytes are not valid and one byte long.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80)
    return {lead, 1, true};
  const std::size_t count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < count)
    return {};
  char32_t code = lead & (0xFFU >> (count + 1));
  for (std::size_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U)
      return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[count] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
    return {};
  return {code, count, true};
}

struct Range {
  char32_t first, last;
};

template <std::size_t Count>
bool within(const std::array<Range, Count>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& r) { return code >= r.first && code <= r.last; });
}

// Blocks of Unicode 15: combining marks, joiners and variation selectors; East Asian wide and full-width.
constexpr std::array<Range, 9> no_width = {{{0x0300, 0x036F},
                                            {0x0483, 0x0489},
                                            {0x0591, 0x05BD},
                                            {0x064B, 0x065F},
                                            {0x1AB0, 0x1AFF},
                                            {0x1DC0, 0x1DFF},
                                            {0x200B, 0x200F},
                                            {0x20D0, 0x20FF},
                                            {0xFE00, 0xFE2F}}};
constexpr std::array<Range, 9> double_width = {{{0x1100, 0x115F},
                                                {0x2E80, 0x303E},
                                                {0x3041, 0xA4CF},
                                                {0xAC00, 0xD7A3},
                                                {0xF900, 0xFAFF},
                                                {0xFF00, 0xFF60},
                                                {0xFFE0, 0xFFE6},
                                                {0x1F300, 0x1FAFF},
                                                {0x20000, 0x3FFFD}}};

std::size_t width_of(const Character& character) {
  if (!character.is_valid)
    return 1;
  return within(no_width, character.code) ? 0 : within(double_width, character.code) ? 2 : 1;
}

bool is_control(char32_t code) {
  // C0, DEL and C1; line and paragraph separators; marks that reorder text.
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

} // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = decode(text);
    width += width_of(character);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string_view fitting(std::string_view text, std::size_t width) {
  std::size_t bytes = 0, used = 0;
  while (bytes < text.size()) {
    const Character character = decode(text.substr(bytes));
    used += width_of(character);
    if (used > width)
      break;
    bytes += character.bytes;
  }
  return text.substr(0, bytes);
}

std::string shortened(std::string_view text, std::size_t width) {
  constexpr std::string_view mark = "...";
  if (display_width(text) <= width)
    return std::string(text);
  if (width <= mark.size())
    return std::string(fitting(text, width));
  return std::string(fitting(text, width - mark.size())).append(mark);
}

std::string shortened_in_middle(std::string_view text, std::size_t width) {
  constexpr std::string_view mark = "...";
  if (display_width(text) <= width || width <= mark.size() + 1)
    return shortened(text, width);
  const std::size_t at_end = (width - mark.size()) / 2;
  std::string_view end = text;
  while (display_width(end) > at_end)
    end.remove_prefix(decode(end).bytes);
  return std::string(fitting(text, width - mark.size() - at_end)).append(mark).append(end);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = decode(text);
    if (!character.is_valid || is_control(character.code))
      result += '?';
    else
      result += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return result;
}

bool wants_color(bool is_terminal, const char* no_color, const char* term) {
  const std::string_view off = no_color ? no_color : "", name = term ? term : "";
  return is_terminal && off.empty() && !name.empty() && name != "dumb";
}

} // namespace normdyn::report
