#pragma once
// What happens to one row of scores: scaling by beta, its maximum, and the shifted exponentials with their sums.

#include <cstddef>

namespace normdyn::attention {

/// scores[k] *= beta for k < count; those from count to the next multiple of 8 become -infinity. Returns the maximum
/// (a NaN is passed over, and shows up in the sums instead).
double scale_scores(double* scores, std::size_t count, double beta);

struct ExponentialSums {
  double total = 0.0;    ///< sum_k exp(s_k - shift)
  double weighted = 0.0; ///< sum_k exp(s_k - shift) (s_k - shift), for the entropy
};

/// scores[k] = exp(scores[k] - shift) for all k up to the next multiple of 8 of count; needs scores <= shift. Relative
/// error below 2^-52; arguments below -708 give exactly 0, 0 gives exactly 1, NaN stays.
ExponentialSums exponentiate(double* scores, std::size_t count, double shift);

} // namespace normdyn::attention
