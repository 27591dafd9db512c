#include "normdyn/attention/moment_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/moment_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

// The rounding error of a sum of two numbers is a number, whatever their sizes.
HWY_INLINE void add_term(Vector term, Vector& sum, Vector& error) {
  const Vector next = hn::Add(sum, term), added = hn::Sub(next, sum);
  error = hn::Add(error, hn::Add(hn::Sub(sum, hn::Sub(next, added)), hn::Sub(term, added)));
  sum = next;
}

void add_compensated_any(const double* HWY_RESTRICT terms, std::size_t count, double* HWY_RESTRICT sums,
                         double* HWY_RESTRICT errors) {
  for (std::size_t i = 0; i < count; i += lanes) {
    Vector sum = hn::Load(tag, sums + i), error = hn::Load(tag, errors + i);
    add_term(hn::Load(tag, terms + i), sum, error);
    hn::Store(sum, tag, sums + i);
    hn::Store(error, tag, errors + i);
  }
}

void replace_by_sums_before_any(double* HWY_RESTRICT rows, std::size_t n_rows, std::size_t stride, std::size_t count,
                                double* HWY_RESTRICT sums, double* HWY_RESTRICT errors) {
  for (std::size_t i = 0; i < count; i += lanes) {
    Vector sum = hn::Load(tag, sums + i), error = hn::Load(tag, errors + i);
    for (std::size_t r = 0; r < n_rows; ++r) {
      const Vector term = hn::Load(tag, rows + r * stride + i);
      hn::Store(hn::Add(sum, error), tag, rows + r * stride + i);
      add_term(term, sum, error);
    }
    hn::Store(sum, tag, sums + i);
    hn::Store(error, tag, errors + i);
  }
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(add_compensated_any);
HWY_EXPORT(replace_by_sums_before_any);

void add_compensated(const double* terms, std::size_t count, double* sums, double* errors) {
  HWY_DYNAMIC_DISPATCH(add_compensated_any)(terms, count, sums, errors);
}

void replace_by_sums_before(double* rows, std::size_t n_rows, std::size_t stride, std::size_t count, double* sums,
                            double* errors) {
  HWY_DYNAMIC_DISPATCH(replace_by_sums_before_any)(rows, n_rows, stride, count, sums, errors);
}

} // namespace normdyn::attention
#endif
