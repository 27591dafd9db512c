#pragma once
// What a call says when it fails, and what it prints.

#include "normdyn/core/error.hpp"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace normdyn::test {

/// The text of the error of the given type that `call` throws, or "" when it throws none.
template <class Error, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// Everything written to the process's standard error while `call` runs.
template <class Call>
std::string stderr_of(Call&& call) {
  std::FILE* const file = std::tmpfile();
  const int saved = dup(STDERR_FILENO);
  std::fflush(stderr);
  dup2(fileno(file), STDERR_FILENO);
  call();
  std::fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

[[nodiscard]] inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace normdyn::test
