#pragma once
// All schemes. Adding one: its header, a line here, a page in docs/schemes, a change note. Nothing else.

#include "normdyn/schemes/formula_scheme.hpp"
#include "normdyn/schemes/mix_ln.hpp"
#include "normdyn/schemes/n_gpt.hpp"
#include "normdyn/schemes/peri_ln.hpp"
#include "normdyn/schemes/post_ln.hpp"
#include "normdyn/schemes/pre_ln.hpp"
#include "normdyn/schemes/sqrt_scaling.hpp"

#include <variant>

namespace normdyn::schemes {

using AnyScheme = std::variant<PostLn, PreLn, MixLn, PeriLn, NGpt, SqrtScaling, FormulaScheme>;

/// What is known of a scheme without building one.
struct SchemeFacts {
  std::string name, alias, equation, layer_map;
  std::vector<OptionHelp> options;
};

[[nodiscard]] const std::vector<SchemeFacts>& all_schemes();

/// Builds the scheme named by the section's `name` (its alias is accepted) and reads its options. An option that
/// belongs to another scheme is refused with that scheme's name.
[[nodiscard]] AnyScheme read_scheme(core::Settings& section, const SchemeContext& context);

[[nodiscard]] std::string_view name_of(const AnyScheme& scheme);
[[nodiscard]] std::string_view equation_of(const AnyScheme& scheme);
[[nodiscard]] std::string_view layer_map_of(const AnyScheme& scheme);
[[nodiscard]] bool has_radius(const AnyScheme& scheme);

} // namespace normdyn::schemes
