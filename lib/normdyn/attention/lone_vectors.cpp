#include "normdyn/attention/lone_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/lone_vectors.cpp"
#include <hwy/foreach_target.h>

#include "normdyn/attention/exponential_inl.hpp"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace normdyn::attention::HWY_NAMESPACE {

template <std::size_t D>
HWY_INLINE void load_components(const double* HWY_RESTRICT tokens, Vector (&component)[D]) {
  if constexpr (D == 2)
    hn::LoadInterleaved2(tag, tokens, component[0], component[1]);
  else
    hn::LoadInterleaved3(tag, tokens, component[0], component[1], component[2]);
}

// Adds N vectors of tokens, of which the first `size` count, to the sums of each lane.
template <bool Masked, std::size_t N, std::size_t D>
HWY_INLINE void add_tokens(const double* HWY_RESTRICT tokens, std::size_t size, const double (&scaled)[D], Vector shift,
                           Vector (&sum)[D + 1]) {
  Vector u[N], component[N][D];
  for (std::size_t v = 0; v < N; ++v) {
    load_components<D>(tokens + v * D * lanes, component[v]);
    u[v] = shift;
    for (std::size_t c = 0; c < D; ++c)
      u[v] = hn::MulAdd(component[v][c], hn::Set(tag, scaled[c]), u[v]);
  }
  exponentiate(u);
  for (std::size_t v = 0; v < N; ++v) {
    if (Masked)
      u[v] = hn::IfThenElseZero(hn::FirstN(tag, size), u[v]);
    for (std::size_t c = 0; c < D; ++c)
      sum[c] = hn::MulAdd(u[v], component[v][c], sum[c]);
    sum[D] = hn::Add(sum[D], u[v]);
  }
}

template <std::size_t D>
void lone(const double* tokens, std::size_t count, const double* query, double beta, double* sums) {
  constexpr std::size_t n = 4, chunk = 1024; // tokens whose sums stay in one vector
  double scaled[D];
  for (std::size_t c = 0; c < D; ++c)
    scaled[c] = query[c] * beta * steps_per_unit;
  const Vector shift = hn::Set(tag, -std::abs(beta) * steps_per_unit);
  std::fill(sums, sums + D + 1, 0.0);
  for (std::size_t begin = 0; begin < count; begin += chunk) {
    const std::size_t end = std::min(count, begin + chunk);
    Vector sum[D + 1];
    for (Vector& s : sum)
      s = hn::Zero(tag);
    std::size_t k = begin;
    for (; k + n * lanes <= end; k += n * lanes)
      add_tokens<false, n, D>(tokens + k * D, lanes, scaled, shift, sum);
    for (; k + lanes <= end; k += lanes)
      add_tokens<false, 1, D>(tokens + k * D, lanes, scaled, shift, sum);
    if (k < end) {
      alignas(64) double rest[D * lanes] = {};
      std::copy(tokens + k * D, tokens + end * D, rest);
      add_tokens<true, 1, D>(rest, end - k, scaled, shift, sum);
    }
    for (std::size_t c = 0; c <= D; ++c)
      sums[c] += hn::GetLane(hn::SumOfLanes(tag, sum[c]));
  }
}

void lone_sums_any(const double* tokens, std::size_t count, std::size_t dim, const double* query, double beta,
                   double* sums) {
  if (dim == 2)
    lone<2>(tokens, count, query, beta, sums);
  else
    lone<3>(tokens, count, query, beta, sums);
}

} // namespace normdyn::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normdyn::attention {

HWY_EXPORT(lone_sums_any);

void lone_sums(const double* tokens, std::size_t count, std::size_t dim, const double* query, double beta,
               double* sums) {
  HWY_DYNAMIC_DISPATCH(lone_sums_any)(tokens, count, dim, query, beta, sums);
}

} // namespace normdyn::attention
#endif
