#include "normdyn/files/matrix_file.hpp"
#include "normdyn/initial/laws.hpp"
#include "normdyn/initial/row_selection.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace normdyn::initial {
namespace {

// Subtracts the mean of the rows.
void center(Draft& draft) {
  for (std::size_t c = 0; c < draft.dim; ++c) {
    double sum = 0.0;
    for (std::size_t j = 0; j < draft.n_tokens; ++j)
      sum += draft.row(j)[c];
    for (std::size_t j = 0; j < draft.n_tokens; ++j)
      draft.row(j)[c] -= sum / static_cast<double>(draft.n_tokens);
  }
}

void select_labels(core::Settings& section, const InitialContext& context, std::size_t n_rows, Draft& draft) {
  const std::vector<std::string> labels = read_labels(section, context, draft.inputs);
  if (labels.empty())
    return;
  if (labels.size() == draft.n_tokens && draft.n_tokens != n_rows) {
    draft.labels = labels;
    return;
  }
  if (labels.size() != n_rows)
    section.refuse("labels",
                   fmt::format("{} labels for {} rows, of which {} are taken", labels.size(), n_rows, draft.n_tokens),
                   "give a label for each row of the file, or for each row taken");
  for (const std::size_t row : draft.source_rows)
    draft.labels.push_back(labels[row]);
}

Draft read(core::Settings& section, const InitialContext& context) {
  const std::string written = section.text("file");
  const std::string spec = files::resolved_spec(written, context.folder);
  const files::MatrixData data = files::read_matrix(spec);
  Draft draft;
  draft.source_key = "file";
  draft.inputs.push_back({files::split_spec(spec).path, section.path("file")});
  if (data.rows == 0 || data.columns == 0)
    section.refuse("file", fmt::format("'{}' has {} rows of {} numbers", written, data.rows, data.columns),
                   "tokens are its rows");
  if (!data.header.empty()) // a row that was meant as numbers would be missed
    draft.note = fmt::format("the first line of {} is a header, no token: '{}'", written,
                             data.header.size() > 60 ? data.header.substr(0, 57) + "..." : data.header);
  draft.source_rows = read_rows(section, "rows", data.rows);
  draft.n_tokens = draft.source_rows.size();
  draft.dim = data.columns;
  draft.has_norms = true;
  draft.x.resize(draft.n_tokens * draft.dim);
  for (std::size_t j = 0; j < draft.n_tokens; ++j)
    std::copy_n(data.values.begin() + static_cast<std::ptrdiff_t>(draft.source_rows[j] * data.columns), data.columns,
                draft.row(j).begin());
  define_sizes(section, draft);
  select_labels(section, context, data.rows, draft);
  const bool centered = section.flag("center", false);
  if (centered)
    center(draft);
  draft.generator = fmt::format("file {}{}", written, centered ? ", centered" : "");
  return draft;
}

} // namespace

Law file_law() {
  return {"file", {"file", "rows", "labels", "center"}, read};
}

} // namespace normdyn::initial
