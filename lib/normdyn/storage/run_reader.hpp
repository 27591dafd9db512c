#pragma once
// Reads a run file: for `inspect`, for `run --from`, and for analyses. Refuses files of another program and newer major
// schema versions; trusts rows below frames_valid only.

#include "normdyn/storage/run_schema.hpp"

#include <memory>
#include <string>
#include <vector>

namespace normdyn::storage {

struct AxisInfo {
  std::int64_t rows = 0;
  double first = 0.0, last = 0.0;
};

class RunReader {
 public:
  /// Throws core::FileError in one line: no such file, no HDF5, another program's, of a newer major version.
  explicit RunReader(const std::string& path);
  RunReader(RunReader&&) noexcept;
  ~RunReader();

  /// Everything but the numbers of the weights (their names and shapes are there) and what says how to store
  /// (n_states, deflate, flush_seconds). `provenance` is empty: see facts().
  [[nodiscard]] const RunHeader& header() const;
  [[nodiscard]] Status status() const;
  [[nodiscard]] const std::string& stop_reason() const;
  [[nodiscard]] const std::vector<Fact>& facts() const; ///< all of /provenance, counts included
  [[nodiscard]] AxisInfo states() const;                ///< no rows in a file without states
  [[nodiscard]] AxisInfo observables() const;           ///< no rows in a file without observables
  [[nodiscard]] std::vector<EventRecord> events() const;

  [[nodiscard]] std::vector<double> state_times() const;
  [[nodiscard]] std::vector<double> series_times() const;
  // A negative row counts from the end: -1 is the last one.
  [[nodiscard]] std::vector<double> theta(std::int64_t row) const;  ///< n x d
  [[nodiscard]] std::vector<double> radius(std::int64_t row) const; ///< n, or empty
  /// All rows of one recorded variable, row by row; also "step" (or "layer"). Missing values: NaN, -1 for integers.
  [[nodiscard]] std::vector<double> series(const std::string& name) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

} // namespace normdyn::storage
