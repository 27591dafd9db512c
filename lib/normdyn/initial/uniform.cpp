#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

namespace normdyn::initial {

Law uniform_law() {
  return {"uniform", {}, [](core::Settings& section, const InitialContext& context) {
            Draft draft = sized_draft(section);
            for (std::size_t j = 0; j < draft.n_tokens; ++j) {
              core::RandomStream stream = token_stream(context, j);
              draw_direction(stream, draft.row(j));
            }
            draft.generator = fmt::format("uniform on S^{}", draft.dim - 1);
            return draft;
          }};
}

} // namespace normdyn::initial
