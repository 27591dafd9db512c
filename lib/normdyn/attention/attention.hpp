#pragma once
// Attention: the drift A_j of every token, for unit tokens or any other vectors.
//
//   s_jk = beta <Q theta_j + b_Q, K theta_k + b_K>             (per head; identity: beta <theta_j, theta_k>)
//   softmax:       A_j = sum_k w_jk (V theta_k + b_V),   w_jk = exp(s_jk) / Z_j,   Z_j = sum_k exp(s_jk)
//   unnormalized:  A_j = (1/n) sum_k exp(s_jk) (V theta_k + b_V)
//   several heads: A_j = W_O concat_h(A_j^h) + b_O
//   causal mask:   sums over k <= j only (the self term always included)
//
// Scores are shifted by their row maximum before exp, so beta = 2000 works; log Z_j is returned unscaled.

#include "normdyn/attention/precision.hpp"
#include "normdyn/attention/weights.hpp"
#include "normdyn/geometry/state.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normdyn::attention {

enum class Normalization { softmax, unnormalized };
enum class Mask { full, causal };

/// A block of tokens: rows of length dim. `first` is the global index of row 0 (causal mask, slices of tokens).
struct Tokens {
  std::span<const double> theta;
  std::size_t dim = 0;
  std::size_t first = 0;
  [[nodiscard]] std::size_t count() const { return dim == 0 ? 0 : theta.size() / dim; }
};

/// What is wanted of an evaluation; spans left empty are not computed.
struct AttentionOutput {
  std::span<double> drift; ///< A_j, queries x dim
  /// sum_k w_jk |V theta_k + b_V|: |A_j| far below it is cancellation. Heads are joined as the root of the sum of
  /// squares; with W_O it is |W_O|_2 times that, plus |b_O|.
  std::span<double> magnitude{};
  std::span<double> log_partition{}; ///< log Z_j, heads x queries
  std::span<double> entropy{};       ///< -sum_k w_jk log w_jk, mean over heads, in nats (softmax weights in both forms)
  bool in_double = false;            ///< whatever AttentionOptions::precision says
};

/// Options shared by all kernels.
struct AttentionOptions {
  Normalization normalization = Normalization::softmax;
  Mask mask = Mask::full;
  /// float32: small_d and tiles have twice the lanes. Weights get errors of about |beta| |q| |k| 1e-7, sums of 1e-7.
  /// What float cannot hold is evaluated in double, query by query: scores and values outside the range of shifts.hpp,
  /// drifts whose part across their token is below 2^-12 of their length, and drifts that cancel to less than 2^-10 of
  /// their magnitude where that is asked for.
  Precision precision = Precision::float64;
};

/// Interface of the kernels. Not safe for concurrent calls on one object (it owns its work space); allocates nothing
/// after the first call with the same sizes. Results are the same bits for any number of threads; the bits of a causal
/// query do not depend on later tokens while the kernel is the same, nor those of any query on how queries are cut into
/// slices (but where a token's sums are shared with its partner's, as in small_d and tiles with Q = K = V = I and all
/// tokens as queries and keys, they depend on both).
class Attention {
 public:
  virtual ~Attention() = default;
  virtual void evaluate(const Tokens& queries, const Tokens& keys, double beta, const AttentionOutput& out) = 0;
  [[nodiscard]] virtual std::size_t n_heads() const = 0;
  /// Name of the kernel, for explain and the run file.
  [[nodiscard]] virtual std::string kernel() const = 0;
};

/// The front end: builds the kernel of that name. "auto" takes the fastest one that gives double accuracy, at each call
/// by what KernelCase holds, never by the number of threads; in float32 it takes small_d or tiles. A kernel that cannot
/// take the weights gives way: a series to the fastest of the others, one of pairs to the direct one. Throws InputError
/// for a kernel that does not exist, or not in float32.
[[nodiscard]] std::unique_ptr<Attention> make_attention(const AttentionOptions& options, Weights weights,
                                                        std::string_view kernel = "auto");

/// What the choice of a kernel depends on besides the weights: the number of keys, the components of a token, beta and
/// the mask of a call, and the precision.
struct KernelCase {
  std::size_t n_tokens = 0, dim = 0;
  double beta = 0.0;
  Mask mask = Mask::full;
  Precision precision = Precision::float64;
};

/// The kernel that `kernel` comes down to: the text for explain and the run file, "small_d" or "tiles, float32".
[[nodiscard]] std::string attention_kernel(const Weights& weights, const KernelCase& at,
                                           std::string_view kernel = "auto");

/// "auto" and the names of all kernels:
///   direct     the plain evaluation: the check, and the fallback for what the others do not cover
///   small_d    heads of at most 12 components
///   tiles      heads of any size
///   fourier    one head, d = 2, Q^T K a multiple of an orthogonal matrix: cost O(n), relative error 1e-12
///   harmonics  the same for d = 3
[[nodiscard]] const std::vector<std::string>& attention_kernel_names();

/// Whether a kernel of that name exists in float32: "auto", "small_d" and "tiles".
[[nodiscard]] bool has_float32(std::string_view kernel);

/// The plain double evaluation by blocks of rows: the check for all faster kernels and their fallback.
[[nodiscard]] std::unique_ptr<Attention> make_direct_attention(const AttentionOptions& options, Weights weights);

} // namespace normdyn::attention
