#include "normdyn/integrate/linear_combination.hpp"

#include "normdyn/attention/simd_targets.hpp"
#include "normdyn/core/error.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/integrate/linear_combination_vectors.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <utility>

HWY_BEFORE_NAMESPACE();
namespace normdyn::integrate::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Single = hn::CappedTag<double, 1>;

/// One vector of each sum, at element i.
template <std::size_t n_sums, std::size_t n_terms, class D>
HWY_INLINE void add_up_at(D tag, double* const (&out)[n_sums], const double* const (&term)[n_terms],
                          const double (&factor)[n_sums][n_terms], std::size_t i) {
  hn::Vec<D> sum[n_sums];
  for (std::size_t j = 0; j < n_terms; ++j) {
    const hn::Vec<D> x = hn::LoadU(tag, term[j] + i);
    for (std::size_t k = 0; k < n_sums; ++k) {
      const hn::Vec<D> part = hn::Mul(hn::Set(tag, factor[k][j]), x);
      sum[k] = j == 0 ? part : hn::Add(sum[k], part);
    }
  }
  for (std::size_t k = 0; k < n_sums; ++k)
    hn::StoreU(sum[k], tag, out[k] + i);
}

template <std::size_t n_sums, std::size_t n_terms>
void add_up_all(double* const* outs, const double* const* terms, const double* factors, std::size_t size) {
  double* out[n_sums]; // copies, which no store aliases
  const double* term[n_terms];
  double factor[n_sums][n_terms];
  for (std::size_t j = 0; j < n_terms; ++j)
    term[j] = terms[j];
  for (std::size_t k = 0; k < n_sums; ++k) {
    out[k] = outs[k];
    for (std::size_t j = 0; j < n_terms; ++j)
      factor[k][j] = factors[k * n_terms + j];
  }
  const Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    add_up_at<n_sums, n_terms>(tag, out, term, factor, i);
  for (; i < size; ++i)
    add_up_at<n_sums, n_terms>(Single(), out, term, factor, i);
}

template <std::size_t... n>
void add_up_some(std::index_sequence<n...>, double* out, const double* const* term, const double* factor,
                 std::size_t n_terms, std::size_t size) {
  ((n + 1 == n_terms ? add_up_all<1, n + 1>(&out, term, factor, size) : void()), ...);
}

void add_up_one(double* out, const double* const* term, const double* factor, std::size_t n_terms, std::size_t size) {
  add_up_some(std::make_index_sequence<most_terms>(), out, term, factor, n_terms, size);
}

void add_up_nine(double* const* out, const double* const* term, const double* factor, std::size_t size) {
  add_up_all<3, 9>(out, term, factor, size);
}

} // namespace normdyn::integrate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::integrate {

HWY_EXPORT(add_up_one);
HWY_EXPORT(add_up_nine);

void add_up(double* out, std::span<const double* const> term, std::span<const double> factor, std::size_t size) {
  core::believe(0 < term.size() && term.size() <= most_terms && factor.size() == term.size(), "a sum of some terms");
  HWY_DYNAMIC_DISPATCH(add_up_one)(out, term.data(), factor.data(), term.size(), size);
}

void add_up_three(const std::array<double*, 3>& out, const std::array<const double*, 9>& term,
                  const std::array<std::array<double, 9>, 3>& factor, std::size_t size) {
  HWY_DYNAMIC_DISPATCH(add_up_nine)(out.data(), term.data(), factor.front().data(), size);
}

} // namespace normdyn::integrate
#endif
