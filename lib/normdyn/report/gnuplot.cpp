#include "normdyn/report/gnuplot.hpp"

#include "normdyn/report/gnuplot_ink.hpp"
#include "normdyn/report/markup.hpp"

#include <fmt/format.h>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <system_error>
#include <thread>

namespace normdyn::report {
namespace {

/// A file in memory that only this program and its child know: no names, and no pipe that could fill up.
class MemoryFile final {
 public:
  explicit MemoryFile(const std::string& content = {}) : descriptor_(::memfd_create("normdyn", MFD_CLOEXEC)) {
    for (std::size_t done = 0; is_open() && done < content.size();) {
      const ssize_t n = ::write(descriptor_, content.data() + done, content.size() - done);
      if (n <= 0 && errno != EINTR)
        close();
      done += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    if (is_open())
      ::lseek(descriptor_, 0, SEEK_SET);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(); }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string content() const {
    std::string text;
    std::array<char, 65536> part{};
    for (ssize_t n = 0; (n = ::pread(descriptor_, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
      text.append(part.data(), static_cast<std::size_t>(n));
    return text;
  }

 private:
  void close() {
    if (is_open())
      ::close(descriptor_);
    descriptor_ = -1;
  }
  int descriptor_;
};

constexpr int out_of_time = 256; ///< no exit status

/// The exit status of a child, which is ended if it takes too long.
int status_within(pid_t child, double most_seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  bool is_ended = false;
  for (auto pause = std::chrono::microseconds(200);; pause = std::min(2 * pause, std::chrono::microseconds(20'000))) {
    int status = 0;
    const pid_t done = ::waitpid(child, &status, is_ended ? 0 : WNOHANG);
    if (done < 0 && errno != EINTR)
      return -errno;
    if (done == child)
      return is_ended ? out_of_time : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    if (!is_ended && std::chrono::duration<double>(Clock::now() - begin).count() > most_seconds) {
      ::kill(child, SIGKILL);
      is_ended = true;
    }
    if (!is_ended)
      std::this_thread::sleep_for(pause);
  }
}

/// The program's exit status, `out_of_time`, or an error number of starting it as a negative value.
int run(const DrawOptions& options, const MemoryFile& in, const MemoryFile& out, const MemoryFile& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  std::string name = options.program, defaults = "--default-settings"; // no file of the user's changes a picture
  char* arguments[] = {name.data(), defaults.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return -failed;
  return status_within(child, options.most_seconds);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Gnuplot's file becomes an element with the page's color of text, whose ids are its own.
std::string adapted(std::string svg, const Figure& figure) {
  const std::size_t begin = svg.find("<svg"), end = svg.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos)
    return {};
  svg = svg.substr(begin, end + 6 - begin) + "\n";
  const std::string prefix = file_stem(figure.name) + "-";
  for (const char* opening : {"id='", "id=\"", "href='#", "url(#"})
    replace_all(svg, opening, opening + prefix);
  replace_all(svg, ink_of_lines, "currentColor");
  replace_all(svg, ink_of_text, "currentColor");
  replace_all(svg, " color=\"black\"", "");
  replace_all(svg, "<title>Gnuplot</title>",
              "<title>" + html_escaped(figure.title) +
                  "</title>\n<style>svg.drawn{color:#222}@media(prefers-color-scheme:dark){svg.drawn{color:#ddd}}"
                  "</style>");
  return svg.replace(0, 4, "<svg class=\"drawn\" role=\"img\"");
}

std::string first_line(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \n\t^"), text.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

} // namespace

Drawing draw(const Figure& figure, const DrawOptions& options) {
  const std::string script = gnuplot_script(figure, options);
  if (script.empty())
    return {{}, "no curve has a point that the axes can show"};
  const MemoryFile in(script), out, err;
  if (!in.is_open() || !out.is_open() || !err.is_open())
    return {{}, "no memory for the picture"};
  const int status = run(options, in, out, err);
  if (status == -ENOENT || status == 127)
    return {{}, fmt::format("{} is not installed (on Debian: apt-get install gnuplot-nox)", options.program)};
  if (status == out_of_time)
    return {{}, fmt::format("{} did not end within {} s", options.program, options.most_seconds)};
  if (status < 0)
    return {{}, fmt::format("{} cannot be started ({})", options.program, std::generic_category().message(-status))};
  Drawing drawing{.svg = status == 0 ? adapted(out.content(), figure) : "", .problem = ""};
  if (drawing.svg.empty())
    drawing.problem = fmt::format("{} failed: {}", options.program, first_line(err.content()));
  return drawing;
}

} // namespace normdyn::report
