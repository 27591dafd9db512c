#include "patient_output.hpp"

#include "console.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace normdyn::cli {

void PatientOutput::print(const std::string& text) {
  errno = 0;
  const bool is_taken = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!is_taken && lost_ == 0)
    lost_ = errno != 0 ? errno : EIO;
}

ExitCode PatientOutput::ending() const {
  if (lost_ == 0 || lost_ == EPIPE)
    return ExitCode::done;
  print_problem(fmt::format("standard output cannot be written ({})", std::generic_category().message(lost_)));
  return ExitCode::file_trouble;
}

} // namespace normdyn::cli
