#include "mutant_attention.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace normdyn::theorems::test {
namespace {

using Row = std::vector<double>;

double dot(const Row& a, const Row& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

Row image(const attention::Projection& map, const Row& x) {
  if (!map.matrix)
    return x;
  Row y(static_cast<std::size_t>(map.matrix->rows()), 0.0);
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t c = 0; c < x.size(); ++c)
      y[i] += (*map.matrix)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) * x[c];
  return y;
}

} // namespace

PlainAttention::PlainAttention(const attention::AttentionOptions& options, attention::Weights weights,
                               Mutation mutation)
    : options_(options), weights_(std::move(weights)), mutation_(mutation) {
  if (weights_.n_heads != 1 || !weights_.output.is_identity() || weights_.query.bias || weights_.key.bias ||
      weights_.value.bias)
    throw std::logic_error("the plain dynamics know one head without biases");
}

void PlainAttention::set_tokens(std::vector<Row> tokens) {
  queries_ = keys_ = values_ = std::move(tokens);
  for (auto& [map, rows] :
       {std::pair{&weights_.query, &queries_}, {&weights_.key, &keys_}, {&weights_.value, &values_}})
    for (Row& row : *rows)
      row = image(*map, row);
}

bool PlainAttention::sees(std::size_t j, std::size_t k) const {
  if (k == j && mutation_ == Mutation::self_term)
    return false;
  if (options_.mask == attention::Mask::full)
    return true;
  if (mutation_ == Mutation::causal_mask)
    return k < j || (j == 0 && k == 0);
  return k <= j;
}

PlainDrift PlainAttention::at(std::size_t j, double beta) const {
  const std::size_t n = keys_.size();
  PlainDrift out{.drift = Row(values_.front().size(), 0.0)};
  Row score(n);
  double largest = -HUGE_VAL, total = 0.0;
  for (std::size_t k = 0; k < n; ++k)
    if (sees(j, k))
      largest = std::max(largest, score[k] = beta * dot(queries_[j], keys_[k]));
  for (std::size_t k = 0; k < n; ++k)
    if (sees(j, k))
      total += std::exp(score[k] - largest);
  if (total == 0.0)
    return out; // nothing is seen, nothing pulls
  out.log_partition = largest + std::log(total);
  const bool is_softmax = options_.normalization == attention::Normalization::softmax;
  for (std::size_t k = 0; k < n; ++k) {
    if (!sees(j, k))
      continue;
    const double share = std::exp(score[k] - largest) / total;
    const double weight = is_softmax ? share : std::exp(score[k]) / static_cast<double>(n);
    for (std::size_t i = 0; i < out.drift.size(); ++i)
      out.drift[i] += weight * values_[k][i];
    out.magnitude += weight * std::sqrt(dot(values_[k], values_[k]));
    out.entropy -= share > 0.0 ? share * std::log(share) : 0.0;
  }
  return out;
}

} // namespace normdyn::theorems::test
