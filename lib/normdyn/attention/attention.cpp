#include "normdyn/attention/attention.hpp"

#include "normdyn/attention/fused_attention.hpp"
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

KernelChoice choice_of(std::string_view kernel) {
  return kernel == "auto" ? KernelChoice::automatic : kernel == "tiles" ? KernelChoice::tiles : KernelChoice::small_d;
}

} // namespace

const std::vector<std::string>& attention_kernel_names() {
  static const std::vector<std::string> names{"auto", "direct", "small_d", "tiles"};
  return names;
}

std::unique_ptr<Attention> make_attention(const AttentionOptions& options, Weights weights, std::string_view kernel) {
  check_kernel_name(kernel);
  if (kernel == "direct")
    return make_direct_attention(options, std::move(weights));
  return make_fused_attention(options, std::move(weights), choice_of(kernel));
}

std::string attention_kernel(const Weights& weights, std::size_t dim, std::string_view kernel) {
  check_kernel_name(kernel);
  return kernel == "direct" ? "direct" : fused_kernel_name(weights, dim, choice_of(kernel));
}

} // namespace normdyn::attention
