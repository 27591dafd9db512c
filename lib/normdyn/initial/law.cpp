#include "normdyn/initial/law.hpp"

#include "normdyn/files/matrix_file.hpp"
#include "normdyn/geometry/sphere.hpp"

#include <fmt/format.h>

namespace normdyn::initial {
namespace {

constexpr std::int64_t most_tokens = 100'000'000;

std::size_t read_size(core::Settings& section, const char* key, const char* variable) {
  const std::int64_t size = section.integer(key, {.at_least = 1, .at_most = most_tokens});
  section.define(variable, static_cast<double>(size));
  return static_cast<std::size_t>(size);
}

void check_size(core::Settings& section, const char* key, const char* variable, std::size_t size) {
  section.define(variable, static_cast<double>(size));
  if (!section.has(key))
    return;
  const std::int64_t given = section.integer(key);
  if (given != static_cast<std::int64_t>(size))
    section.refuse(key, fmt::format("{} is given, but the tokens have {} = {}", given, variable, size),
                   "leave this key out");
}

} // namespace

Draft empty_draft(core::Settings& section) {
  Draft draft;
  // A formula for one of them may use the other.
  const core::Value* dim = section.raw("dim");
  if (dim && dim->is_text()) {
    draft.n_tokens = read_size(section, "tokens", "n");
    draft.dim = read_size(section, "dim", "d");
  } else {
    draft.dim = read_size(section, "dim", "d");
    draft.n_tokens = read_size(section, "tokens", "n");
  }
  return draft;
}

void make_rows(core::Settings& section, Draft& draft) {
  const double bytes = 8.0 * static_cast<double>(draft.n_tokens) * static_cast<double>(draft.dim);
  try {
    draft.x.assign(draft.n_tokens * draft.dim, 0.0);
  } catch (const std::exception&) { // bad_alloc, or more than a vector can hold
    section.refuse("tokens",
                   fmt::format("{} tokens of dimension {} take {:.3g} GB, and there is not so much memory",
                               draft.n_tokens, draft.dim, bytes / 1e9),
                   "take fewer tokens, or a smaller dimension");
  }
}

Draft sized_draft(core::Settings& section, std::int64_t least_dim, std::string_view why) {
  Draft draft = empty_draft(section);
  if (static_cast<std::int64_t>(draft.dim) < least_dim)
    section.refuse("dim", fmt::format("{} is too small: {}", draft.dim, why),
                   fmt::format("the least is {}", least_dim));
  make_rows(section, draft);
  return draft;
}

void define_sizes(core::Settings& section, const Draft& draft) {
  check_size(section, "tokens", "n", draft.n_tokens);
  check_size(section, "dim", "d", draft.dim);
}

core::RandomStream token_stream(const InitialContext& context, std::size_t token) {
  return {context.seed, core::Purpose::token_direction, context.member, token};
}

void draw_normals(core::RandomStream& stream, std::span<double> out) {
  for (double& value : out)
    value = stream.normal();
}

void draw_direction(core::RandomStream& stream, std::span<double> out) {
  draw_normals(stream, out);
  geometry::normalize(out);
}

void draw_orthogonal_direction(core::RandomStream& stream, std::span<const double> axis, std::span<double> out) {
  draw_normals(stream, out);
  for (int pass = 0; pass < 2; ++pass) { // the second removes what rounding left
    geometry::project_tangent(axis, out, out);
    geometry::normalize(out);
  }
}

std::vector<std::string> read_labels(core::Settings& section, const InitialContext& context,
                                     std::vector<InitialInput>& inputs) {
  const core::Value* given = section.raw("labels");
  if (!given)
    return {};
  if (!given->is_array()) {
    const std::string spec = files::resolved_spec(section.text("labels"), context.folder);
    inputs.push_back({files::split_spec(spec).path, section.path("labels")});
    return files::read_strings(spec);
  }
  std::vector<std::string> labels;
  for (const core::Value& item : given->array()) {
    if (!item.is_text())
      section.refuse("labels", fmt::format("{} is no text", core::toml_text(item)),
                     "write [\"first\", \"second\", ...]");
    labels.push_back(item.text());
  }
  return labels;
}

} // namespace normdyn::initial
