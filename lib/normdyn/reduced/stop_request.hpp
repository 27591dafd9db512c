#pragma once
#include <cstddef>
#include <functional>

namespace normdyn::reduced {

/// Asked again and again while a table is made, with the number of rows that are done; true ends it with those.
using StopRequest = std::function<bool(std::size_t n_rows)>;

} // namespace normdyn::reduced
