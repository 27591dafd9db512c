#include "normdyn/geometry/sphere.hpp"
#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

namespace normdyn::initial {
namespace {

// Gram-Schmidt on normal vectors is Haar measure, and its first rows do not depend on how many follow. Twice, so that
// the rows are orthogonal to rounding.
void draw_orthonormal_rows(Draft& draft, const InitialContext& context) {
  for (std::size_t j = 0; j < draft.n_tokens; ++j) {
    core::RandomStream stream = token_stream(context, j);
    draw_direction(stream, draft.row(j));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < j; ++i)
        geometry::project_tangent(draft.row(i), draft.row(j), draft.row(j));
      geometry::normalize(draft.row(j));
    }
  }
}

} // namespace

Law orthogonal_law() {
  return {"orthogonal", {"rotate"}, [](core::Settings& section, const InitialContext& context) {
            Draft draft = empty_draft(section);
            if (draft.n_tokens > draft.dim)
              section.refuse(
                  "tokens", fmt::format("{} orthogonal tokens do not exist in dimension {}", draft.n_tokens, draft.dim),
                  fmt::format("take at most {} tokens, or dim >= {}", draft.dim, draft.n_tokens));
            const bool rotated = section.flag("rotate", false);
            draft.generator = rotated ? "orthonormal tokens, randomly rotated" : "basis vectors";
            if (context.without_tokens)
              return draft;
            make_rows(section, draft);
            if (rotated)
              draw_orthonormal_rows(draft, context);
            else
              for (std::size_t j = 0; j < draft.n_tokens; ++j)
                draft.row(j)[j] = 1.0;
            return draft;
          }};
}

} // namespace normdyn::initial
