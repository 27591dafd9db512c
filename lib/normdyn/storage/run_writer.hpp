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
  /// Creates the file and the folders it stands in. Throws InputError if it exists and `overwrite` is false, if it is
  /// being written by another run, if it is one of the header's inputs, or if it is no plain file; FileError if it
  /// cannot be made. With `overwrite`, the old file stays until the new one has its header. Until then nothing stands
  /// under the final name: a run that dies early leaves no broken file.
  RunWriter(const std::string& path, const RunHeader& header, bool overwrite);
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;
  ~RunWriter(); ///< without finish(): commits what it can, the file keeps status "running"; never throws

  // When one of these throws core::FileError (a full disk), the file stays as of its last commit, and every later call
  // throws as well.

  /// Times increase strictly. `radius` is empty where the scheme carries none.
  void state(double time, std::int64_t layer, std::span<const double> theta, std::span<const double> radius);
  /// `values`: the series' values one after the other (sum of widths).
  void series(double time, std::int64_t layer, std::span<const double> values);
  void event(const EventRecord& event);
  /// Commits what is buffered: rows and a flush, then frames_valid and series_valid and a flush, so that what these
  /// count is on the disk before they count it. At most once per flush_seconds unless forced. Compressed states are
  /// committed in whole chunks of 32 rows only (a chunk that grew would move, and a crash could lose it).
  void commit(bool force = false);
  /// Commits everything, then the end, closes the file and makes it read-only.
  void finish(const RunEnd& end);
  [[nodiscard]] const std::string& path() const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

} // namespace normdyn::storage
