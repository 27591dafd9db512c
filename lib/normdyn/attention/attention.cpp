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
  return kernel == "tiles"     ? KernelChoice::tiles
         : kernel == "small_d" ? KernelChoice::small_d
                               : KernelChoice::automatic;
}

SeriesChoice series_choice(std::string_view kernel) {
  return kernel == "fourier"     ? SeriesChoice::fourier
         : kernel == "harmonics" ? SeriesChoice::harmonics
                                 : SeriesChoice::automatic;
}

bool computes_pairs(std::string_view kernel) {
  return kernel == "small_d" || kernel == "tiles";
}

void check(std::string_view kernel, Precision precision) {
  check_kernel_name(kernel);
  if (precision == Precision::float32 && !has_float32(kernel))
    throw core::InputError("solver.kernel_precision", "there is no kernel '" + std::string(kernel) + "' in float32",
                           "take \"small_d\" or \"tiles\", or float64");
}

} // namespace

const std::vector<std::string>& attention_kernel_names() {
  static const std::vector<std::string> names{"auto", "direct", "small_d", "tiles", "fourier", "harmonics"};
  return names;
}

bool has_float32(std::string_view kernel) {
  return kernel == "auto" || computes_pairs(kernel);
}

std::unique_ptr<Attention> make_attention(const AttentionOptions& options, Weights weights, std::string_view kernel) {
  check(kernel, options.precision);
  if (kernel == "direct")
    return make_direct_attention(options, std::move(weights));
  if (computes_pairs(kernel) || options.precision == Precision::float32)
    return make_fused_attention(options, std::move(weights), pairs_choice(kernel));
  return make_series_attention(options, std::move(weights), series_choice(kernel));
}

std::string attention_kernel(const Weights& weights, const KernelCase& at, std::string_view kernel) {
  check(kernel, at.precision);
  if (kernel == "direct")
    return "direct";
  return computes_pairs(kernel) || at.precision == Precision::float32
             ? fused_kernel_text(weights, at.dim, pairs_choice(kernel), at.precision)
             : series_kernel_name(weights, at, series_choice(kernel));
}

} // namespace normdyn::attention
