#include "normdyn/report/markup.hpp"

#include "normdyn/report/display_text.hpp"

namespace normdyn::report {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char letter : printable(text))
    switch (letter) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += letter;
    }
  return out;
}

std::string markdown_escaped(std::string_view text) {
  std::string out;
  for (const char letter : printable(text)) {
    if (std::string_view("\\`*_{}[]<>#|~$").find(letter) != std::string_view::npos)
      out += '\\';
    out += letter;
  }
  return out;
}

std::string file_stem(std::string_view name) {
  std::string out;
  for (const char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    out += is_plain ? letter : is_capital ? static_cast<char>(letter - 'A' + 'a') : '-';
  }
  return out.empty() ? "figure" : out;
}

} // namespace normdyn::report
