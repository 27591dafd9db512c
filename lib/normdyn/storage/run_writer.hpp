#pragma once
// Writes a run file. The file is self-describing from the first flush on (status "running"), readable after a crash up
// to `frames_valid`, and read-only once finished.

#include "normdyn/storage/run_schema.hpp"

#include <memory>
#include <span>
#include <string>

namespace normdyn::storage {

class RunWriter {
 public:
  /// Creates the file. Throws InputError if it exists and `overwrite` is false, or if it is being written by another run;
  /// FileError if it cannot be made. With `overwrite`, the old file stays until the new one has its header.
  RunWriter(const std::string& path, const RunHeader& header, bool overwrite);
  RunWriter(RunWriter&&) noexcept;
  ~RunWriter(); ///< without finish(): the file keeps status "running"; never throws

  /// Times increase strictly. `radius` is empty where the scheme carries none.
  void state(double time, std::int64_t layer, std::span<const double> theta, std::span<const double> radius);
  /// `values`: the series' values one after the other (sum of widths).
  void series(double time, std::int64_t layer, std::span<const double> values);
  void event(const EventRecord& event);
  /// Commits what is buffered: rows, then frames_valid, then a flush; at most once per flush_seconds unless forced.
  void commit(bool force = false);
  void finish(const RunEnd& end);

 private:
  struct File;
  std::unique_ptr<File> file_;
};

} // namespace normdyn::storage
