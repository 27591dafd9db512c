#include "field.hpp"

#include "normdyn/geometry/sphere.hpp"

#include <algorithm>

namespace normdyn::bench {

Field::Field(const Problem& problem)
    : dim_(problem.dim), beta_(problem.beta), attention_(attention::make_attention({}, {})),
      unit_(problem.start.size()), drift_(problem.start.size()) {}

void Field::operator()(const double* x, double* dxdt) {
  ++evaluations_;
  std::copy_n(x, unit_.size(), unit_.begin());
  for (std::size_t begin = 0; begin < unit_.size(); begin += dim_)
    geometry::normalize(std::span(unit_).subspan(begin, dim_));
  const attention::Tokens tokens{unit_, dim_, 0};
  attention_->evaluate(tokens, tokens, beta_, {.drift = drift_});
  for (std::size_t begin = 0; begin < unit_.size(); begin += dim_)
    geometry::project_tangent(std::span<const double>(unit_).subspan(begin, dim_),
                              std::span<const double>(drift_).subspan(begin, dim_), std::span(dxdt + begin, dim_));
}

} // namespace normdyn::bench
