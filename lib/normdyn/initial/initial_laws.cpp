#include "normdyn/initial/initial_state.hpp"

#include "normdyn/core/error.hpp"
#include "normdyn/geometry/sphere.hpp"
#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace normdyn::initial {
namespace {

const std::vector<Law>& all_laws() {
  static const std::vector<Law> laws{
      uniform_law(),    gaussian_law(),         orthogonal_law(), equiangular_law(), cone_law(),
      hemisphere_law(), von_mises_fisher_law(), ring_law(),       explicit_law(),    file_law(),
  };
  return laws;
}

void mark_foreign_options(core::Settings& section, const Law& chosen) {
  for (const Law& law : all_laws())
    for (const std::string& option : law.options) {
      if (std::find(chosen.options.begin(), chosen.options.end(), option) != chosen.options.end())
        continue;
      std::vector<std::string> owners;
      for (const Law& other : all_laws())
        if (std::find(other.options.begin(), other.options.end(), option) != other.options.end())
          owners.push_back(other.name);
      section.foreign(option, fmt::format("is an option of the law {}, and this study's law is {}",
                                          core::listed(owners), chosen.name));
    }
}

// "row 3" or "row 3 ('the')": the row as the user counts it, from 0.
std::string row_name(const Draft& draft, std::size_t token) {
  const std::size_t row = draft.source_rows.empty() ? token : draft.source_rows[token];
  return draft.labels.empty() ? fmt::format("row {}", row) : fmt::format("row {} ('{}')", row, draft.labels[token]);
}

void require_directions(const core::Settings& section, const Draft& draft) {
  for (std::size_t j = 0; j < draft.n_tokens; ++j) {
    const std::span<const double> x = std::span(draft.x).subspan(j * draft.dim, draft.dim);
    for (std::size_t c = 0; c < draft.dim; ++c)
      if (!std::isfinite(x[c]))
        section.refuse(draft.source_key, fmt::format("{} has {} in column {}", row_name(draft, j), x[c], c),
                       "tokens need finite numbers");
    const double norm = geometry::norm(x);
    if (!(norm > 0.0))
      section.refuse(draft.source_key, fmt::format("{} is zero and has no direction", row_name(draft, j)),
                     "leave it out, or change it");
    if (!std::isfinite(norm))
      section.refuse(draft.source_key,
                     fmt::format("the norm of {} is beyond the range of numbers", row_name(draft, j)));
  }
}

// r_j(0): the rows' own norms, 1, one number, or a list with a number for each token.
geometry::State read_radius(core::Settings& section, const Draft& draft) {
  const std::string fallback = draft.has_norms ? "keep" : "unit";
  const core::Value* given = section.raw("norms");
  if (given && given->is_array()) {
    const std::vector<double> radius = section.numbers("norms", {.above = 0.0});
    if (radius.size() != draft.n_tokens)
      section.refuse("norms", fmt::format("{} numbers for {} tokens", radius.size(), draft.n_tokens),
                     "give one number for each token, or one for all");
    return {radius.begin(), radius.end()};
  }
  geometry::State radius(draft.n_tokens, 1.0);
  if (given && (!given->is_text() || (given->text() != "keep" && given->text() != "unit"))) {
    try {
      std::fill(radius.begin(), radius.end(), section.number("norms", {.above = 0.0}));
    } catch (const core::InputError& error) {
      if (!given->is_text())
        throw;
      section.refuse("norms",
                     fmt::format("'{}' is neither keep nor unit, and no number: {}", given->text(), error.problem()),
                     "write \"keep\", \"unit\", a number, or a list with a number for each token");
    }
    return radius;
  }
  if (section.text("norms", fallback) == "keep" && draft.has_norms)
    for (std::size_t j = 0; j < draft.n_tokens; ++j)
      radius[j] = geometry::norm(std::span(draft.x).subspan(j * draft.dim, draft.dim));
  return radius;
}

} // namespace

std::vector<std::string> initial_law_names() {
  std::vector<std::string> names;
  for (const Law& law : all_laws())
    names.push_back(law.name);
  return names;
}

InitialState read_initial(core::Settings& config, const InitialContext& context) {
  core::Settings section = config.section("initial");
  const std::string kind = section.choice("kind", initial_law_names());
  const Law& law = *std::find_if(all_laws().begin(), all_laws().end(), [&](const Law& l) { return l.name == kind; });
  mark_foreign_options(section, law);
  Draft draft = law.read(section, context);
  const bool has_tokens = !draft.x.empty();
  if (has_tokens)
    require_directions(section, draft);

  InitialState state;
  state.n_tokens = draft.n_tokens;
  state.dim = draft.dim;
  state.radius = read_radius(section, draft);
  state.theta = std::move(draft.x);
  for (std::size_t j = 0; has_tokens && j < state.n_tokens; ++j)
    geometry::normalize(std::span(state.theta).subspan(j * state.dim, state.dim));
  state.labels = std::move(draft.labels);
  state.generator = std::move(draft.generator);
  state.note = std::move(draft.note);
  state.inputs = std::move(draft.inputs);
  return state;
}

} // namespace normdyn::initial
