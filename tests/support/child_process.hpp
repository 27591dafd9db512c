#pragma once
// Runs a function in a child process, so that a test may limit it, kill it, or see it crash.

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace normdyn::test {

class ChildProcess final {
 public:
  struct End {
    int exit_code = -1; ///< -1 if a signal ended it
    int signal = 0;
    std::string errors{}; ///< what it wrote to standard error
    [[nodiscard]] std::string text() const {
      return "exit code " + std::to_string(exit_code) + ", signal " + std::to_string(signal) + ", stderr: " + errors;
    }
  };

  /// Starts the child; its exit code is what `run` returns, 99 if it throws.
  template <class Run>
  explicit ChildProcess(Run run) {
    if (pipe(pipe_.data()) != 0)
      std::abort();
    std::cout.flush();
    std::fflush(nullptr); // else the child prints it again
    id_ = fork();
    if (id_ != 0) {
      close(pipe_[1]);
      return;
    }
    dup2(pipe_[1], STDERR_FILENO);
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
      std::signal(signal, SIG_DFL); // not Boost.Test's handlers
    int code = 99;
    try {
      code = run();
    } catch (const std::exception& error) {
      static_cast<void>(!write(STDERR_FILENO, error.what(), std::char_traits<char>::length(error.what())));
    }
    std::exit(code); // with the exit handlers: HDF5 closes what is open
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    close(pipe_[0]);
    if (!is_done_)
      kill_after(0.0);
  }

  /// Waits for the end; after `seconds` the child is killed, as one that hangs.
  [[nodiscard]] End wait(double seconds) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    int status = 0;
    while (waitpid(id_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > deadline)
        ::kill(id_, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    is_done_ = true;
    End end;
    if (WIFEXITED(status))
      end.exit_code = WEXITSTATUS(status);
    else
      end.signal = WTERMSIG(status);
    std::array<char, 4096> buffer;
    for (ssize_t n = 0; (n = read(pipe_[0], buffer.data(), buffer.size())) > 0;)
      end.errors.append(buffer.data(), static_cast<std::size_t>(n));
    return end;
  }

  /// SIGKILL after so many seconds, unless it has ended by itself.
  void kill_after(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    ::kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    is_done_ = true;
  }

 private:
  pid_t id_ = -1;
  std::array<int, 2> pipe_{};
  mutable bool is_done_ = false;
};

} // namespace normdyn::test
