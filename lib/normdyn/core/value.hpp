#pragma once
// A tree of configuration values, each knowing where it was written. It is what stages see of a config: they read it
// through Settings and know nothing of TOML.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace normdyn::core {

/// Where a value was written: "study.toml:12" or "--set attention.beta=3".
struct Place {
  std::string source;
  int line = 0; ///< 0 when there is none
  [[nodiscard]] std::string text() const { return line > 0 ? source + ":" + std::to_string(line) : source; }
};

class Value {
 public:
  using Array = std::vector<Value>;
  using Table = std::vector<std::pair<std::string, Value>>; ///< keeps the order of writing

  Value() : data(Table{}) {}
  Value(bool flag) : data(flag) {}
  Value(std::int64_t integer) : data(integer) {}
  Value(double number) : data(number) {}
  Value(std::string text) : data(std::move(text)) {}
  Value(const char* text) : data(std::string(text)) {}
  Value(Array array) : data(std::move(array)) {}
  Value(Table table) : data(std::move(table)) {}

  std::variant<bool, std::int64_t, double, std::string, Array, Table> data;
  Place place;

  [[nodiscard]] bool is_table() const { return std::holds_alternative<Table>(data); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<Array>(data); }
  [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(data); }
  [[nodiscard]] bool is_number() const {
    return std::holds_alternative<double>(data) || std::holds_alternative<std::int64_t>(data);
  }
  [[nodiscard]] const Table& table() const { return std::get<Table>(data); }
  [[nodiscard]] Table& table() { return std::get<Table>(data); }
  [[nodiscard]] const Array& array() const { return std::get<Array>(data); }
  [[nodiscard]] const std::string& text() const { return std::get<std::string>(data); }
  /// An integer or a double, as a double.
  [[nodiscard]] double number() const;

  /// The entry of a table, or null.
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] Value* find(std::string_view key);
  /// Sets the entry at a dotted path ("attention.beta"), making tables on the way; what stood there is replaced.
  /// Throws InputError when the path runs through something that is no table.
  void set(std::string_view path, Value value);
};

/// As TOML would write it: 1e-08, "text", [1, 2], { a = 1 }. Doubles round-trip.
[[nodiscard]] std::string toml_text(const Value& value);

/// A double as the shortest text that reads back to the same bits and is a TOML float ("3.0", "1e-08", "inf").
[[nodiscard]] std::string number_text(double number);

/// Same data, whatever the places.
[[nodiscard]] bool same_data(const Value& a, const Value& b);

} // namespace normdyn::core
