#pragma once
// The name of an output file, and the promise that nothing is destroyed by accident: a new file is made beside it and
// gets the name in one step.

#include "normdyn/storage/run_schema.hpp"

#include <span>
#include <string>

namespace normdyn::storage {

class OutputPath final {
 public:
  /// Throws as RunWriter's constructor does. Makes missing folders.
  OutputPath(std::string path, bool overwrite, std::span<const RunInput> inputs);
  OutputPath(const OutputPath&) = delete;
  OutputPath& operator=(const OutputPath&) = delete;
  ~OutputPath(); ///< removes what was not published

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& temporary() const { return temporary_; } ///< unique, in the same folder
  /// Gives the temporary file the final name. Refuses if another file took it meanwhile (and `overwrite` is false) or
  /// if another run is writing it.
  void publish();

 private:
  void require_free() const;
  std::string path_, temporary_;
  bool overwrite_;
  bool published_ = false;
};

} // namespace normdyn::storage
