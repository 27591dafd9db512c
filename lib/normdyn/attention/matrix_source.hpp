#pragma once
// Where one matrix of an attention block comes from: the identity, numbers, a draw, or the product of query and key.

#include "normdyn/attention/draws.hpp"
#include "normdyn/core/settings.hpp"

#include <optional>
#include <string>
#include <variant>

namespace normdyn::attention {

struct Shape {
  Eigen::Index rows = 0, columns = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
  [[nodiscard]] std::string text() const;
};

class MatrixSource {
 public:
  struct Identity {};
  struct Draw {
    const MatrixLaw* law;
    double parameter;
    core::Purpose purpose;
    Shape shape;
  };
  struct Tie {
    double sign; ///< +-(Q^T K)
  };

  MatrixSource() = default;
  explicit MatrixSource(Matrix matrix) : form_(std::move(matrix)) {}

  /// Reads "identity" (the default), [[...]], { draw = ... } or, where `may_tie`, { tie = "query_key", sign = 1 }.
  /// Drawn matrices get the shape `drawn`; `dim` is that of the tokens.
  static MatrixSource read(core::Settings& section, const char* key, core::Purpose purpose, Shape drawn,
                           std::size_t dim, bool may_tie);

  [[nodiscard]] bool is_identity() const { return std::holds_alternative<Identity>(form_); }
  [[nodiscard]] bool is_drawn() const { return std::holds_alternative<Draw>(form_); }
  [[nodiscard]] const Tie* tie() const { return std::get_if<Tie>(&form_); }
  /// The shape, if it is known without that of other matrices.
  [[nodiscard]] std::optional<Shape> shape() const;
  /// The matrix in this layer; nothing for the identity and for ties.
  [[nodiscard]] std::optional<Matrix> matrix(std::uint64_t seed, std::uint64_t member, std::uint64_t layer) const;
  /// "identity", "given", "gaussian (std 0.1)", "-Q^T K"
  [[nodiscard]] std::string text() const;

 private:
  std::variant<Identity, Matrix, Draw, Tie> form_;
};

} // namespace normdyn::attention
