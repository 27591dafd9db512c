#include "normdyn/attention/attention.hpp"

#include "normdyn/core/error.hpp"

namespace normdyn::attention {

const std::vector<std::string>& attention_kernel_names() {
  static const std::vector<std::string> names{"auto", "direct"};
  return names;
}

std::unique_ptr<Attention> make_attention(const AttentionOptions& options, Weights weights, std::string_view kernel) {
  if (kernel == "auto" || kernel == "direct")
    return make_direct_attention(options, std::move(weights));
  throw core::InputError("attention.kernel", "there is no kernel '" + std::string(kernel) + "'",
                         core::suggestion(kernel, attention_kernel_names()));
}

} // namespace normdyn::attention
