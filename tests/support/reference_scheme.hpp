#pragma once
// The scheme that a row of the reference files means.

#include "support/csv_rows.hpp"
#include "support/scheme_list.hpp"

namespace normdyn::testing {

inline schemes::AnyScheme scheme_of(const CsvRow& row) {
  std::vector<std::pair<std::string, core::Value>> options = {{"name", core::Value(row.at("scheme"))}};
  if (!row.at("tau").empty())
    options.emplace_back("tau", core::Value(number(row, "tau")));
  if (!row.at("alpha").empty())
    options.emplace_back("alpha", core::Value(row.at("alpha")));
  return make_scheme(options);
}

} // namespace normdyn::testing
