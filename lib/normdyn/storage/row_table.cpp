#include "normdyn/storage/row_table.hpp"

#include "normdyn/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace normdyn::storage {
namespace {

template <class T>
std::vector<T> converted(std::span<const double> values) {
  std::vector<T> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(), [](double value) {
    if constexpr (std::is_integral_v<T>)
      return std::isfinite(value) ? static_cast<T>(value) : T{-1};
    else
      return static_cast<T>(value);
  });
  return out;
}

} // namespace

std::size_t RowTable::add(files::Dataset dataset, std::size_t width, Element element) {
  columns_.push_back({std::move(dataset), width, element, {}});
  return columns_.size() - 1;
}

void RowTable::push(std::size_t column, std::span<const double> row) {
  core::believe(row.size() == columns_[column].width, "a row has the width of its dataset");
  std::vector<double>& buffer = columns_[column].buffer;
  buffer.insert(buffer.end(), row.begin(), row.end());
}

std::size_t RowTable::n_buffered() const {
  std::size_t rows = columns_.empty() ? 0 : SIZE_MAX;
  for (const Column& column : columns_)
    rows = std::min(rows, column.buffer.size() / column.width);
  return rows;
}

void RowTable::append(Column& column, std::size_t n_rows) {
  const std::size_t n_values = n_rows * column.width;
  const std::span<const double> values = std::span<const double>(column.buffer).first(n_values);
  switch (column.element) {
  case Element::real:
    column.dataset.append<double>(values);
    break;
  case Element::real32:
    column.dataset.append<float>(converted<float>(values));
    break;
  case Element::integer:
    column.dataset.append<std::int64_t>(converted<std::int64_t>(values));
    break;
  case Element::integer32:
    column.dataset.append<std::int32_t>(converted<std::int32_t>(values));
    break;
  }
  column.buffer.erase(column.buffer.begin(), column.buffer.begin() + static_cast<std::ptrdiff_t>(n_values));
}

void RowTable::write(bool all) {
  const std::size_t ready = n_buffered();
  const std::size_t end = all ? n_written_ + ready : (n_written_ + ready) / block_ * block_;
  if (end <= n_written_)
    return;
  for (Column& column : columns_)
    append(column, end - n_written_);
  n_written_ = end;
}

} // namespace normdyn::storage
