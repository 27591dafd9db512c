#include "normdyn/initial/laws.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::initial {
namespace {

// x_j = a e_j + b (1, ..., 1) in R^n with a^2 = 1 - gamma, 2ab + n b^2 = gamma.
void fill_in_dimension_n(Draft& draft, double gamma) {
  const double n = static_cast<double>(draft.n_tokens);
  const double a = std::sqrt(1.0 - gamma);
  const double b = gamma / (a + std::sqrt(std::max(0.0, 1.0 + (n - 1.0) * gamma)));
  for (std::size_t j = 0; j < draft.n_tokens; ++j) {
    for (std::size_t c = 0; c < draft.n_tokens; ++c)
      draft.row(j)[c] = b;
    draft.row(j)[j] += a;
  }
}

// The vertices of a regular simplex in R^{n-1}: columns of the Helmert matrix.
void fill_simplex(Draft& draft) {
  const std::size_t n = draft.n_tokens;
  const double scale = static_cast<double>(n) / static_cast<double>(n - 1);
  for (std::size_t c = 0; c + 1 < n; ++c) {
    const double k = static_cast<double>(c + 1);
    const double entry = std::sqrt(scale / (k * (k + 1.0)));
    for (std::size_t j = 0; j <= c; ++j)
      draft.row(j)[c] = entry;
    draft.row(c + 1)[c] = -k * entry;
  }
}

} // namespace

Law equiangular_law() {
  return {"equiangular", {"gamma0"}, [](core::Settings& section, const InitialContext& context) {
            Draft draft = empty_draft(section);
            const std::size_t n = draft.n_tokens;
            const double gamma = section.number("gamma0", {.below = 1.0});
            draft.generator = fmt::format("equiangular, cosine {}", gamma);
            if (n == 1) {
              make_rows(section, draft);
              draft.x[0] = 1.0;
              return draft;
            }
            const double lowest = -1.0 / static_cast<double>(n - 1);
            const bool is_simplex = std::abs(gamma - lowest) <= 4e-16 * std::abs(lowest);
            if (gamma < lowest && !is_simplex)
              section.refuse(
                  "gamma0",
                  fmt::format("{} is below -1/(n-1) = {:.6g}: no {} tokens have these cosines", gamma, lowest, n),
                  "write \"-1/(n-1)\" for the lower end");
            if (draft.dim < n && !(is_simplex && draft.dim + 1 == n))
              section.refuse(
                  "dim", fmt::format("{} is too small for {} tokens with all cosines {}", draft.dim, n, gamma),
                  is_simplex ? fmt::format("take dim >= n - 1 = {}", n - 1) : fmt::format("take dim >= n = {}", n));
            if (context.without_tokens)
              return draft;
            make_rows(section, draft);
            if (draft.dim >= n)
              fill_in_dimension_n(draft, gamma);
            else
              fill_simplex(draft);
            return draft;
          }};
}

} // namespace normdyn::initial
