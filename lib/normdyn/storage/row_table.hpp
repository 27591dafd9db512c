#pragma once
// Datasets that grow together along one time axis. Rows are buffered, and written to all datasets at once: no dataset
// is ever longer than what was written into it.

#include "normdyn/files/hdf5.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace normdyn::storage {

enum class Element { real, real32, integer, integer32 };

class RowTable final {
 public:
  /// Rows go to the file in groups that end at multiples of `block` (rows of a chunk).
  explicit RowTable(std::size_t block = 1) : block_(block) {}

  /// Adds a dataset whose rows hold `width` numbers; returns its column number.
  std::size_t add(files::Dataset dataset, std::size_t width, Element element);
  [[nodiscard]] bool empty() const { return columns_.empty(); }

  /// One more row of a column; what is not finite is the missing value -1 in integer columns.
  void push(std::size_t column, std::span<const double> row);
  void push(std::size_t column, double value) { push(column, std::span<const double>(&value, 1)); }

  /// Writes the rows that all columns have. Unless `all`, only whole blocks.
  void write(bool all);
  [[nodiscard]] bool has_block() const { return n_buffered() >= block_ - n_written_ % block_; }
  [[nodiscard]] std::int64_t n_written() const { return static_cast<std::int64_t>(n_written_); }
  /// Rows that every column has and the file does not.
  [[nodiscard]] std::size_t n_buffered() const;

 private:
  struct Column {
    files::Dataset dataset;
    std::size_t width;
    Element element;
    std::vector<double> buffer;
  };
  static void append(Column& column, std::size_t n_rows);

  std::size_t block_;
  std::size_t n_written_ = 0;
  std::vector<Column> columns_;
};

} // namespace normdyn::storage
