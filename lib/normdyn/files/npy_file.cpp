#include "normdyn/files/npy_file.hpp"

#include "normdyn/core/error.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

namespace normdyn::files {
namespace {

static_assert(std::endian::native == std::endian::little, "NPY data are read without swapping bytes");

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data_offset = 0;
};

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// What stands behind "'key':" in the header's Python dictionary, blanks skipped.
std::optional<std::string_view> entry(std::string_view dictionary, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::size_t at = dictionary.find(fmt::format("{0}{1}{0}", quote, key));
    if (at == std::string_view::npos)
      continue;
    std::string_view rest = dictionary.substr(at + key.size() + 2);
    const std::size_t colon = rest.find_first_not_of(' ');
    if (colon == std::string_view::npos || rest[colon] != ':')
      continue;
    rest.remove_prefix(colon + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }
  return std::nullopt;
}

std::optional<std::vector<std::size_t>> tuple(std::string_view text) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos)
    return std::nullopt;
  text = text.substr(1, end - 1);
  std::vector<std::size_t> numbers;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
    if (text.empty())
      return numbers;
    std::size_t number = 0;
    const auto [stop, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc())
      return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
}

Header parse_header(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with("\x93NUMPY"))
    throw core::FileError(path, "is no NPY file");
  if (bytes.size() < 8)
    throw core::FileError(path, "is truncated inside its NPY header");
  const int major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3)
    throw core::FileError(path, fmt::format("has NPY format {}, where 1, 2 and 3 are known", major));
  const std::size_t length_size = major == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_size)
    throw core::FileError(path, "is truncated inside its NPY header");
  Header header;
  const std::size_t length = little_endian(bytes.substr(8, length_size));
  header.data_offset = 8 + length_size + length;
  if (bytes.size() < header.data_offset)
    throw core::FileError(path, "is truncated inside its NPY header");
  const std::string_view dictionary = bytes.substr(8 + length_size, length);

  const auto descr = entry(dictionary, "descr");
  const auto order = entry(dictionary, "fortran_order");
  const auto shape = entry(dictionary, "shape");
  const auto numbers = shape ? tuple(*shape) : std::nullopt;
  if (!descr || !order || !numbers || !(order->starts_with("True") || order->starts_with("False")))
    throw core::FileError(path, "has a damaged NPY header");
  if (descr->starts_with('['))
    throw core::FileError(path, "holds records, not plain numbers");
  const char quote = descr->empty() ? ' ' : descr->front();
  header.descr = descr->substr(1, descr->find(quote, 1) - 1);
  header.fortran_order = order->starts_with("True");
  header.shape = *numbers;
  return header;
}

template <class T>
std::vector<double> numbers(std::string_view data) {
  std::vector<double> values(data.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T)); // the data need not be aligned
    values[i] = static_cast<double>(value);
  }
  return values;
}

std::vector<double> row_by_row(std::vector<double> columns_first, std::size_t rows, std::size_t columns) {
  std::vector<double> values(columns_first.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      values[i * columns + j] = columns_first[j * rows + i];
  return values;
}

} // namespace

NpyArray parse_npy(std::string_view bytes, const std::string& path) {
  const Header header = parse_header(bytes, path);
  if (header.shape.empty() || header.shape.size() > 2)
    throw core::FileError(path, fmt::format("has {} dimensions, where 1 or 2 are expected", header.shape.size()));
  const bool is_wide = header.descr == "<f8" || header.descr == "<i8";
  if (!is_wide && header.descr != "<f4" && header.descr != "<i4")
    throw core::FileError(path, fmt::format("has numbers of type '{}'", header.descr),
                          "save it as float64 (also read: '<f4', '<f8', '<i4', '<i8')");
  const std::size_t width = is_wide ? 8 : 4;
  const std::string_view data = bytes.substr(header.data_offset);
  std::size_t expected = width;
  for (const std::size_t length : header.shape) {
    if (length != 0 && expected > data.size() / length + width) // before the product can overflow
      throw core::FileError(path,
                            fmt::format("is truncated: {} bytes of data are there, more are announced", data.size()));
    expected *= length;
  }
  if (data.size() != expected)
    throw core::FileError(path, fmt::format("is {}: {} bytes of data are there, {} are announced",
                                            data.size() < expected ? "truncated" : "too long", data.size(), expected));
  NpyArray array{header.shape, {}};
  if (header.descr == "<f8")
    array.values = numbers<double>(data);
  else if (header.descr == "<f4")
    array.values = numbers<float>(data);
  else if (header.descr == "<i8")
    array.values = numbers<std::int64_t>(data);
  else
    array.values = numbers<std::int32_t>(data);
  if (header.fortran_order && array.shape.size() == 2)
    array.values = row_by_row(std::move(array.values), array.shape[0], array.shape[1]);
  return array;
}

} // namespace normdyn::files
