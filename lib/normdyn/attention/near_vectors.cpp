#include "normdyn/attention/near_vectors.hpp"
#include "normdyn/attention/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normdyn/attention/near_vectors.cpp"
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

// N vectors of queries of a block.
template <std::size_t D, std::size_t N>
struct NearSums {
  NearSums() {} // written out: an implicit constructor would lack the instruction set of this region (g++ on Arm)
  Vector query[N][D], number[N]; // the query in units of the exponential, its place in the block
  Vector sum[N][D + 1];
};

// K keys for the vectors from First on: N - First times K exponentials at once.
template <bool Masked, std::size_t K, std::size_t First, std::size_t D, std::size_t N>
HWY_INLINE void add_keys(const NearKeys& keys, std::size_t k, Vector shift, NearSums<D, N>& s) {
  constexpr std::size_t width = N - First;
  const double* HWY_RESTRICT key = keys.tokens + k * D;
  Vector u[K * width];
  for (std::size_t i = 0; i < K; ++i)
    for (std::size_t v = 0; v < width; ++v)
      u[i * width + v] = hn::MulAdd(hn::Set(tag, key[i * D]), s.query[First + v][0], shift);
  for (std::size_t c = 1; c < D; ++c)
    for (std::size_t i = 0; i < K; ++i)
      for (std::size_t v = 0; v < width; ++v)
        u[i * width + v] = hn::MulAdd(hn::Set(tag, key[i * D + c]), s.query[First + v][c], u[i * width + v]);
  exponentiate(u);
  for (std::size_t i = 0; i < K; ++i) {
    if (Masked)
      u[i * width] =
          hn::IfThenElseZero(hn::Ge(s.number[First], hn::Set(tag, static_cast<double>(k + i))), u[i * width]);
    for (std::size_t c = 0; c < D; ++c)
      for (std::size_t v = 0; v < width; ++v)
        s.sum[First + v][c] = hn::MulAdd(u[i * width + v], hn::Set(tag, key[i * D + c]), s.sum[First + v][c]);
    for (std::size_t v = 0; v < width; ++v)
      s.sum[First + v][D] = hn::Add(s.sum[First + v][D], u[i * width + v]);
  }
}

// The keys [begin, end) for the vectors from First on.
template <bool Masked, std::size_t First, std::size_t D, std::size_t N>
HWY_INLINE void add_near(const NearKeys& keys, std::size_t begin, std::size_t end, Vector shift, NearSums<D, N>& s) {
  constexpr std::size_t at_once = N - First > 2 ? 1 : 4 / (N - First); // exponentials need company
  std::size_t k = begin;
  for (; k + at_once <= end; k += at_once)
    add_keys<Masked, at_once, First>(keys, k, shift, s);
  for (; k < end; ++k)
    add_keys<Masked, 1, First>(keys, k, shift, s);
}

// The keys from the first query of each vector on, which part of that vector sees.
template <std::size_t First, std::size_t D, std::size_t N>
HWY_INLINE void add_diagonal(const NearKeys& keys, std::size_t first, Vector shift, NearSums<D, N>& s) {
  if constexpr (First < N) {
    const std::size_t begin = std::min(keys.count, first + First * lanes);
    add_near<true, First>(keys, begin, std::min(keys.count, begin + lanes), shift, s);
    add_diagonal<First + 1>(keys, first, shift, s);
  }
}

template <std::size_t D, std::size_t N>
HWY_INLINE void near_queries(const NearKeys& keys, const double* HWY_RESTRICT queries, std::size_t first,
                             double* HWY_RESTRICT sums, std::size_t stride) {
  const Vector shift = hn::Set(tag, -std::abs(keys.beta) * steps_per_unit);
  const Vector scale = hn::Set(tag, keys.beta * steps_per_unit);
  NearSums<D, N> s;
  for (std::size_t v = 0; v < N; ++v) {
    load_components<D>(queries + v * D * lanes, s.query[v]);
    s.number[v] = hn::Iota(tag, static_cast<double>(first + v * lanes));
    for (std::size_t c = 0; c < D; ++c)
      s.query[v][c] = hn::Mul(s.query[v][c], scale);
    for (Vector& sum : s.sum[v])
      sum = hn::Zero(tag);
  }
  add_near<false, 0>(keys, 0, std::min(keys.count, first), shift, s);
  add_diagonal<0>(keys, first, shift, s);
  for (std::size_t v = 0; v < N; ++v)
    for (std::size_t c = 0; c <= D; ++c)
      hn::Store(s.sum[v][c], tag, sums + c * stride + v * lanes);
}

template <std::size_t D>
void near(const NearKeys& keys_of_block, const double* queries, std::size_t first, std::size_t count, double* sums,
          std::size_t stride) {
  const NearKeys keys = keys_of_block; // a copy, which no store aliases
  constexpr std::size_t n = 4;
  std::size_t j = 0;
  for (; j + n * lanes <= count; j += n * lanes)
    near_queries<D, n>(keys, queries + j * D, first + j, sums + j, stride);
  for (; j + 2 * lanes <= count; j += 2 * lanes)
    near_queries<D, 2>(keys, queries + j * D, first + j, sums + j, stride);
  for (; j < count; j += lanes)
    near_queries<D, 1>(keys, queries + j * D, first + j, sums + j, stride);
}

void near_sums_any(const NearKeys& keys, const double* queries, std::size_t first, std::size_t count, double* sums,
                   std::size_t stride) {
  if (keys.dim == 2)
    near<2>(keys, queries, first, count, sums, stride);
  else
    near<3>(keys, queries, first, count, sums, stride);
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
HWY_EXPORT(near_sums_any);

void lone_sums(const double* tokens, std::size_t count, std::size_t dim, const double* query, double beta,
               double* sums) {
  HWY_DYNAMIC_DISPATCH(lone_sums_any)(tokens, count, dim, query, beta, sums);
}

void near_sums(const NearKeys& keys, const double* queries, std::size_t first, std::size_t count, double* sums,
               std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(near_sums_any)(keys, queries, first, count, sums, stride);
}

} // namespace normdyn::attention
#endif
