#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

namespace normdyn::initial {

Law gaussian_law() {
  return {"gaussian", {"std"}, [](core::Settings& section, const InitialContext& context) {
            Draft draft = sized_draft(section);
            const double deviation = section.number("std", {.fallback = 1.0, .above = 0.0});
            for (std::size_t j = 0; j < draft.n_tokens; ++j) {
              core::RandomStream stream = token_stream(context, j);
              draw_normals(stream, draft.row(j));
              for (double& value : draft.row(j))
                value *= deviation;
            }
            draft.has_norms = true;
            draft.generator = fmt::format("gaussian X(0), standard deviation {}", deviation);
            return draft;
          }};
}

} // namespace normdyn::initial
