#include "normdyn/geometry/sphere.hpp"
#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::initial {
namespace {

constexpr double allowed_norm_error = 1e-5; // data rounded to six digits
constexpr double rounding = 1e-14;          // of data written with all digits: not worth a note

// Settings::rows refuses these too, but cannot say where they stand.
void refuse_non_finite(core::Settings& section, const char* key) {
  const core::Value* value = section.raw(key);
  if (!value || !value->is_array())
    return;
  for (std::size_t j = 0; j < value->array().size(); ++j)
    if (const core::Value& row = value->array()[j]; row.is_array())
      for (std::size_t c = 0; c < row.array().size(); ++c)
        if (const core::Value& item = row.array()[c]; item.is_number() && !std::isfinite(item.number()))
          section.refuse(key, fmt::format("row {} has {} in column {}", j, item.number(), c),
                         "tokens need finite numbers");
}

Draft read(core::Settings& section, const InitialContext& context) {
  if (section.has("theta") == section.has("x"))
    section.refuse("theta", section.has("x") ? "is given, and x too" : "is missing",
                   "give unit tokens as theta = [[...], ...], or tokens with norms as x = [[...], ...]");
  const char* key = section.has("x") ? "x" : "theta";
  refuse_non_finite(section, key);
  const std::vector<std::vector<double>> rows = section.rows(key);
  if (rows.front().empty())
    section.refuse(key, "the tokens have no components", "dim is at least 1");
  Draft draft;
  draft.source_key = key;
  draft.has_norms = section.has("x");
  draft.n_tokens = rows.size();
  draft.dim = rows.front().size();
  define_sizes(section, draft);
  draft.labels = read_labels(section, context, draft.inputs);
  if (!draft.labels.empty() && draft.labels.size() != draft.n_tokens)
    section.refuse("labels", fmt::format("{} labels for {} tokens", draft.labels.size(), draft.n_tokens));
  double worst = 0.0;
  for (std::size_t j = 0; j < draft.n_tokens; ++j) {
    draft.x.insert(draft.x.end(), rows[j].begin(), rows[j].end());
    const double norm = geometry::norm(rows[j]), error = std::abs(norm - 1.0);
    if (!draft.has_norms && norm > 0.0 && !(error <= allowed_norm_error))
      section.refuse(key, fmt::format("row {} has norm {:.6g}, but theta holds unit vectors", j, norm),
                     "normalize it, or write x instead of theta to keep the norms as radii");
    worst = std::max(worst, error);
  }
  if (!draft.has_norms && worst > rounding)
    draft.note = fmt::format("explicit tokens renormalized, norms were off by up to {:.2g}", worst);
  draft.generator = "explicit";
  return draft;
}

} // namespace

Law explicit_law() {
  return {"explicit", {"theta", "x", "labels"}, read};
}

} // namespace normdyn::initial
