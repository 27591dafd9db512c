#include "normdyn/attention/matrix_source.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::attention {
namespace {

Matrix read_matrix(core::Settings& section, const char* key) {
  const std::vector<std::vector<double>> rows = section.rows(key);
  Matrix matrix(rows.size(), rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy(rows[i].begin(), rows[i].end(), matrix.row(static_cast<Eigen::Index>(i)).begin());
  return matrix;
}

MatrixSource::Tie read_tie(core::Settings& table) {
  static const std::vector<std::string> ties{"query_key"};
  (void)table.choice("tie", ties);
  const std::int64_t sign = table.integer("sign", {.fallback = 1});
  if (sign != 1 && sign != -1)
    table.refuse("sign", fmt::format("{} is neither 1 nor -1", sign));
  table.foreign("draw", "stands beside tie, but the matrix is either drawn or tied");
  return {static_cast<double>(sign)};
}

MatrixSource::Draw read_draw(core::Settings& table, core::Purpose purpose, Shape shape, std::size_t dim) {
  std::vector<std::string> names;
  for (const MatrixLaw& law : matrix_laws())
    names.push_back(law.name);
  const std::string name = table.choice("draw", names);
  const MatrixLaw& law =
      *std::find_if(matrix_laws().begin(), matrix_laws().end(), [&](const MatrixLaw& l) { return l.name == name; });
  for (const char* parameter : {"std", "gain", "scale"})
    if (parameter != law.parameter)
      table.foreign(parameter, fmt::format("is no parameter of the draw {}, which has {}", name, law.parameter));
  const double usual = law.falls_with_dim ? 1.0 / std::sqrt(static_cast<double>(dim)) : 1.0;
  const double parameter = table.number(law.parameter, {.fallback = usual, .above = 0.0});
  if (law.is_square && shape.rows != shape.columns)
    table.refuse("draw", fmt::format("{} makes square matrices, but this one is {}", name, shape.text()));
  return {&law, parameter, purpose, shape};
}

} // namespace

std::string Shape::text() const {
  return fmt::format("{} x {}", rows, columns);
}

MatrixSource MatrixSource::read(core::Settings& section, const char* key, core::Purpose purpose, Shape drawn,
                                std::size_t dim, bool may_tie) {
  MatrixSource source;
  const core::Value* given = section.raw(key);
  if (!given) {
    section.record(key, "identity", true);
  } else if (given->is_array()) {
    source.form_ = read_matrix(section, key);
  } else if (given->is_table()) {
    core::Settings table = section.section(key);
    if (!may_tie)
      table.foreign("tie", "only the value matrix can be tied");
    if (may_tie && table.has("tie"))
      source.form_ = read_tie(table);
    else
      source.form_ = read_draw(table, purpose, drawn, dim);
  } else if (!given->is_text() || given->text() != "identity") {
    section.refuse(key, fmt::format("{} is no matrix", core::toml_text(*given)),
                   "write \"identity\", rows [[1, 0], [0, 1]] or { draw = \"gaussian\" }");
  } else {
    section.record(key, "identity", true);
  }
  return source;
}

std::optional<Shape> MatrixSource::shape() const {
  if (const Matrix* matrix = std::get_if<Matrix>(&form_))
    return Shape{matrix->rows(), matrix->cols()};
  if (const Draw* draw = std::get_if<Draw>(&form_))
    return draw->shape;
  return {};
}

std::optional<Matrix> MatrixSource::matrix(std::uint64_t seed, std::uint64_t member, std::uint64_t layer) const {
  if (const Matrix* matrix = std::get_if<Matrix>(&form_))
    return *matrix;
  if (const Draw* draw = std::get_if<Draw>(&form_))
    return draw->law->draw(draw->shape.rows, draw->shape.columns, draw->parameter,
                           {seed, member, draw->purpose, layer});
  return {};
}

std::string MatrixSource::text() const {
  if (const Draw* draw = std::get_if<Draw>(&form_))
    return fmt::format("{} ({} {:.6g})", draw->law->name, draw->law->parameter, draw->parameter);
  if (const Tie* tie = std::get_if<Tie>(&form_))
    return tie->sign > 0.0 ? "Q^T K" : "-Q^T K";
  return is_identity() ? "identity" : "given";
}

} // namespace normdyn::attention
