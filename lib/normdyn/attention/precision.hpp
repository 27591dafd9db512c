#pragma once
// The scalar of a kernel's inner loops.

#include <string_view>

namespace normdyn::attention {

/// The scalar of scores, exponentials and weighted sums. What goes into a kernel and comes out of it is double.
enum class Precision { float64, float32 };

/// "float64", "float32"
[[nodiscard]] constexpr std::string_view precision_name(Precision precision) {
  return precision == Precision::float32 ? "float32" : "float64";
}

} // namespace normdyn::attention
