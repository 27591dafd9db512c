#include "patient_threads.hpp"

#include <unistd.h>

#include <cstdlib>

namespace normdyn::cli {

void wait_without_spinning(char** arguments) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr)
    return;
  if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
    execv("/proc/self/exe", arguments);
}

} // namespace normdyn::cli
