#pragma once
// The reference files: CSV with a header line, columns read by name, empty cells meaning "does not apply".

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace normdyn::testing {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<CsvRow> read_csv(const std::string& name) {
  std::ifstream file(std::string(NORMDYN_DATA_DIR) + "/" + name);
  BOOST_REQUIRE_MESSAGE(file, name << " cannot be opened");
  const auto cells_of = [](const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == ',')
        cells.emplace_back();
      else if (c != '\r')
        cells.back() += c;
    return cells;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<CsvRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    BOOST_REQUIRE(cells.size() == names.size());
    CsvRow row;
    for (std::size_t i = 0; i < names.size(); ++i)
      row[names[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

inline double number(const CsvRow& row, const std::string& column) {
  return std::stod(row.at(column));
}

} // namespace normdyn::testing
