#pragma once
// What the laws have in common: a draft of rows x_j, the sizes, and the draws of a token.
//
// Every draw of token j comes from the stream (seed, purpose, member, j), so that token j of member m is the same
// whatever the number of tokens or members is.

#include "normdyn/core/random.hpp"
#include "normdyn/initial/initial_state.hpp"

#include <span>
#include <string_view>

namespace normdyn::initial {

/// Tokens as a law makes them, before the common treatment of norms.
struct Draft {
  std::size_t n_tokens = 0;
  std::size_t dim = 0;
  geometry::State x{};    ///< n x d; no row needs to be of unit length
  bool has_norms = false; ///< the rows' norms mean something: r_j(0) = |x_j| unless told otherwise
  std::vector<std::string> labels{};
  std::string generator{};
  std::string note{};
  std::vector<InitialInput> inputs{};
  std::string source_key = "kind";        ///< the key to blame for a bad row
  std::vector<std::size_t> source_rows{}; ///< row of the source that token j came from; empty: j

  [[nodiscard]] std::span<double> row(std::size_t j) { return std::span(x).subspan(j * dim, dim); }
};

/// A law: its name, the options that are its own (others are refused by name), and its reader.
struct Law {
  std::string name;
  std::vector<std::string> options;
  Draft (*read)(core::Settings& section, const InitialContext& context);
};

/// A draft of zeros with `tokens` and `dim` read and defined as n and d. Refuses dim below `least_dim`, with `why`, and
/// sizes for which there is no memory.
[[nodiscard]] Draft sized_draft(core::Settings& section, std::int64_t least_dim = 1, std::string_view why = {});
/// The sizes alone: no rows.
[[nodiscard]] Draft empty_draft(core::Settings& section);
/// Gives a draft its rows of zeros.
void make_rows(core::Settings& section, Draft& draft);

/// Defines n and d where the data fix them; tokens and dim may repeat them and are refused if they differ.
void define_sizes(core::Settings& section, const Draft& draft);

[[nodiscard]] core::RandomStream token_stream(const InitialContext& context, std::size_t token);

/// Fills `out` with independent standard normal values.
void draw_normals(core::RandomStream& stream, std::span<double> out);

/// Fills `out` with a uniform unit vector.
void draw_direction(core::RandomStream& stream, std::span<double> out);

/// Fills `out` with a uniform unit vector orthogonal to the unit vector `axis` (dim >= 2).
void draw_orthogonal_direction(core::RandomStream& stream, std::span<const double> axis, std::span<double> out);

/// Labels given as a list of texts or as a file ("words.h5:/word", "words.txt"); empty if there is no such key.
[[nodiscard]] std::vector<std::string> read_labels(core::Settings& section, const InitialContext& context,
                                                   std::vector<InitialInput>& inputs);

} // namespace normdyn::initial
