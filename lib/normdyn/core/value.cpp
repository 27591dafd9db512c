#include "normdyn/core/value.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace normdyn::core {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20)
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      else
        out += c;
    }
  }
  return out + "\"";
}

bool is_bare(std::string_view key) {
  return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                             std::string_view::npos;
}

struct TomlWriter {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
  std::string operator()(double number) const { return number_text(number); }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(const Value::Array& array) const {
    std::string out = "[";
    for (const Value& item : array)
      out += (out.size() > 1 ? ", " : "") + toml_text(item);
    return out + "]";
  }
  std::string operator()(const Value::Table& table) const {
    if (table.empty())
      return "{}";
    std::string out = "{ ";
    for (const auto& [key, item] : table)
      out += (out.size() > 2 ? ", " : "") + (is_bare(key) ? key : quoted(key)) + " = " + toml_text(item);
    return out + " }";
  }
};

} // namespace

double Value::number() const {
  if (const auto* integer = std::get_if<std::int64_t>(&data))
    return static_cast<double>(*integer);
  return std::get<double>(data);
}

const Value* Value::find(std::string_view key) const {
  if (const auto* entries = std::get_if<Table>(&data))
    for (const auto& [name, value] : *entries)
      if (name == key)
        return &value;
  return nullptr;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).find(key));
}

void Value::set(std::string_view path, Value value) {
  if (!is_table())
    throw InputError(value.place.text(), fmt::format("'{}' goes through a value that is no section", path));
  const std::size_t dot = path.find('.');
  const std::string key(path.substr(0, dot));
  Value* entry = find(key);
  if (entry == nullptr) {
    table().emplace_back(key, Value{});
    entry = &table().back().second;
    entry->place = value.place;
  }
  if (dot == std::string_view::npos)
    *entry = std::move(value);
  else
    entry->set(path.substr(dot + 1), std::move(value));
}

std::string number_text(double number) {
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

std::string toml_text(const Value& value) {
  return std::visit(TomlWriter{}, value.data);
}

bool same_data(const Value& a, const Value& b) {
  return toml_text(a) == toml_text(b);
}

} // namespace normdyn::core
