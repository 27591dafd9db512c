#pragma once
#include "verb.hpp"

#include <string>

namespace normdyn::cli {

/// Standard output of a verb that writes files as well: output that nobody takes (`| head`, a pager that was left, a
/// full disk) stops neither the work nor its files.
class PatientOutput final {
 public:
  /// Prints at once.
  void print(const std::string& text);
  /// done, also where the reader left, who had enough; file_trouble, with a message, where the output was lost
  /// otherwise.
  [[nodiscard]] ExitCode ending() const;

 private:
  int lost_ = 0; ///< the error number of the first write that failed
};

} // namespace normdyn::cli
