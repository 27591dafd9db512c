#pragma once
// Attention of one head as the formula has it, one weight at a time.

#include "mutant_laboratory.hpp"

#include "normdyn/attention/attention.hpp"

#include <vector>

namespace normdyn::theorems::test {

struct PlainDrift {
  std::vector<double> drift; ///< A_j
  double magnitude = 0.0;    ///< sum_k w_jk |V theta_k|
  double log_partition = 0.0, entropy = 0.0;
};

class PlainAttention final {
 public:
  PlainAttention(const attention::AttentionOptions& options, attention::Weights weights, Mutation mutation);

  /// Takes n unit rows of length dim.
  void set_tokens(std::vector<std::vector<double>> tokens);
  [[nodiscard]] PlainDrift at(std::size_t j, double beta) const;

 private:
  [[nodiscard]] bool sees(std::size_t j, std::size_t k) const;
  attention::AttentionOptions options_;
  attention::Weights weights_;
  Mutation mutation_;
  std::vector<std::vector<double>> queries_, keys_, values_;
};

} // namespace normdyn::theorems::test
