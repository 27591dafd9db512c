#pragma once
// One table of [weights]: the four matrices and their biases, checked to fit each other and the tokens.

#include "normdyn/attention/matrix_source.hpp"
#include "normdyn/attention/weight_schedule.hpp"

#include <array>

namespace normdyn::attention {

class WeightEntry {
 public:
  /// Reads the table. `n_heads` is that of [attention], or nothing where the config does not say and a file may.
  static WeightEntry read(core::Settings& table, const WeightContext& context, std::optional<std::size_t> n_heads);

  /// The weights of this member in this layer.
  [[nodiscard]] Weights weights(std::uint64_t seed, std::uint64_t member, std::uint64_t layer) const;
  [[nodiscard]] std::size_t n_heads() const { return n_heads_; }
  [[nodiscard]] bool is_identity() const;
  [[nodiscard]] bool redraws() const { return redraws_; }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const std::vector<WeightInput>& inputs() const { return inputs_; }

 private:
  static constexpr std::size_t n_parts = 4; // query, key, value, output
  void read_matrices(core::Settings& table, const WeightContext& context);
  void read_file(core::Settings& table, const WeightContext& context, std::optional<std::size_t> n_heads);
  void check_shapes(const core::Settings& table, std::size_t dim) const;

  std::size_t n_heads_ = 1;
  std::array<MatrixSource, n_parts> matrices_;
  std::array<std::optional<Eigen::VectorXd>, n_parts> biases_;
  bool redraws_ = false;
  std::string file_; ///< as written; empty without
  std::vector<WeightInput> inputs_;
};

} // namespace normdyn::attention
