#include "console.hpp"

#include "verb.hpp"

#include "normdyn/report/display_text.hpp"
#include "normdyn/report/table.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

namespace normdyn::cli {
namespace {

std::string& stored_command_line() {
  static std::string text;
  return text;
}

// Home folders are nobody's business in a file that is passed on.
std::string without_home(std::string word) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && std::strlen(home) > 1)
    for (std::size_t at = word.find(home); at != std::string::npos; at = word.find(home, at + 1))
      word.replace(at, std::strlen(home), "~");
  return word;
}

// Messages quote what the user wrote, which may be a matrix or steer the terminal. The end of a line says what to do.
std::string presentable(const std::string& line) {
  constexpr std::size_t most = 480, kept_at_end = 160;
  std::string text = report::printable(line);
  if (text.size() <= most)
    return text;
  std::size_t tail = text.size() - kept_at_end;
  while (tail < text.size() && (static_cast<unsigned char>(text[tail]) & 0xC0) == 0x80)
    ++tail; // never within a character
  return report::shortened(text, most - kept_at_end) + text.substr(tail);
}

} // namespace

const std::string& command_line() {
  return stored_command_line();
}

void remember_command_line(int argc, const char* const* argv) {
  std::string text = "normdyn";
  for (int i = 1; i < argc; ++i) {
    const std::string word = without_home(argv[i]);
    const bool is_plain = !word.empty() && word.find_first_of(" \t\n\"'$`\\{}[]()<>|&;*?!#") == std::string::npos;
    text += is_plain ? " " + word : " '" + word + "'";
  }
  stored_command_line() = text;
}

bool wants_color(int descriptor) {
  return report::wants_color(isatty(descriptor) != 0, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

bool can_rewrite_line() {
  return report::wants_color(isatty(STDERR_FILENO) != 0, nullptr, std::getenv("TERM")); // the same, but for NO_COLOR
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void print_problem(const std::string& text) {
  std::string shown;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    shown += presentable(line) + "\n";
  fmt::print(stderr, "{} {}", report::toned("normdyn:", report::Tone::bad, wants_color(STDERR_FILENO)), shown);
}

} // namespace normdyn::cli
