#pragma once
// Which rows of a table are meant: "0:256", "10:", ":5", "0:1000:10" (begin, end, step; the end is not included), or a
// list of row numbers. Rows count from 0.

#include "normdyn/core/settings.hpp"

#include <vector>

namespace normdyn::initial {

/// Reads the key, all rows if there is none. Refuses rows that a table of `n_rows` rows does not have, and no rows.
[[nodiscard]] std::vector<std::size_t> read_rows(core::Settings& section, std::string_view key, std::size_t n_rows);

} // namespace normdyn::initial
