#include "normdyn/attention/weight_entry.hpp"

#include "normdyn/attention/panel_product.hpp"
#include "normdyn/core/error.hpp"
#include "normdyn/files/matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::attention {
namespace {

enum Part : std::size_t { query, key, value, output };
constexpr std::array<const char*, 4> part_names{"query", "key", "value", "output"};
constexpr std::array<const char*, 4> bias_names{"query_bias", "key_bias", "value_bias", "output_bias"};
constexpr std::array<const char*, 4> letters{"Q", "K", "V", "W_O"};
constexpr std::array purposes{core::Purpose::query_weights, core::Purpose::key_weights, core::Purpose::value_weights,
                              core::Purpose::output_weights};

Eigen::Index as_index(std::size_t size) {
  return static_cast<Eigen::Index>(size);
}

// left^T right, summed in our own order: Eigen's order depends on the caches of the machine.
Matrix transposed_product(const Matrix& left, const Matrix& right) {
  const auto depth = static_cast<std::size_t>(right.rows()), columns = static_cast<std::size_t>(right.cols());
  PanelMatrix panels;
  panels.resize(depth, columns);
  for (std::size_t r = 0; r < depth; ++r)
    panels.set_row(r, right.data() + r * columns);
  const Matrix rows = left.transpose();
  Matrix padded(rows.rows(), as_index(panels.padded_columns()));
  panels.multiply(rows.data(), static_cast<std::size_t>(rows.rows()), depth, depth, panels.n_panels(), padded.data(),
                  panels.padded_columns());
  return padded.leftCols(right.cols());
}

} // namespace

WeightEntry WeightEntry::read(core::Settings& table, const WeightContext& context, std::optional<std::size_t> n_heads) {
  static const std::vector<std::string> redraws{"never", "layer"};
  WeightEntry entry;
  entry.n_heads_ = n_heads.value_or(context.n_heads);
  entry.redraws_ = table.choice("redraw", redraws, "never") == "layer";
  if (table.has("file"))
    entry.read_file(table, context, n_heads);
  else
    entry.read_matrices(table, context);
  entry.check_shapes(table, context.dim);
  if (entry.redraws_ &&
      std::none_of(entry.matrices_.begin(), entry.matrices_.end(), [](const MatrixSource& m) { return m.is_drawn(); }))
    table.refuse("redraw", "\"layer\", but no matrix is drawn",
                 "give a matrix as { draw = \"gaussian\" }, or leave redraw out");
  return entry;
}

void WeightEntry::read_matrices(core::Settings& table, const WeightContext& context) {
  table.foreign("bias", "says whether the biases of a file are used, but there is no file here");
  const Eigen::Index dim = as_index(context.dim);
  for (std::size_t part = query; part <= output; ++part) {
    const std::optional<Shape> values = matrices_[value].shape();
    const Shape drawn{dim, part == output && values ? values->rows : dim};
    matrices_[part] = MatrixSource::read(table, part_names[part], purposes[part], drawn, context.dim, part == value);
    if (table.has(bias_names[part])) {
      const std::vector<double> numbers = table.numbers(bias_names[part]);
      biases_[part] = Eigen::Map<const Eigen::VectorXd>(numbers.data(), as_index(numbers.size()));
    } else {
      (void)table.raw(bias_names[part]); // a known key, for the nearest-name proposals
    }
  }
  if (matrices_[value].tie() && n_heads_ > 1)
    table.refuse("value", fmt::format("V = +-(Q^T K) is defined for one head, and there are {}", n_heads_),
                 "set attention.heads = 1, or give the value matrix");
}

void WeightEntry::read_file(core::Settings& table, const WeightContext& context, std::optional<std::size_t> n_heads) {
  for (std::size_t part = query; part <= output; ++part)
    for (const char* name : {part_names[part], bias_names[part]})
      table.foreign(name, "stands beside file, but the weights come either from a file or from the config");
  file_ = table.text("file");
  const bool with_bias = table.flag("bias", true);
  const std::string spec = files::resolved_spec(file_, context.folder);
  const files::WeightsGroup group = files::read_weights_group(spec);
  inputs_.push_back({files::split_spec(spec).path, table.path("file")});
  if (n_heads && *n_heads != group.n_heads)
    table.refuse("file", fmt::format("'{}' has {} heads, but attention.heads is {}", file_, group.n_heads, *n_heads),
                 "leave attention.heads out, or make it agree");
  n_heads_ = group.n_heads;
  for (std::size_t part = query; part <= output; ++part) {
    if (const files::MatrixData* data = group.find(part_names[part]))
      matrices_[part] =
          MatrixSource(Eigen::Map<const Matrix>(data->values.data(), as_index(data->rows), as_index(data->columns)));
    if (const files::MatrixData* data = with_bias ? group.find(bias_names[part]) : nullptr)
      biases_[part] = Eigen::Map<const Eigen::VectorXd>(data->values.data(), as_index(data->values.size()));
  }
}

void WeightEntry::check_shapes(const core::Settings& table, std::size_t dim_of_tokens) const {
  const Eigen::Index dim = as_index(dim_of_tokens), heads = as_index(n_heads_);
  const auto blame = [&](std::size_t part) { return file_.empty() ? part_names[part] : "file"; };
  std::array<Eigen::Index, n_parts> rows{};
  for (std::size_t part = query; part <= output; ++part) {
    const Eigen::Index columns = part == output ? rows[value] : dim;
    const Shape shape = matrices_[part].shape().value_or(Shape{columns, columns});
    rows[part] = shape.rows;
    if (shape.columns != columns)
      table.refuse(blame(part),
                   fmt::format("{} is {}, but {}", part_names[part], shape.text(),
                               part == output ? fmt::format("value is {} x {}", rows[value], dim)
                                              : fmt::format("tokens have dimension {}", dim)),
                   fmt::format("it needs {} columns", columns));
    if (part != output && shape.rows % heads != 0)
      table.refuse(blame(part),
                   fmt::format("{} is {}, which {} heads cannot share evenly", part_names[part], shape.text(), heads),
                   "the number of heads must divide the number of rows");
    if (biases_[part] && biases_[part]->size() != shape.rows)
      table.refuse(file_.empty() ? bias_names[part] : "file",
                   fmt::format("{} has {} numbers, but {} is {}", bias_names[part], biases_[part]->size(),
                               part_names[part], shape.text()));
  }
  if (rows[query] != rows[key])
    table.refuse(blame(key), fmt::format("key is {} x {}, but query is {} x {}", rows[key], dim, rows[query], dim),
                 "they need the same number of rows");
  if (rows[output] != dim)
    table.refuse(blame(matrices_[output].is_identity() ? value : output),
                 matrices_[output].is_identity()
                     ? fmt::format("value is {} x {}, and there is no output matrix", rows[value], dim)
                     : fmt::format("output is {} x {}, but tokens have dimension {}", rows[output], rows[value], dim),
                 fmt::format("the result needs {} rows", dim));
}

Weights WeightEntry::weights(std::uint64_t seed, std::uint64_t member, std::uint64_t layer) const {
  Weights weights{.n_heads = n_heads_};
  const std::array<Projection*, n_parts> parts{&weights.query, &weights.key, &weights.value, &weights.output};
  for (std::size_t part = query; part <= output; ++part)
    *parts[part] = {matrices_[part].matrix(seed, member, layer), biases_[part]};
  if (const MatrixSource::Tie* tie = matrices_[value].tie()) {
    const std::optional<Matrix>&q = weights.query.matrix, &k = weights.key.matrix;
    if (q && k)
      weights.value.matrix = tie->sign * transposed_product(*q, *k);
    else if (q)
      weights.value.matrix = tie->sign * q->transpose();
    else if (k)
      weights.value.matrix = tie->sign * *k;
  }
  return weights;
}

bool WeightEntry::is_identity() const {
  return n_heads_ == 1 &&
         std::all_of(matrices_.begin(), matrices_.end(), [](const MatrixSource& m) { return m.is_identity(); }) &&
         std::none_of(biases_.begin(), biases_.end(), [](const auto& bias) { return bias.has_value(); });
}

std::string WeightEntry::text() const {
  if (!file_.empty()) {
    const bool has_bias =
        std::any_of(biases_.begin(), biases_.end(), [](const auto& bias) { return bias.has_value(); });
    return fmt::format("{}, {}", file_, has_bias ? "with biases" : "without biases");
  }
  std::string text;
  for (std::size_t part = query; part <= output;) {
    std::string names = letters[part], form = matrices_[part].text();
    std::size_t next = part + 1;
    for (; next <= output && matrices_[next].text() == form && form != "given"; ++next)
      names += fmt::format(", {}", letters[next]);
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", names, form);
    part = next;
  }
  for (std::size_t part = query; part <= output; ++part)
    if (biases_[part])
      text += fmt::format("; {} bias", letters[part]);
  return redraws_ ? text + "; drawn in every layer" : text;
}

} // namespace normdyn::attention
