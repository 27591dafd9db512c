#pragma once
// Dynamics written down once more, as plain loops over tokens, with one deliberate mistake on request: what a claim
// does not notice here, it would not notice in the library.

#include "normdyn/theorems/laboratory.hpp"

#include <string_view>

namespace normdyn::theorems::test {

enum class Mutation {
  none,
  speed_of_pre_ln,    ///< s_j off by 1 %
  alpha_of_ngpt,      ///< 1/alpha in place of alpha
  self_term,          ///< a token does not see itself
  tangent_projection, ///< theta' = A/s instead of P A/s
  causal_mask,        ///< sums over k < j; the first token sees itself
};

[[nodiscard]] std::string_view mutation_name(Mutation mutation);

class MutantLaboratory final : public Laboratory {
 public:
  explicit MutantLaboratory(Mutation mutation) : mutation_(mutation) {}
  [[nodiscard]] Subject prepare(const dynamics::TokenModel& model, const Cloud& cloud) const override;

 private:
  Mutation mutation_;
};

} // namespace normdyn::theorems::test
