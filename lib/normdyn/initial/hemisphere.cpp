#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::initial {

Law hemisphere_law() {
  return {"hemisphere", {}, [](core::Settings& section, const InitialContext& context) {
            Draft draft = sized_draft(section, 2, "half of a sphere of two points is one point");
            for (std::size_t j = 0; j < draft.n_tokens; ++j) {
              core::RandomStream stream = token_stream(context, j);
              draw_direction(stream, draft.row(j));
              draft.row(j)[0] = std::abs(draft.row(j)[0]);
            }
            draft.generator = fmt::format("uniform on a half of S^{}", draft.dim - 1);
            return draft;
          }};
}

} // namespace normdyn::initial
