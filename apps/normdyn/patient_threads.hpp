#pragma once

namespace normdyn::cli {

/// Makes waiting threads sleep instead of spin: spinning threads of several programs on one machine slow each other
/// many times over. The OpenMP runtime reads OMP_WAIT_POLICY before main, so the program starts itself once more with
/// it set; does nothing where the user has chosen a policy. Returns if it cannot.
void wait_without_spinning(char** arguments);

} // namespace normdyn::cli
