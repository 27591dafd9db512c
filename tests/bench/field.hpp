#pragma once
// The right-hand side that peers integrate, on plain arrays: the library's attention, evaluated at theta/|theta|.

#include "work_precision.hpp"

#include "normdyn/attention/attention.hpp"

#include <memory>

namespace normdyn::bench {

class Field final {
 public:
  explicit Field(const Problem& problem);
  void operator()(const double* x, double* dxdt);
  [[nodiscard]] long evaluations() const { return evaluations_; }

 private:
  std::size_t dim_;
  double beta_;
  std::unique_ptr<attention::Attention> attention_;
  geometry::State unit_, drift_;
  long evaluations_ = 0;
};

/// Largest difference from the reference.
[[nodiscard]] double error_of(const Problem& problem, const double* theta);

/// Seconds of the quickest of several calls.
template <class Work>
[[nodiscard]] double quickest(int repetitions, Work work) {
  double seconds = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repetitions; ++r)
    seconds = std::min(seconds, work());
  return seconds;
}

/// Tolerances of a series.
inline constexpr double tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};

} // namespace normdyn::bench
