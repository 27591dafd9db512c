#include "normdyn/attention/panel_product.hpp"

#include "normdyn/attention/lanes.hpp"

#include <algorithm>

namespace normdyn::attention {
namespace {

constexpr std::size_t chunk = 128;

// `Rows` rows times one panel of Vectors * 8 columns over one chunk of the depth; sums stay in registers.
template <std::size_t Rows, std::size_t Vectors>
[[gnu::always_inline]] inline void multiply_tile(const double* rows, std::size_t row_stride, const double* panel,
                                                 std::size_t depth, bool first, double* out, std::size_t out_stride) {
  Lanes sum[Rows][Vectors] = {};
  for (std::size_t c = 0; c < depth; ++c) {
    const LanesInMemory* column = reinterpret_cast<const LanesInMemory*>(panel + c * Vectors * n_lanes);
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t v = 0; v < Vectors; ++v)
        sum[r][v] += rows[r * row_stride + c] * column[v];
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    LanesInMemory* target = reinterpret_cast<LanesInMemory*>(out + r * out_stride);
    for (std::size_t v = 0; v < Vectors; ++v)
      target[v] = first ? sum[r][v] : target[v] + sum[r][v];
  }
}

template <std::size_t Vectors>
[[gnu::always_inline]] inline void multiply_panel(const double* rows, std::size_t n_rows, std::size_t row_stride,
                                                  const double* panel, std::size_t depth, double* out,
                                                  std::size_t out_stride) {
  for (std::size_t begin = 0; begin == 0 || begin < depth; begin += chunk) {
    const std::size_t length = std::min(chunk, depth - begin);
    const double* part = panel + begin * Vectors * n_lanes;
    std::size_t r = 0;
    for (; r + 4 <= n_rows; r += 4)
      multiply_tile<4, Vectors>(rows + r * row_stride + begin, row_stride, part, length, begin == 0,
                                out + r * out_stride, out_stride);
    for (; r < n_rows; ++r)
      multiply_tile<1, Vectors>(rows + r * row_stride + begin, row_stride, part, length, begin == 0,
                                out + r * out_stride, out_stride);
  }
}

NORMDYN_EACH_TARGET void multiply_by_16(const double* rows, std::size_t n_rows, std::size_t row_stride,
                                        const double* panel, std::size_t depth, double* out, std::size_t out_stride) {
  multiply_panel<2>(rows, n_rows, row_stride, panel, depth, out, out_stride);
}

NORMDYN_EACH_TARGET void multiply_by_8(const double* rows, std::size_t n_rows, std::size_t row_stride,
                                       const double* panel, std::size_t depth, double* out, std::size_t out_stride) {
  multiply_panel<1>(rows, n_rows, row_stride, panel, depth, out, out_stride);
}

} // namespace

void PanelMatrix::resize(std::size_t depth, std::size_t columns) {
  if (depth == depth_ && columns == columns_)
    return;
  depth_ = depth;
  columns_ = columns;
  width_ = columns <= n_lanes ? n_lanes : 2 * n_lanes;
  n_panels_ = (columns + width_ - 1) / width_;
  values_.assign(depth_ * padded_columns(), 0.0);
}

void PanelMatrix::set_column(std::size_t column, const double* values) {
  double* target = values_.data() + (column / width_) * depth_ * width_ + column % width_;
  for (std::size_t c = 0; c < depth_; ++c)
    target[c * width_] = values[c];
}

void PanelMatrix::set_row(std::size_t row, const double* values) {
  for (std::size_t p = 0; p < n_panels_; ++p) {
    const std::size_t begin = p * width_;
    std::copy(values + begin, values + std::min(begin + width_, columns_),
              values_.data() + (p * depth_ + row) * width_);
  }
}

void PanelMatrix::multiply(const double* rows, std::size_t n_rows, std::size_t row_stride, std::size_t depth,
                           std::size_t end_panel, double* out, std::size_t out_stride) const {
  const auto kernel = width_ == n_lanes ? multiply_by_8 : multiply_by_16;
  for (std::size_t p = 0; p < end_panel; ++p)
    kernel(rows, n_rows, row_stride, values_.data() + p * depth_ * width_, depth, out + p * width_, out_stride);
}

} // namespace normdyn::attention
