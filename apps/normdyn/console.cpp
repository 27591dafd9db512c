#include "console.hpp"

#include "verb.hpp"

#include "normdyn/report/display_text.hpp"
#include "normdyn/report/table.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

namespace normdyn::cli {
namespace {

// What needs no quotes in a shell, wherever it stands.
constexpr char bare_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%~^";

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

// A word as a shell takes it back: nothing within single quotes means anything, but for the quote itself. Where "~"
// stands for the home folder it stays outside, for the shell to fill in; one that was `written` so is quoted.
std::string shell_word(const std::string& word, std::string_view written) {
  const bool begins_at_home = word.starts_with("~/") && !written.starts_with("~");
  std::string text = begins_at_home ? "~/" : "";
  const std::string rest = word.substr(text.size());
  if (!rest.empty() && !rest.starts_with("~") && rest.find_first_not_of(bare_letters) == std::string::npos)
    return text + rest;
  text += "'";
  for (const char letter : rest)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

} // namespace

const std::string& command_line() {
  return stored_command_line();
}

void remember_command_line(int argc, const char* const* argv) {
  std::string text = "normdyn";
  for (int i = 1; i < argc; ++i) {
    text += " " + shell_word(without_home(argv[i]), argv[i]);
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
  print_progress(report::toned("normdyn:", report::Tone::bad, wants_color(STDERR_FILENO)) + " " + shown);
}

void print_progress(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stderr) != text.size() || std::fflush(stderr) != 0)
    std::clearerr(stderr); // there is nobody left to tell
}

} // namespace normdyn::cli
