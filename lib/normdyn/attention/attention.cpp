#include "normdyn/attention/attention.hpp"

#include "normdyn/attention/fused_attention.hpp"
#include "normdyn/attention/series_attention.hpp"
#include "normdyn/core/error.hpp"

namespace normdyn::attention {
namespace {

void check_kernel_name(std::string_view kernel) {
  for (const std::string& name : attention_kernel_names())
    if (kernel == name)
      return;
  throw core::InputError("solver.kernel", "there is no kernel '" + std::string(kernel) + "'",
                         core::suggestion(kernel, attention_kernel_names()));
}

KernelChoice pairs_choice(std::string_view kernel) {
  return kernel == "tiles" ? KernelChoice::tiles : KernelChoice::small_d;
}

SeriesChoice series_choice(std::string_view kernel) {
  return kernel == "fourier"     ? SeriesChoice::fourier
         : kernel == "harmonics" ? SeriesChoice::harmonics
                                 : SeriesChoice::automatic;
}

bool computes_pairs(std::string_view kernel) {
  return kernel == "small_d" || kernel == "tiles";
}

} // namespace

const std::vector<std::string>& attention_kernel_names() {
  static const std::vector<std::string> names{"auto", "direct", "small_d", "tiles", "fourier", "harmonics"};
  return names;
}

std::unique_ptr<Attention> make_attention(const AttentionOptions& options, Weights weights, std::string_view kernel) {
  check_kernel_name(kernel);
  if (kernel == "direct")
    return make_direct_attention(options, std::move(weights));
  if (computes_pairs(kernel))
    return make_fused_attention(options, std::move(weights), pairs_choice(kernel));
  return make_series_attention(options, std::move(weights), series_choice(kernel));
}

std::string attention_kernel(const Weights& weights, const KernelCase& at, std::string_view kernel) {
  check_kernel_name(kernel);
  if (kernel == "direct")
    return "direct";
  return computes_pairs(kernel) ? fused_kernel_name(weights, at.dim, pairs_choice(kernel))
                                : series_kernel_name(weights, at, series_choice(kernel));
}

} // namespace normdyn::attention
