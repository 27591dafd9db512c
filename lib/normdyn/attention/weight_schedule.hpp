#pragma once
// Weights as a function of time: constant, a list that switches at given times (or layers), or drawn anew in each
// layer.

#include "normdyn/attention/weights.hpp"
#include "normdyn/core/interval.hpp"
#include "normdyn/core/settings.hpp"

#include <memory>
#include <string>
#include <vector>

namespace normdyn::attention {

/// A file that weights were read from, for provenance.
struct WeightInput {
  std::string path; ///< as written in the config, resolved against the config's folder
  std::string key;  ///< config key that named it
};

class WeightSchedule {
 public:
  virtual ~WeightSchedule() = default;
  /// Times inside `span` at which the weights jump. Throws InputError if a list of weights begins after the span does.
  [[nodiscard]] virtual std::vector<double> breakpoints(core::Interval span) const = 0;
  /// The weights on a piece between breakpoints, chosen by its midpoint. Drawn weights depend on (seed, member, layer)
  /// alone, whatever was asked before.
  [[nodiscard]] virtual Weights on(core::Interval piece) const = 0;
  /// Whether every piece has Q = K = V = I without biases.
  [[nodiscard]] virtual bool is_identity() const = 0;
  /// One line for explain: "Q, K: gaussian (std 0.1), V: identity, drawn in every layer".
  [[nodiscard]] virtual std::string text() const = 0;
  [[nodiscard]] virtual std::vector<WeightInput> inputs() const = 0;
};

/// What the draws of weights depend on.
struct WeightContext {
  std::size_t dim = 0;
  std::size_t n_heads = 1;
  std::uint64_t seed = 0;
  std::uint64_t member = 0;
  double layer_time = 1.0;  ///< duration of a layer: redraw = "layer" draws anew at multiples of it
  std::string folder = "."; ///< relative paths are relative to it
};

/// Reads [weights] (a table, or a list of tables with `from` times that switch). Keys of a table:
///   redraw = "never" | "layer";  file = "weights.h5:/attention", bias = true | false;
///   query, key, value, output = "identity" | [[...]] | { draw = "...", ... };
///   query_bias, key_bias, value_bias, output_bias = [...];
///   from = 2.0   (in a list only: the time, or layer * layer_time, from which this entry holds)
/// Matrices in a file may bring the number of heads; [attention] heads, if written, must agree with it.
/// Draws (draws.hpp states the laws): gaussian (std), kaiming_normal (gain), kaiming_uniform (gain), orthogonal (gain),
/// wigner (scale), goe (scale); value = { tie = "query_key", sign = 1 | -1 } is V = +-(Q^T K).
[[nodiscard]] std::shared_ptr<const WeightSchedule> read_weights(core::Settings& config, const WeightContext& context);

} // namespace normdyn::attention
