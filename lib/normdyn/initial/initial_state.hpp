#pragma once
// Laws of Theta(0) and r(0): one file per law, one line each in the registry (initial_laws.cpp).

#include "normdyn/core/settings.hpp"
#include "normdyn/geometry/state.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace normdyn::initial {

struct InitialInput {
  std::string path; ///< file that was read, resolved
  std::string key;  ///< config key that named it
};

struct InitialState {
  std::size_t n_tokens = 0;
  std::size_t dim = 0;
  geometry::State theta;           ///< n x d, unit rows
  geometry::State radius;          ///< n, positive
  std::vector<std::string> labels; ///< empty or one per token
  std::string generator;           ///< "uniform on S^2", "gaussian X(0)", ...
  std::string note; ///< corrections made, e.g. "explicit tokens renormalized by up to 3e-7"; may be empty
  std::vector<InitialInput> inputs;
};

struct InitialContext {
  std::uint64_t seed = 0;
  std::uint64_t member = 0;
  std::string folder = "."; ///< relative paths are relative to it
  /// Makes no tokens where the law has one cosine (orthogonal, equiangular): theta stays empty. For the reduction,
  /// which asks for n, the cosine and the radii only.
  bool without_tokens = false;
};

/// Reads [initial] and draws or loads the state; defines the formula variables n and d in the config as soon as they
/// are known. Refuses wrong input with an InputError (FileError for files that cannot be read).
///   kind = "uniform" | "gaussian" | "orthogonal" | "equiangular" | "cone" | "hemisphere" | "von_mises_fisher" | "ring"
///        | "explicit" | "file";   tokens, dim;
///   norms = "keep" | "unit" | number | list with a number for each token (laws without norms of their own: 1)
[[nodiscard]] InitialState read_initial(core::Settings& config, const InitialContext& context);

/// Names of all laws, for messages, template and completion.
[[nodiscard]] std::vector<std::string> initial_law_names();

} // namespace normdyn::initial
