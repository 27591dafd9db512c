#pragma once
// A time axis of a run file: `time` or `observable_time`, with step (or layer) and wall time, and all that lies on it.

#include "normdyn/storage/row_table.hpp"
#include "normdyn/storage/run_schema.hpp"

#include <optional>
#include <string>

namespace normdyn::storage {

/// Rows of one time axis, with the times themselves.
class TimeAxis final {
 public:
  /// `prefix` is "" for the axis `time`, "observable_" for `observable_time`.
  TimeAxis(files::Group& root, const std::string& prefix, const RunHeader& header, std::size_t block, bool with_wall);
  /// A dataset on this axis; `shape` is that of a row. Returns its column number.
  std::size_t add(files::Group& root, const std::string& name, const files::Shape& shape, Element element,
                  files::Storage storage);
  /// Begins the row of this time, unless it has begun already (states and observables share it).
  void begin_row(double time, std::int64_t layer, double wall_seconds);
  [[nodiscard]] RowTable& rows() { return rows_; }
  [[nodiscard]] const RowTable& rows() const { return rows_; }
  [[nodiscard]] const files::Dataset& scale() const { return scale_; }
  [[nodiscard]] const std::string& coordinates() const { return coordinates_; } ///< for the attribute of variables

 private:
  RowTable rows_;
  files::Dataset scale_;
  std::string coordinates_;
  std::size_t time_ = 0, step_ = 0;
  std::optional<std::size_t> wall_;
  std::optional<double> last_;
};

} // namespace normdyn::storage
